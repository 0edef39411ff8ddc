"""The zero-width tests of a position in a text."""

from collections.abc import Callable, Mapping
from typing import Protocol

from evalbook.regex_safety.syntax.syntax import Edge


class TextRun(Protocol):
    """What a test sees: a text and its size."""

    text: str
    size: int


def _is_word(run: TextRun, position: int) -> bool:
    if not 0 <= position < run.size:
        return False
    character = run.text[position]
    return character == "_" or character.isalnum()


def _at_last_newline(run: TextRun, position: int) -> bool:
    return position == run.size or (position == run.size - 1 and run.text[position] == "\n")


TESTS: Mapping[Edge, Callable[[TextRun, int], bool]] = {
    Edge.TEXT_START: lambda _, position: position == 0,
    Edge.TEXT_END: lambda run, position: position == run.size,
    Edge.TEXT_END_OR_LAST_NEWLINE: _at_last_newline,
    Edge.LINE_START: lambda run, position: position == 0 or run.text[position - 1] == "\n",
    Edge.LINE_END: lambda run, position: position == run.size or run.text[position] == "\n",
    Edge.WORD: lambda run, position: _is_word(run, position) != _is_word(run, position - 1),
    Edge.NOT_WORD: lambda run, position: _is_word(run, position) == _is_word(run, position - 1),
    Edge.WORD_START: lambda run, position: _is_word(run, position) and not _is_word(run, position - 1),
    Edge.WORD_END: lambda run, position: _is_word(run, position - 1) and not _is_word(run, position),
}
"""How the modelled engine tests each edge."""
