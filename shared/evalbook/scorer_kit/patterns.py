"""An author's patterns in the scorers that search with them: checked once a version, matched under a time limit."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from pydantic import Field

from evalbook.domain.errors import Problem
from evalbook.domain.outcome import Code, EarlyOutcome, errored, timed_out
from evalbook.domain.parameters import Parameters, Whole
from evalbook.regex_safety.checker import check_pattern
from evalbook.regex_safety.matcher import FoundMatch, GuardedPattern, InputTooLong, MatchTimeout, compile_guarded
from evalbook.regex_safety.syntax.syntax import Flag, Mode
from evalbook.regex_safety.unicode_reach import unicode_reach

Flags = frozenset[Flag]

NO_FLAGS: Final[Flags] = frozenset()


class PatternLimits(Parameters):
    """How long a match may take, and how long a text may be."""

    match_timeout_ms: Whole = Field(100, ge=1, le=2_000, description="Each match is stopped after this time.")
    max_input_chars: Whole = Field(100_000, ge=1, description="Longer texts are an error.")


@dataclass(frozen=True, slots=True)
class ScoringPattern:
    """A compiled pattern that ends the scorer instead of running too long or over too long a text."""

    guarded: GuardedPattern

    def matches(self, text: str) -> bool:
        """Return whether the pattern is found in *text*, or matches all of it in mode fullmatch.

        Raises:
            EarlyOutcome: The text is too long (INPUT_TOO_LONG) or the match was stopped (MATCH_TIME_LIMIT).
        """
        try:
            return self.guarded.matches(text)
        except (InputTooLong, MatchTimeout) as error:
            raise _undecided(error) from None

    def first_group(self, text: str, group: int | str) -> str | None:
        """Return what *group* captured in the first match in *text*; None where nothing did.

        Raises:
            EarlyOutcome: As `matches` does.
        """
        try:
            return self.guarded.first_group(text, group)
        except (InputTooLong, MatchTimeout) as error:
            raise _undecided(error) from None

    def count(self, text: str) -> int:
        """Return how often the pattern is found in *text*, without overlap.

        Raises:
            EarlyOutcome: As `matches` does; the limit is on all places together.
        """
        try:
            return sum(1 for _ in self.guarded.find(text))
        except (InputTooLong, MatchTimeout) as error:
            raise _undecided(error) from None

    def spans(self, text: str) -> list[FoundMatch]:
        """Return every place in *text* where the pattern is found, from left to right without overlap.

        Raises:
            EarlyOutcome: As `matches` does; the limit is on all places together.
        """
        try:
            return list(self.guarded.find(text))
        except (InputTooLong, MatchTimeout) as error:
            raise _undecided(error) from None


def _undecided(error: InputTooLong | MatchTimeout) -> EarlyOutcome:
    if isinstance(error, InputTooLong):
        message = f"A text has {error.length} characters; the version allows {error.limit}."
        return EarlyOutcome(errored(Code.INPUT_TOO_LONG, message))
    return EarlyOutcome(timed_out(Code.MATCH_TIME_LIMIT, f"A match was stopped after {error.timeout_ms} ms."))


def author_pattern_problems(
    pattern: str, pointer: str, flags: Flags = NO_FLAGS, mode: Mode = "search"
) -> Iterable[Problem]:
    """Name why *pattern*, at *pointer* of the parameters, cannot be used."""
    refusal = check_pattern(pattern, flags=flags, mode=mode).refusal
    if refusal:
        yield Problem(pointer, refusal.message)


def author_pattern_warnings(
    pattern: str, pointer: str, flags: Flags = NO_FLAGS, mode: Mode = "search"
) -> Iterable[Problem]:
    """Name what is accepted in *pattern* and yet worth knowing: from which length a match can run out of time."""
    warning = check_pattern(pattern, flags=flags, mode=mode).warning
    if warning:
        yield Problem(pointer, warning.message)


def unicode_warnings(
    pattern: str, pointer: str, advice: str = "write the characters out, such as [0-9]", flags: Flags = NO_FLAGS
) -> Iterable[Problem]:
    """Name what in *pattern* covers all of Unicode, with the *advice* for where only ASCII is meant."""
    wide = unicode_reach(pattern, flags)
    if wide:
        yield Problem(pointer, f"{', '.join(wide)} cover all of Unicode; {advice} where only ASCII is meant")


def groups_of(pattern: str, flags: Flags = NO_FLAGS) -> tuple[int, frozenset[str]]:
    """Return how many groups *pattern* captures with, and their names; `author_pattern_problems` found no fault."""
    compiled = compile_guarded(pattern, flags=flags).compiled
    return compiled.groups, frozenset(compiled.groupindex)


def compile_pattern(
    pattern: str, *, flags: Flags = NO_FLAGS, mode: Mode = "search", timeout_ms: int, max_input_chars: int
) -> ScoringPattern:
    """Compile a pattern that `author_pattern_problems` found nothing against."""
    guarded = compile_guarded(pattern, flags=flags, mode=mode, timeout_ms=timeout_ms, max_input_chars=max_input_chars)
    return ScoringPattern(guarded)
