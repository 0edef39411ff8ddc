"""Reads a character class, `[...]`."""

import regex

from evalbook.regex_safety.syntax.escapes import read_code_point
from evalbook.regex_safety.syntax.reader import Reader
from evalbook.regex_safety.syntax.syntax import Atom, Place, Single, matcher

IGNORE_CASE = int(regex.IGNORECASE)
_CATEGORIES = frozenset("dDhsSwWpP")


def read_class(reader: Reader, start: int) -> Single:
    """Read the class whose opening bracket stands at *start* and is taken already."""
    reader.accept_raw("^")
    ranges = [_member(reader, start)]
    while not reader.accept_raw("]"):
        ranges.append(_member(reader, start))
    source = reader.text[start : reader.position]
    flags = reader.flags & IGNORE_CASE
    try:
        matcher(source, flags)
    except regex.error:
        raise reader.invalid(
            start, "this character class cannot be read; escape the brackets and hyphens in it"
        ) from None
    named = tuple(pair for pair in ranges if pair)
    atom = Atom(source, flags, None, _with_cases(named, flags), joins=_joins(source, ranges), price=_price(ranges))
    return Single(Place(start, reader.position), atom)


def _joins(source: str, ranges: list[tuple[int, int] | None]) -> bool:
    """Say whether the engine takes the class as a set: neither as one range nor as any character."""
    whole = any(f"\\{c}" in source and f"\\{c.upper()}" in source for c in "dsw")
    return not whole and (len(ranges) > 1 or ranges[0] is None or ranges[0][0] == ranges[0][1])


def _price(ranges: list[tuple[int, int] | None]) -> int:
    singles = sum(pair is not None and pair[0] == pair[1] for pair in ranges)
    members = len(ranges) - singles + min(1, singles)
    return 1 if len(ranges) == 1 else 2 + members


def _member(reader: Reader, start: int) -> tuple[int, int] | None:
    low = _item(reader, start)
    if low is None or not reader.text.startswith("-", reader.position) or reader.text.startswith("-]", reader.position):
        return None if low is None else (low, low)
    hyphen = reader.position
    reader.position += 1
    high = _item(reader, start)
    if high is None:
        reader.position = hyphen
        return (low, low)
    if high < low:
        raise reader.invalid(start, "this range runs backwards; write its lower end first")
    return (low, high)


def _item(reader: Reader, start: int) -> int | None:
    """Read one character and give its code point; nothing for an escape of several characters."""
    here = reader.position
    if reader.text.startswith("[:", here) and ":]" in reader.text[here:]:
        reader.position += 2
        raise reader.unsupported(here, "POSIX classes have no place here; write \\w, \\d, \\s or \\p{Name}")
    character = reader.take_raw()
    if not character:
        raise reader.invalid(start, "this character class is not closed; write ] at its end, or \\[ for a bracket")
    if character != "\\":
        return ord(character)
    escaped = reader.take_raw()
    if escaped in _CATEGORIES:
        _skip_property(reader, escaped)
        return None
    return read_code_point(reader, here, escaped)


def _skip_property(reader: Reader, escaped: str) -> None:
    if escaped not in "pP":
        return
    if reader.accept_raw("{"):
        end = reader.text.find("}", reader.position)
        reader.position = end + 1 if end > 0 else len(reader.text)
    else:
        reader.take_raw()


def _with_cases(ranges: tuple[tuple[int, int], ...], flags: int) -> tuple[tuple[int, int], ...]:
    if not flags:
        return ranges
    swapped = (tuple(chr(code).swapcase() for code in pair) for pair in ranges)
    return ranges + tuple((ord(a), ord(b)) for a, b in swapped if len(a) == 1 and len(b) == 1 and a <= b)
