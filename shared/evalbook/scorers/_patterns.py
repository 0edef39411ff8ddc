"""An author's patterns in the scorers that search with them: checked once a version, matched under a time limit."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

import regex
from pydantic import Field

from evalbook.errors import Problem
from evalbook.outcome import Code, Undecided, errored, timed_out
from evalbook.parameters import Parameters, Whole

Mode = Literal["search", "fullmatch"]
Flags = frozenset[str]

NO_FLAGS: Final[Flags] = frozenset()
_FLAGS: Final = {"ignore_case": regex.I, "multiline": regex.M, "dot_all": regex.S, "verbose": regex.X}


class PatternLimits(Parameters):
    """How long a match may take, and how long a text may be."""

    match_timeout_ms: Whole = Field(100, ge=1, le=2_000, description="Each match is stopped after this time.")
    max_input_chars: Whole = Field(100_000, ge=1, description="Longer texts are an error.")


@dataclass(frozen=True, slots=True)
class Match:
    """One place where a pattern was found: the text there and that of each group, None for one that took no part."""

    text: str
    groups: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class GuardedPattern:
    """A compiled pattern that ends the scorer instead of running too long or over too long a text."""

    compiled: "regex.Pattern[str]"
    mode: Mode
    timeout_ms: int
    max_input_chars: int

    def matches(self, text: str) -> bool:
        """Whether the pattern is found in *text*, or matches all of it in mode fullmatch.

        Raises:
            Undecided: The text is too long (INPUT_TOO_LONG) or the match was stopped (MATCH_TIME_LIMIT).
        """
        self._check_length(text)
        run = self.compiled.fullmatch if self.mode == "fullmatch" else self.compiled.search
        try:
            return run(text, timeout=self.timeout_ms / 1_000) is not None
        except TimeoutError:
            raise self._stopped() from None

    def spans(self, text: str) -> list[Match]:
        """Every place in *text* where the pattern is found, from left to right without overlap.

        Raises:
            Undecided: As `matches` does; the limit is on all places together.
        """
        self._check_length(text)
        try:
            return list(self._found(text))
        except TimeoutError:
            raise self._stopped() from None

    def _found(self, text: str) -> Iterator[Match]:
        for match in self.compiled.finditer(text, timeout=self.timeout_ms / 1_000):
            yield Match(match.group(), match.groups())

    def _check_length(self, text: str) -> None:
        if len(text) > self.max_input_chars:
            message = f"A text has {len(text)} characters; the version allows {self.max_input_chars}."
            raise Undecided(errored(Code.INPUT_TOO_LONG, message))

    def _stopped(self) -> Undecided:
        return Undecided(timed_out(Code.MATCH_TIME_LIMIT, f"A match was stopped after {self.timeout_ms} ms."))


def author_pattern_problems(
    pattern: str, pointer: str, flags: Flags = NO_FLAGS, mode: Mode = "search"
) -> Iterable[Problem]:
    """Name why *pattern*, at *pointer* of the parameters, cannot be used."""
    if not pattern:
        yield Problem(pointer, "is empty: it would be found in anything")
        return
    try:
        compile_pattern(pattern, flags=flags, mode=mode, timeout_ms=1, max_input_chars=1)
    except regex.error as error:
        yield Problem(pointer, f"is no pattern: {error}")


def author_pattern_warnings(
    pattern: str, pointer: str, flags: Flags = NO_FLAGS, mode: Mode = "search"
) -> Iterable[Problem]:
    """Name what is accepted in *pattern* and yet worth knowing."""
    del pattern, pointer, flags, mode
    return ()


def compile_pattern(
    pattern: str, *, flags: Flags = NO_FLAGS, mode: Mode = "search", timeout_ms: int, max_input_chars: int
) -> GuardedPattern:
    """Compile a pattern that `author_pattern_problems` found nothing against."""
    chosen = 0
    for name in flags:
        chosen |= _FLAGS[name]
    return GuardedPattern(regex.compile(pattern, chosen), mode, timeout_ms, max_input_chars)
