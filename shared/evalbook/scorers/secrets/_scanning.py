"""Finding credentials in texts in linear time: prefixes are looked for at C speed, a form is matched only at one."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from evalbook.jsonio.values import Json
from evalbook.scorers.secrets._token_form import TokenForm

# Characters that end a word, and escapes whose last character looks like part of one.
_ESCAPE_END: Final = re.compile(r"(?:\\[abfnrtv]|\\x[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})\Z")
_LONGEST_ESCAPE: Final = 6
# No form matches across it, and no prefix holds it.
_BETWEEN: Final = "\x00"


@dataclass(frozen=True, slots=True)
class Finding:
    """Where a credential stands: the number of the text, the offset in it and the length, in characters."""

    text: int
    offset: int
    length: int
    detector: str

    def place(self) -> tuple[int, int, int, str]:
        """Return what puts findings in order: their place, and the longer one of two at one place first."""
        return self.text, self.offset, -self.length, self.detector


def texts_of(value: Json) -> list[str]:
    """Return every string of a JSON value, member names included, in document order."""
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


def scan(texts: Sequence[str], forms: Sequence[TokenForm]) -> list[Finding]:
    """Return every credential in *texts* that has one of *forms*, in order; of two in one another, the outer one."""
    # One long text is searched many times faster than many short ones.
    joined = _BETWEEN.join(texts)
    starts = [0, *accumulate(len(text) + 1 for text in texts)]
    found = []
    absent = [mark for mark in "_-" if mark not in joined]
    for form in forms:
        for start, end in _places(joined, form, absent):
            number = bisect_right(starts, start) - 1
            found.append(Finding(number, start - starts[number], end - start, form.detector))
    return _outermost(found)


def _outermost(found: list[Finding]) -> list[Finding]:
    """Return *found* in order, without what lies in a finding of the same detector."""
    kept: list[Finding] = []
    ends: dict[tuple[int, str], int] = {}
    for finding in sorted(found, key=Finding.place):
        place = (finding.text, finding.detector)
        if finding.offset >= ends.get(place, 0):
            ends[place] = finding.offset + finding.length
            kept.append(finding)
    return kept


def _places(text: str, form: TokenForm, absent: Sequence[str]) -> Iterator[tuple[int, int]]:
    for prefix in form.prefixes:
        # One character is looked for several times faster than a prefix.
        at = -1 if prefix[-1] in absent else text.find(prefix)
        while at >= 0:
            end = _end(text, at, form) if _starts_word(text, at, dashed=form.dashed) else None
            if end is not None:
                yield at, end
            at = text.find(prefix, end or at + 1)


def _starts_word(text: str, at: int, *, dashed: bool) -> bool:
    before = text[at - 1 : at]
    if not (before.isascii() and before.isalnum()) and before != "_" and not (dashed and before == "-"):
        return True
    return _ESCAPE_END.search(text[max(at - _LONGEST_ESCAPE, 0) : at]) is not None


def _end(text: str, at: int, form: TokenForm) -> int | None:
    match = form.form.match(text, at)
    return match.end() if match is not None and form.is_real(match["secret"]) else None
