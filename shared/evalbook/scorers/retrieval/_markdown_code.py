"""Code in Markdown, which cites nothing: `items[0]` is no citation."""

import re
from collections.abc import Iterator
from typing import Final

_OPENING: Final = re.compile(r" {0,3}(`{3,}+(?!.*`)|~{3,})")
_CLOSING: Final = re.compile(r" {0,3}(`{3,}|~{3,})[ \t]*")
_PARAGRAPHS: Final = re.compile(r"(\n[ \t]*\n)")
# What the forms of citation are made of.
_BLANKED: Final = str.maketrans(dict.fromkeys("[]()\\【】<⁰¹²³⁴⁵⁶⁷⁸⁹", " "))
_TICKS: Final = re.compile(r"(?<!\\)`+")


def without_code(text: str) -> str:
    """*text* without its fenced code blocks, and with code spans that hold no brackets (CommonMark 4.5 and 6.1)."""
    if "`" not in text and "~~~" not in text:
        return text
    prose = "\n".join(_outside_fences(text.split("\n")))
    return "".join(_without_spans(paragraph) for paragraph in _PARAGRAPHS.split(prose))


def _outside_fences(lines: list[str]) -> Iterator[str]:
    """The lines outside fenced blocks, an empty line for each inside; a block without a closing fence never ends."""
    fence = ""
    for line in lines:
        if fence:
            closing = _CLOSING.fullmatch(line)
            if closing and closing[1].startswith(fence):
                fence = ""
            yield ""
            continue
        opening = _OPENING.match(line)
        fence = opening[1] if opening else ""
        yield "" if opening else line


def _without_spans(paragraph: str) -> str:
    """A paragraph with the brackets in its code spans blanked; one runs from backticks to as many backticks."""
    runs = [found.span() for found in _TICKS.finditer(paragraph)]
    closing: dict[int, int] = {}
    latest: dict[int, int] = {}
    for index in reversed(range(len(runs))):
        length = runs[index][1] - runs[index][0]
        if length in latest:
            closing[index] = latest[length]
        latest[length] = index
    kept, done, index = [], 0, 0
    while index < len(runs):
        end = closing.get(index)
        if end is not None:
            kept += [paragraph[done : runs[index][0]], paragraph[runs[index][1] : runs[end][0]].translate(_BLANKED)]
            done, index = runs[end][1], end
        index += 1
    return "".join([*kept, paragraph[done:]])
