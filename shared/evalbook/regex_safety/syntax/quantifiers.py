"""Reads quantifiers: `?`, `*`, `+` and counts in braces."""

import re

from evalbook.regex_safety.syntax.reader import DIGITS, Reader

_SIGNS: dict[str, tuple[int, int | None]] = {"?": (0, 1), "*": (0, None), "+": (1, None)}
_FUZZY = re.compile(r"\{\s*(?:[deis]|\d[\d\s]*[<dis])")
_MAX_COUNT = 1_000_000


def read_quantifier(reader: Reader, start: int, character: str) -> tuple[int, int | None] | None:
    """Read the quantifier that begins with the taken *character*.

    Gives its bounds, None for no upper one; nothing if it is no quantifier.
    """
    if character != "{":
        return _SIGNS.get(character)
    bounds = _counts(reader)
    if bounds is None:
        reader.position = start + 1
        _refuse_fuzzy(reader, start)
        return None
    low, high = bounds
    if high is not None and low > high:
        raise reader.invalid(start, "the lower count is above the upper one; write them the other way round")
    if low > _MAX_COUNT or (high or 0) > _MAX_COUNT:
        raise reader.invalid(start, f"a count may be {_MAX_COUNT} at most")
    return bounds


def _counts(reader: Reader) -> tuple[int, int | None] | None:
    low = _count(reader)
    if not reader.accept(","):
        return (int(low), int(low)) if low and reader.accept("}") else None
    high = _count(reader)
    return (int(low or 0), int(high) if high else None) if reader.accept("}") else None


def _count(reader: Reader) -> str:
    start = reader.position
    digits = reader.take_while(DIGITS.__contains__)
    if len(digits) > len(str(_MAX_COUNT)):
        raise reader.invalid(start, f"a count may be {_MAX_COUNT} at most")
    return digits


def _refuse_fuzzy(reader: Reader, start: int) -> None:
    if _FUZZY.match(reader.text, start):
        raise reader.unsupported(start, "fuzzy matching has no place here; write \\{ for a brace")
