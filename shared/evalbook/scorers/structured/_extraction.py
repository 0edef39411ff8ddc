"""What a version of extracted_number says: which number is taken, how numbers are written, how near is near."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, Field

from evalbook.domain.errors import Problem
from evalbook.jsonio.values import Json
from evalbook.scorer_kit.accepted import AcceptsAny, accepted_problems
from evalbook.scorer_kit.patterns import (
    PatternLimits,
    author_pattern_problems,
    author_pattern_warnings,
    groups_of,
)
from evalbook.scorer_kit.reading import NUMBER
from evalbook.scorers.structured._near import Tolerances, tolerance_problems

_SIGNS: Final = frozenset("+-\u2212%")


def _mark(value: str) -> str:
    if len(value) != 1 or value.isalnum() or value in _SIGNS:
        raise ValueError("must be one character, and no letter, digit, sign or percent sign")
    return value


Mark = Annotated[str, AfterValidator(_mark)]
"""One character that stands between digits."""


class ExtractedNumberParameters(AcceptsAny, Tolerances, PatternLimits):
    """Which number of the text is taken, how it is written, and how far it may be from the expected one."""

    take: Literal["only", "last", "first", "pattern"] = Field(
        description="Which number of the text counts; `only` fails where there are several."
    )
    pattern: str | None = Field(None, description="For take `pattern`: its one group captures the number.")
    thousands: Mark = Field(",", description="What stands between groups of three digits.")
    decimal: Mark = Field(".", description="The decimal mark.")
    percent: Literal["as_is", "fraction"] = Field("as_is", description="Whether 45% is 45 or 0.45.")

    @classmethod
    def problems(cls, raw: Mapping[str, Json]) -> Iterable[Problem]:
        """Refuse what names no number, or no tolerance."""
        yield from accepted_problems(raw, NUMBER)
        yield from tolerance_problems(raw)
        if raw.get("thousands", ",") == raw.get("decimal", "."):
            yield Problem("/decimal", "is the same as thousands: a number could not be told from another")
        yield from _pattern_problems(raw)

    def warnings(self) -> Iterable[Problem]:
        """Warn of a pattern that can run into its time limit on a long output."""
        return () if self.pattern is None else author_pattern_warnings(self.pattern, "/pattern")


def _pattern_problems(raw: Mapping[str, Json]) -> Iterable[Problem]:
    pattern, by_pattern = raw.get("pattern"), raw.get("take") == "pattern"
    if "pattern" in raw and pattern is None:
        yield Problem("/pattern", "must be a string, not null")
    if by_pattern and "pattern" not in raw:
        yield Problem("/pattern", "is required by take pattern")
    if "pattern" in raw and not by_pattern:
        yield Problem("/pattern", "is read with take pattern only; write that, or leave the pattern out")
    if type(pattern) is str:
        refused = list(author_pattern_problems(pattern, "/pattern"))
        yield from refused
        if not refused and (count := groups_of(pattern)[0]) != 1:
            yield Problem("/pattern", f"has {count} groups; exactly one captures the number")
