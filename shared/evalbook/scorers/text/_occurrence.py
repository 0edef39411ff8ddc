"""Where a text may occur in another one: anywhere, at its start, at its end, or only as whole words."""

from collections.abc import Callable
from typing import Literal
from unicodedata import category

from pydantic import Field

from evalbook.domain.parameters import Parameters

Occurs = Callable[[str, str], bool]


class OccurrenceOptions(Parameters):
    """Where a listed text counts as found."""

    position: Literal["anywhere", "start", "end"] = Field(
        "anywhere", description="Where in the output a text counts as found."
    )
    whole_words: bool = Field(
        False,  # noqa: FBT003
        description="A text is found only where neither of its ends cuts a word of the output in two.",
    )


def occurrence(options: OccurrenceOptions) -> Occurs:
    """Return a function that says whether a text (its first argument, not empty) counts as found in another one."""
    position = options.position
    if not options.whole_words:
        if position == "anywhere":
            return lambda text, output: text in output
        return (
            (lambda text, output: output.startswith(text))
            if position == "start"
            else (lambda text, output: output.endswith(text))
        )
    if position == "start":
        return lambda text, output: output.startswith(text) and _whole(output, 0, len(text))
    if position == "end":
        return lambda text, output: output.endswith(text) and _whole(output, len(output) - len(text), len(output))
    return _anywhere


def _anywhere(text: str, output: str) -> bool:
    start = output.find(text)
    while start >= 0:
        if _whole(output, start, start + len(text)):
            return True
        start = output.find(text, start + 1)
    return False


def _whole(output: str, start: int, end: int) -> bool:
    """Say whether no word of *output* goes on across *start* or *end*."""
    return not _inside_word(output, start) and not _inside_word(output, end)


def _inside_word(output: str, place: int) -> bool:
    return 0 < place < len(output) and _in_words(output[place - 1]) and _in_words(output[place])


def _in_words(character: str) -> bool:
    """Say whether words are made of *character*: letters, marks, numbers, connectors such as `_` (UTS 18)."""
    kind = category(character)
    return kind[0] in "LMN" or kind == "Pc"
