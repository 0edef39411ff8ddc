"""regex (S-04): the output matches a pattern, as a whole, anywhere in it, or nowhere."""

from collections.abc import Iterable, Mapping
from typing import Final, Literal, get_args

from pydantic import Field

from evalbook.domain.case import Case
from evalbook.domain.errors import Problem
from evalbook.domain.implementation import Need, ScoreFunction, scorer
from evalbook.domain.outcome import Grade, failed, passed
from evalbook.domain.parameters import ReadsOutput
from evalbook.jsonio.values import Json
from evalbook.regex_safety.syntax.syntax import Flag, Mode
from evalbook.scorer_kit.patterns import (
    PatternLimits,
    author_pattern_problems,
    author_pattern_warnings,
    compile_pattern,
)
from evalbook.scorer_kit.reading import STRING, output_reader

_ANSWERS: Mapping[str, tuple[Grade, Grade]] = {
    "match": (passed("The pattern is found in the output."), failed("The pattern is not found in the output.")),
    "full_match": (passed("The pattern matches the output."), failed("The pattern does not match the whole output.")),
    "no_match": (failed("The pattern is found in the output."), passed("The pattern is not found in the output.")),
}
_FLAGS: Final[frozenset[Flag]] = frozenset(get_args(Flag))


class RegexParameters(ReadsOutput, PatternLimits):
    """The pattern, and where it must or must not match."""

    pattern: str = Field(description="A regular expression, checked for catastrophic backtracking.")
    mode: Literal["match", "full_match", "no_match"] = Field(
        "match", description="Found anywhere, matching all of the output, or found nowhere."
    )
    flags: list[Flag] = Field([], description="How the pattern is read.")

    @classmethod
    def problems(cls, raw: Mapping[str, Json]) -> Iterable[Problem]:
        """Refuse a pattern that cannot be used."""
        pattern = raw.get("pattern")
        if type(pattern) is str:
            yield from author_pattern_problems(pattern, "/pattern", _flags(raw), _mode(raw))

    def warnings(self) -> Iterable[Problem]:
        """Warn of a pattern that can run into its time limit on a long output."""
        return author_pattern_warnings(self.pattern, "/pattern", frozenset(self.flags), _mode({"mode": self.mode}))


def _flags(raw: Mapping[str, Json]) -> frozenset[Flag]:
    flags = raw.get("flags")
    return frozenset(flag for flag in _FLAGS if type(flags) is list and flag in flags)


def _mode(raw: Mapping[str, Json]) -> Mode:
    return "fullmatch" if raw.get("mode") == "full_match" else "search"


@scorer(parameters=RegexParameters, needs=(Need.OUTPUT,))
def regex(parameters: RegexParameters) -> ScoreFunction:
    """Passes when the output matches a pattern: anywhere, as a whole, or nowhere."""
    output_of = output_reader(parameters, STRING)
    pattern = compile_pattern(
        parameters.pattern,
        flags=frozenset(parameters.flags),
        mode=_mode({"mode": parameters.mode}),
        timeout_ms=parameters.match_timeout_ms,
        max_input_chars=parameters.max_input_chars,
    )
    when_found, otherwise = _ANSWERS[parameters.mode]

    def score(case: Case) -> Grade:
        return when_found if pattern.matches(output_of(case)) else otherwise

    return score
