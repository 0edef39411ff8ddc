r"""The ids that the content of brackets, or another form of citation, names: `a, b`, `1-3`, `2 and 4`.

Separators are commas and semicolons that are not escaped. An escape, a backslash before ASCII punctuation, stands for
the character after it (CommonMark 2.4). What was retrieved under the very text that stands there is that id.
"""

import re
from collections.abc import Container, Iterator
from typing import Final

MAX_RANGE: Final = 100
_PART: Final = re.compile(r"(?:\\.|[^,;\\]|\\$)+", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
_NUMBER: Final = "(?:0|[1-9][0-9]{0,17})"
# A hyphen, or what stands for one: non-breaking hyphens, dashes, the minus sign.
_RANGE: Final = re.compile(rf"({_NUMBER})(?: ?[-\u2010-\u2015\u2212] ?({_NUMBER}))?")
_AND: Final = re.compile("(?:^| )and ")


def ids_in(content: str, known: Container[str], *, ranges: bool = False) -> Iterator[str]:
    """Yield the ids that *content* names: all of it where that is a *known* id, else its parts.

    With *ranges* a part like `1-3` names every number from the first to the last, at most 100 of them, and a part like
    `2 and 4` both.
    """
    for part in parts_of(content, known):
        expanded = expansion(part, known) if ranges else None
        yield from [part] if expanded is None else expanded


def parts_of(content: str, known: Container[str]) -> Iterator[str]:
    """Yield the parts of *content* between separators, escapes resolved; those without a letter or digit are none."""
    whole = content.strip()
    for written in [whole] if _named(whole, known) in known else map(str.strip, _PART.findall(whole)):
        part = _named(written, known)
        if any(map(str.isalnum, part)) or part in known:
            yield part


def expansion(part: str, known: Container[str]) -> list[str] | None:
    """Return the ids that *part* names as a range or as numbers with `and` between; None where it is neither."""
    if not part[-1:].isdecimal() or part in known:
        return None
    words = _AND.split(" ".join(part.split()))
    found = [_RANGE.fullmatch(word) for word in words if word]
    if not found or (len(words) == 1 and found[0] is not None and found[0][2] is None):
        return None
    ids: list[str] = []
    for one in found:
        if one is None:
            return None
        first, last = int(one[1]), int(one[2] or one[1])
        if not first <= last < first + MAX_RANGE:
            return None
        ids += map(str, range(first, last + 1))
    return ids if len(ids) <= MAX_RANGE else None


def _named(written: str, known: Container[str]) -> str:
    return written if written in known else _ESCAPE.sub(r"\1", written)
