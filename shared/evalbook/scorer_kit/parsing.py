"""JSON in an output's text, read because the author asked for it: a whole document, or the one block in a text."""

import re
from collections.abc import Callable, Iterator
from typing import Final, Literal

from pydantic import Field

from evalbook.domain.case import Case
from evalbook.domain.outcome import EarlyOutcome, failed
from evalbook.domain.parameters import ReadsOutput
from evalbook.jsonio.reader import NotStrictJson, read_json
from evalbook.jsonio.values import Json, kind_of
from evalbook.scorer_kit.reading import STRING, JsonKind, Read, output_reader

# A line that opens or closes a fenced block (CommonMark 4.5), at any indentation, since lists indent blocks.
_FENCE: Final = re.compile(r"^[ \t]*(`{3,}+(?!.*`)|~{3,})(.*)$", re.MULTILINE)
_OPENING: Final = re.compile(r"[\[{]")
_MARK: Final = re.compile(r'[^"\[\]{}]*+(?:"(?:[^"\\]++|\\.)*+"[^"\[\]{}]*+)*+([\[\]{}]|\Z|")', re.DOTALL)
_CLOSED_BY: Final = {"[": "]", "{": "}"}


class ParsesOutput(ReadsOutput):
    """Parameters of a scorer that reads JSON, and may be told to find it in a text."""

    parse: Literal["none", "json", "json_block"] = Field(
        "none",
        description="How the text at output_path is read: not at all, as one strict JSON document, or as the one "
        "fenced block in it (without a fence the one balanced object or array).",
    )


def parsed_output_reader(parameters: ParsesOutput, kind: JsonKind) -> Read:
    """Return a function that reads the part of the output that is scored, parsed where the version asks for it.

    It ends the scorer with a fail where the text holds no such JSON, or a value that is not of *kind*.
    """
    if parameters.parse == "none":
        return output_reader(parameters, kind)
    text_of = output_reader(parameters, STRING)
    found_in: Callable[[str], str] = _whole if parameters.parse == "json" else _block

    def read(case: Case) -> Json:
        value = _parsed(found_in(text_of(case)))
        if type(value) not in kind.types:
            raise _fail(f"The JSON in the output text is {kind_of(value)}, not {kind.words}.")
        return value

    return read


def _whole(text: str) -> str:
    return text


def _block(text: str) -> str:
    """Return the text of the one block.

    Raises:
        EarlyOutcome: There is none, or there are several, or a fence or a bracket is not closed.
    """
    fenced = list(_fenced(text))
    found = fenced or list(_balanced(text))
    if len(found) == 1:
        return found[0]
    what = "fenced blocks" if fenced else "objects or arrays"
    raise _fail(f"The output text holds {len(found)} {what}; exactly one is parsed.")


def _fenced(text: str) -> Iterator[str]:
    fence, start = "", 0
    for line in _FENCE.finditer(text):
        if not fence:
            fence, start = line[1], line.end() + 1
        elif line[1].startswith(fence) and not line[2].strip():
            yield text[start : max(start, line.start())]
            fence = ""
    if fence:
        raise _fail("A fenced block of the output text has no end.")


def _balanced(text: str) -> Iterator[str]:
    """Yield the outermost texts between brackets that match; brackets inside JSON strings do not count."""
    opening = _OPENING.search(text)
    while opening:
        end = _end_of(text, opening.start())
        yield text[opening.start() : end]
        opening = _OPENING.search(text, end)


def _end_of(text: str, start: int) -> int:
    """Return the offset after the bracket that closes the one at *start*."""
    open_brackets: list[str] = []
    place = start
    while True:
        mark = _MARK.match(text, place)
        assert mark is not None
        place = mark.end()
        if mark[1] in _CLOSED_BY:
            open_brackets.append(_CLOSED_BY[mark[1]])
        elif mark[1] in ("", '"') or open_brackets.pop() != mark[1]:
            raise _fail("Brackets or quotes in the output text do not match.")
        elif not open_brackets:
            return place


def _parsed(text: str) -> Json:
    try:
        return read_json(text.encode())
    except NotStrictJson as error:
        raise _fail(f"The output text cannot be parsed as JSON: {error.reason}, at byte {error.offset}.") from None


def _fail(explanation: str) -> EarlyOutcome:
    return EarlyOutcome(failed(explanation))
