"""What a version of regex says: the pattern, where it must match and how often, and what one of its groups captures."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Final, Literal, get_args

from pydantic import AfterValidator, Field, WithJsonSchema

from evalbook.domain.errors import Problem
from evalbook.domain.parameters import Whole
from evalbook.jsonio.values import Json, is_number
from evalbook.regex_safety.syntax.syntax import Flag, Mode
from evalbook.scorer_kit.accepted import AcceptsAny, accepted_problems
from evalbook.scorer_kit.patterns import (
    PatternLimits,
    author_pattern_problems,
    author_pattern_warnings,
    groups_of,
    unicode_warnings,
)
from evalbook.scorer_kit.reading import STRING
from evalbook.scorer_kit.text_options import TextOptions

_FLAGS: Final[frozenset[Flag]] = frozenset(get_args(Flag))
_COUNTS: Final = ("minimum_matches", "maximum_matches")
_OF_THE_GROUP: Final = ("expected", "expected_path", "accept_any", *TextOptions.model_fields)


def _group(value: Json) -> Json:
    if type(value) is str:
        return value
    if not is_number(value) or value != int(value) or value < 0:
        raise ValueError("must be the number or the name of a group of the pattern")
    return int(value)


GroupReference = Annotated[Any, AfterValidator(_group), WithJsonSchema({"type": ["integer", "string"]})]
"""The number of a group (0 is the whole match) or its name."""


class RegexParameters(AcceptsAny, TextOptions, PatternLimits):
    """The pattern, and where it must or must not match."""

    pattern: str = Field(description="A regular expression, checked for catastrophic backtracking.")
    mode: Literal["match", "full_match", "no_match"] = Field(
        "match", description="Found anywhere, matching all of the output, or found nowhere."
    )
    flags: list[Flag] = Field([], description="How the pattern is read.")
    group: GroupReference | None = Field(
        None, description="A group (number or name) whose text in the first match must equal the expected value."
    )
    minimum_matches: Annotated[Whole, Field(ge=1)] | None = Field(None, description="How often it is found at least.")
    maximum_matches: Annotated[Whole, Field(ge=1)] | None = Field(None, description="How often it is found at most.")

    @classmethod
    def problems(cls, raw: Mapping[str, Json]) -> Iterable[Problem]:
        """Refuse a pattern that cannot be used, counts that contradict the mode, and a group that is not there."""
        pattern = raw.get("pattern")
        refused: list[Problem] = []
        if type(pattern) is str:
            refused += author_pattern_problems(pattern, "/pattern", flags_of(raw), mode_of(raw.get("mode")))
        yield from refused
        yield from _count_problems(raw)
        yield from _group_problems(raw)
        if type(pattern) is str and not refused and "group" in raw:
            yield from _missing_group(raw["group"], pattern, flags_of(raw))

    @classmethod
    def reads_expected(cls, raw: Mapping[str, Json]) -> bool:
        """Return whether a group is compared."""
        return "group" in raw

    def warnings(self) -> Iterable[Problem]:
        """Warn of a pattern that can run into its time limit, or that means more characters than it seems to."""
        flags = frozenset(self.flags)
        yield from author_pattern_warnings(self.pattern, "/pattern", flags, mode_of(self.mode))
        yield from unicode_warnings(self.pattern, "/pattern", "add the flag ascii", flags)


def flags_of(raw: Mapping[str, Json]) -> frozenset[Flag]:
    """Return the flags among *raw* parameters, whatever else stands there."""
    flags = raw.get("flags")
    return frozenset(flag for flag in _FLAGS if type(flags) is list and flag in flags)


def mode_of(mode: Json) -> Mode:
    """Return how the engine is to match."""
    return "fullmatch" if mode == "full_match" else "search"


def _count_problems(raw: Mapping[str, Json]) -> Iterable[Problem]:
    for name in _COUNTS:
        if name in raw and raw[name] is None:
            yield Problem(f"/{name}", "must be a number, not null")
        elif name in raw and raw.get("mode", "match") != "match":
            yield Problem(f"/{name}", "is counted in mode match only")
    least, most = (raw.get(name) for name in _COUNTS)
    if least is not None and most is not None and is_number(least) and is_number(most) and least > most:
        yield Problem("/minimum_matches", "is larger than maximum_matches: no text could pass")


def _group_problems(raw: Mapping[str, Json]) -> Iterable[Problem]:
    if "group" not in raw:
        for name in _OF_THE_GROUP:
            if name in raw:
                yield Problem(f"/{name}", "is used with group only: without it the output is not compared with a text")
        return
    if raw["group"] is None:
        yield Problem("/group", "must be the number or the name of a group, not null")
    if raw.get("mode") == "no_match":
        yield Problem("/group", "captures nothing in mode no_match")
    yield from accepted_problems(raw, STRING)


def _missing_group(group: Json, pattern: str, flags: frozenset[Flag]) -> Iterable[Problem]:
    count, names = groups_of(pattern, flags)
    if (type(group) is str and group not in names) or (is_number(group) and group > count):
        known = f"{count} groups" + (f", by name {', '.join(sorted(names))}" if names else "")
        yield Problem("/group", f"is not in the pattern, which has {known}")
