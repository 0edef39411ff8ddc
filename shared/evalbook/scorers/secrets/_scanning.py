"""Finding credentials in texts in linear time: prefixes are looked for at C speed, a form is matched only at one."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from evalbook.jsonio.values import Json
from evalbook.scorers.secrets._detectors import Detector

# Characters that end a word, and escapes whose last character looks like part of one.
_ESCAPE_END: Final = re.compile(r"(?:\\[abfnrtv]|\\x[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})\Z")
_LONGEST_ESCAPE: Final = 6
# No form matches across it, and no prefix holds it.
_BETWEEN: Final = "\x00"


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """Where a credential stands: the number of the text, the offset in it and the length, in characters."""

    text: int
    offset: int
    length: int
    detector: str


def texts_of(value: Json) -> list[str]:
    """Every string of a JSON value, member names included, in document order."""
    texts: list[str] = []
    pending = [value]
    while pending:
        part = pending.pop()
        if type(part) is str:
            texts.append(part)
        elif type(part) is list:
            pending += reversed(part)
        elif type(part) is dict:
            for name, member in reversed(part.items()):
                pending += (member, name)
    return texts


def scan(texts: Sequence[str], detectors: Sequence[Detector]) -> list[Finding]:
    """Every credential in *texts* that one of *detectors* knows, in order."""
    # One long text is searched many times faster than many short ones.
    joined = _BETWEEN.join(texts)
    starts = [0, *accumulate(len(text) + 1 for text in texts)]
    found = []
    absent = [mark for mark in "_-" if mark not in joined]
    for detector in detectors:
        for start, end in _places(joined, detector, absent):
            number = bisect_right(starts, start) - 1
            found.append(Finding(number, start - starts[number], end - start, detector.name))
    return sorted(found)


def _places(text: str, detector: Detector, absent: Sequence[str]) -> Iterator[tuple[int, int]]:
    for prefix in detector.prefixes:
        # One character is looked for several times faster than a prefix.
        at = -1 if prefix[-1] in absent else text.find(prefix)
        while at >= 0:
            end = _end(text, at, detector) if _starts_word(text, at, dashed=detector.dashed) else None
            if end is not None:
                yield at, end
            at = text.find(prefix, end or at + 1)


def _starts_word(text: str, at: int, *, dashed: bool) -> bool:
    before = text[at - 1 : at]
    if not (before.isascii() and before.isalnum()) and before != "_" and not (dashed and before == "-"):
        return True
    return _ESCAPE_END.search(text[max(at - _LONGEST_ESCAPE, 0) : at]) is not None


def _end(text: str, at: int, detector: Detector) -> int | None:
    match = detector.form.match(text, at)
    if match is None:
        return None
    groups = match.groupdict()
    return match.end() if detector.is_real(groups["secret"] or groups["plain"]) else None
