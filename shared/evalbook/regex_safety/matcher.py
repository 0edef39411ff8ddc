"""Matches under a time limit, with patterns that have been checked."""

from collections.abc import Iterator
from dataclasses import dataclass

import regex

from evalbook.domain.errors import EvalBookError
from evalbook.regex_safety.checker import check_pattern
from evalbook.regex_safety.syntax.problem import PatternRefused
from evalbook.regex_safety.syntax.syntax import FLAG_BITS, Flag, Mode

DEFAULT_TIMEOUT_MS = 100
DEFAULT_MAX_INPUT_CHARS = 100_000


class MatchTimeout(EvalBookError):
    """A match was stopped after `timeout_ms`."""

    def __init__(self, timeout_ms: int) -> None:
        super().__init__(f"the match was stopped after {timeout_ms} ms")
        self.timeout_ms = timeout_ms


class InputTooLong(EvalBookError):
    """A text of `length` characters is longer than `limit` allows."""

    def __init__(self, length: int, limit: int) -> None:
        super().__init__(f"the text has {length} characters, {limit} are allowed")
        self.length = length
        self.limit = limit


@dataclass(frozen=True, slots=True)
class FoundMatch:
    """One match: its offsets in the text, the end excluded, and what each group matched (None: nothing)."""

    start: int
    end: int
    text: str
    groups: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class GuardedPattern:
    """A compiled pattern that answers within `timeout_ms` of CPU time, or raises `MatchTimeout`.

    The engine counts the CPU time of the whole process, so other threads shorten it: run it in a process
    of its own.
    """

    compiled: "regex.Pattern[str]"
    mode: Mode
    timeout_ms: int
    max_input_chars: int

    def matches(self, text: str) -> bool:
        """Say whether the pattern is found in *text*, or in mode `fullmatch` covers it.

        Raises `InputTooLong` and `MatchTimeout`.
        """
        self._admit(text)
        match = self.compiled.fullmatch if self.mode == "fullmatch" else self.compiled.search
        try:
            return match(text, timeout=self.timeout_ms / 1000) is not None
        except TimeoutError:
            raise MatchTimeout(self.timeout_ms) from None

    def first_group(self, text: str, group: int | str) -> str | None:
        """Return what *group* captured in the first match; None where there is no match or it took no part.

        Raises `InputTooLong` and `MatchTimeout`.
        """
        self._admit(text)
        match = self.compiled.fullmatch if self.mode == "fullmatch" else self.compiled.search
        try:
            found = match(text, timeout=self.timeout_ms / 1000)
        except TimeoutError:
            raise MatchTimeout(self.timeout_ms) from None
        return None if found is None else found.group(group)

    def find(self, text: str) -> Iterator[FoundMatch]:
        """Yield the matches in *text* that do not overlap, all within one time limit.

        Raises `InputTooLong` and `MatchTimeout`.
        """
        self._admit(text)
        try:
            for match in self.compiled.finditer(text, timeout=self.timeout_ms / 1000):
                yield FoundMatch(match.start(), match.end(), match.group(), match.groups())
        except TimeoutError:
            raise MatchTimeout(self.timeout_ms) from None

    def _admit(self, text: str) -> None:
        if len(text) > self.max_input_chars:
            raise InputTooLong(len(text), self.max_input_chars)


def compile_guarded(
    pattern: str,
    *,
    flags: frozenset[Flag] = frozenset(),
    mode: Mode = "search",
    timeout_ms: int = DEFAULT_TIMEOUT_MS,
    max_input_chars: int = DEFAULT_MAX_INPUT_CHARS,
) -> GuardedPattern:
    """Check *pattern* and compile it; raises `PatternRefused` for a pattern that `check_pattern` refuses."""
    refusal = check_pattern(pattern, flags=flags, mode=mode).refusal
    if refusal is not None:
        raise PatternRefused(refusal)
    compiled = regex.compile(pattern, sum(FLAG_BITS[flag] for flag in flags))
    return GuardedPattern(compiled, mode, timeout_ms, max_input_chars)
