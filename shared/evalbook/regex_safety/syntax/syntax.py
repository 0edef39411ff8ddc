"""The syntax tree of a pattern: what the parser makes and everything else reads."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Literal, TypeAlias

import regex

Mode: TypeAlias = Literal["search", "fullmatch"]
Flag: TypeAlias = Literal["ignore_case", "multiline", "dot_all", "verbose", "ascii"]

FLAG_BITS: dict[str, int] = {
    "ignore_case": int(regex.IGNORECASE),
    "multiline": int(regex.MULTILINE),
    "dot_all": int(regex.DOTALL),
    "verbose": int(regex.VERBOSE),
    "ascii": int(regex.ASCII),
}
"""The author's flags as bits of the engine."""


@lru_cache(maxsize=1024)
def matcher(source: str, flags: int) -> "regex.Pattern[str]":
    """Compile pattern text that matches one character; raises `regex.error`."""
    return regex.compile(source, flags)


@dataclass(frozen=True, slots=True)
class Atom:
    """What matches exactly one character: `source` is pattern text without white space to skip, under engine `flags`.

    `character` is the one character that it is written as, if any; `ranges` are the code points it names, ends
    included. `joins` says whether the engine merges it with alternatives beside it, `price` what one test of it costs,
    in units of the cheapest.
    """

    source: str
    flags: int
    character: str | None
    ranges: tuple[tuple[int, int], ...]
    joins: bool = True
    price: int = 1

    def matches(self, character: str) -> bool:
        """Say whether *character* matches, by the engine's own rules."""
        if self.character is not None and not self.flags:
            return character == self.character
        return matcher(self.source, self.flags).fullmatch(character) is not None


class Edge(StrEnum):
    """Where a zero-width test holds."""

    TEXT_START = "text_start"
    TEXT_END = "text_end"
    TEXT_END_OR_LAST_NEWLINE = "text_end_or_last_newline"
    LINE_START = "line_start"
    LINE_END = "line_end"
    WORD = "word"
    NOT_WORD = "not_word"
    WORD_START = "word_start"
    WORD_END = "word_end"


class Greed(StrEnum):
    """How a repeat takes its turns."""

    GREEDY = "greedy"
    LAZY = "lazy"
    POSSESSIVE = "possessive"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a part stands in the pattern: offsets in characters, the end excluded."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Single:
    """One character."""

    place: Place
    atom: Atom


@dataclass(frozen=True, slots=True)
class Assertion:
    """A zero-width test of the position."""

    place: Place
    edge: Edge


@dataclass(frozen=True, slots=True)
class Sequence:
    """Parts one after another."""

    place: Place
    items: "tuple[Part, ...]"


@dataclass(frozen=True, slots=True)
class Choice:
    """Alternatives, tried from left to right."""

    place: Place
    options: "tuple[Part, ...]"


@dataclass(frozen=True, slots=True)
class Repeat:
    """A part `low` to `high` times; without `high`, any number of times."""

    place: Place
    body: "Part"
    low: int
    high: int | None
    greed: Greed


@dataclass(frozen=True, slots=True)
class Group:
    """A capturing group."""

    place: Place
    number: int
    body: "Part"


@dataclass(frozen=True, slots=True)
class Atomic:
    """A part that is never entered again once it has matched."""

    place: Place
    body: "Part"


@dataclass(frozen=True, slots=True)
class Look:
    """A look-ahead, or a look-behind over `width` characters."""

    place: Place
    body: "Part"
    negative: bool
    width: int | None


@dataclass(frozen=True, slots=True)
class BackReference:
    """What a group matched, once more."""

    place: Place
    number: int
    ignore_case: bool


@dataclass(frozen=True, slots=True)
class Conditional:
    """One of two parts, depending on whether a group has matched."""

    place: Place
    number: int
    then: "Part"
    otherwise: "Part"


Part: TypeAlias = Single | Assertion | Sequence | Choice | Repeat | Group | Atomic | Look | BackReference | Conditional


def children(part: Part) -> "tuple[Part, ...]":
    """Give the parts directly inside *part*."""
    match part:
        case Sequence(items=items):
            return items
        case Choice(options=options):
            return options
        case Repeat(body=body) | Group(body=body) | Atomic(body=body) | Look(body=body):
            return (body,)
        case Conditional(then=then, otherwise=otherwise):
            return (then, otherwise)
        case _:
            return ()


def walk(part: Part) -> Iterator[Part]:
    """Yield *part* and everything inside it, from left to right, the outer before the inner."""
    pending = [part]
    while pending:
        current = pending.pop()
        yield current
        pending.extend(reversed(children(current)))
