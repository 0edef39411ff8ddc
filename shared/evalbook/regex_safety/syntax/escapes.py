"""Reads what follows a backslash."""

import unicodedata
from sys import maxunicode

import regex

from evalbook.regex_safety.syntax.reader import Reader
from evalbook.regex_safety.syntax.syntax import (
    Assertion,
    Atom,
    Atomic,
    BackReference,
    Choice,
    Edge,
    Part,
    Place,
    Sequence,
    Single,
    matcher,
)

IGNORE_CASE = int(regex.IGNORECASE)
_EDGES = {
    "A": Edge.TEXT_START,
    "Z": Edge.TEXT_END,
    "z": Edge.TEXT_END,
    "b": Edge.WORD,
    "B": Edge.NOT_WORD,
    "m": Edge.WORD_START,
    "M": Edge.WORD_END,
}
_CONTROLS = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_HEX_SIZES = {"x": 2, "u": 4, "U": 8}
_CATEGORIES = frozenset("dDhsSwWpP")
_ABBREVIATED_PROPERTIES = frozenset("CLMNPSZ")
_REFUSED = {
    "G": "\\G (where the search began) depends on the caller; leave it out",
    "K": "\\K (keep out what came before) has no place here; use a group or a look-behind",
    "L": "named lists have no place here; write the alternatives as (?:one|two)",
    "X": "\\X (a grapheme cluster) has no place here; match the characters that you expect",
}
_OCTAL = frozenset("01234567")
_OCTAL_SIZE = 3
_OCTAL_MASK = 0x1FF


def literal(place: Place, character: str, flags: int) -> Single:
    """Make the part that matches one given character under *flags*."""
    lower, upper = character.lower(), character.upper()
    ignored = flags & IGNORE_CASE
    cases = {ord(c) for c in (character, lower, upper) if len(c) == 1}
    return Single(place, Atom(regex.escape(character), ignored, character, tuple((c, c) for c in sorted(cases))))


def read_escape(reader: Reader, start: int, groups: "dict[str, int]", open_groups: "list[int]") -> Part:
    """Read the escape whose backslash stands at *start*, outside a character class."""
    character = reader.take_raw()
    if character in _REFUSED:
        raise reader.unsupported(start, _REFUSED[character])
    if character in _EDGES:
        return Assertion(Place(start, reader.position), _EDGES[character])
    if character == "R":
        return _line_ending(Place(start, reader.position))
    if character == "g":
        return _named_reference(reader, start, groups, open_groups)
    if character.isascii() and character.isdigit() and character != "0":
        return _numeric(reader, start, character, open_groups)
    return read_single(reader, start, character)


def read_single(reader: Reader, start: int, character: str) -> Single:
    """Read the escape of one character, of which the character after the backslash is taken already."""
    flags = reader.flags & IGNORE_CASE
    if character in _CATEGORIES:
        return _category(reader, start, character, flags)
    code = read_code_point(reader, start, character)
    if character in _CONTROLS:
        flags = 0
    return literal(Place(start, reader.position), chr(code), flags)


def read_code_point(reader: Reader, start: int, character: str) -> int:
    """Read the escape of one given character and give its code point."""
    if not character:
        raise reader.invalid(start, "the pattern ends in a backslash; write \\\\ for a backslash")
    if character in _HEX_SIZES:
        return _hexadecimal(reader, start, _HEX_SIZES[character])
    if character in _OCTAL:
        return _octal(reader, character)
    if character == "N":
        return _named(reader, start)
    if character in _CONTROLS:
        return ord(_CONTROLS[character])
    if character.isascii() and character.isalnum():
        raise reader.invalid(start, f"there is no escape \\{character}; leave the backslash out")
    return ord(character)


def _category(reader: Reader, start: int, character: str, flags: int) -> Single:
    if character in "pP" and not _take_property(reader):
        raise reader.unsupported(start, f"write \\{character}{{Name}} with the name of a Unicode property")
    source = reader.text[start : reader.position]
    try:
        matcher(source, flags)
    except regex.error:
        raise reader.invalid(start, "there is no such Unicode property") from None
    return Single(Place(start, reader.position), Atom(source, flags, None, ()))


def _take_property(reader: Reader) -> bool:
    if reader.position < len(reader.text) and reader.text[reader.position] in _ABBREVIATED_PROPERTIES:
        reader.position += 1
        return True
    if not reader.accept_raw("{"):
        return False
    end = reader.text.find("}", reader.position)
    name = reader.text[reader.position : end]
    reader.position = end + 1
    return end > 0 and name.isascii() and all(c.isalnum() or c in "^_-=:" for c in name)


def _hexadecimal(reader: Reader, start: int, size: int) -> int:
    digits = reader.text[reader.position : reader.position + size]
    reader.position += len(digits)
    if len(digits) < size or not all(digit in "0123456789abcdefABCDEF" for digit in digits):
        raise reader.invalid(start, f"this escape needs {size} hexadecimal digits")
    code = int(digits, 16)
    if code > maxunicode:
        raise reader.invalid(start, "there is no such character")
    return code


def _octal(reader: Reader, first: str) -> int:
    digits = first
    while len(digits) < _OCTAL_SIZE and reader.peek() and reader.peek() in _OCTAL:
        digits += reader.take()
    return int(digits, 8)


def _named(reader: Reader, start: int) -> int:
    end = reader.text.find("}", reader.position)
    if not reader.accept_raw("{") or end < 0:
        raise reader.unsupported(start, "write \\N{NAME} with the name of a character")
    name = reader.text[reader.position : end]
    reader.position = end + 1
    try:
        return ord(unicodedata.lookup(name))
    except (KeyError, TypeError):
        raise reader.invalid(start, "there is no character of this name") from None


def _line_ending(place: Place) -> Atomic:
    pair = Sequence(place, tuple(Single(place, Atom(regex.escape(c), 0, c, ((ord(c), ord(c)),))) for c in "\r\n"))
    ranges = ((0x0A, 0x0D), (0x85, 0x85), (0x2028, 0x2029))
    single = Single(place, Atom("[\\n\\v\\f\\r\\x85\\u2028\\u2029]", 0, None, ranges))
    return Atomic(place, Choice(place, (pair, single)))


def _named_reference(reader: Reader, start: int, groups: dict[str, int], open_groups: list[int]) -> BackReference:
    if not reader.accept_raw("<"):
        raise reader.unsupported(start, "write \\g<name> with the name or the number of a group")
    end = reader.text.find(">", reader.position)
    name = reader.text[reader.position : end] if end > 0 else ""
    reader.position = end + 1 if end > 0 else len(reader.text)
    return reference(reader, start, name, groups, open_groups)


def reference(reader: Reader, start: int, name: str, groups: dict[str, int], open_groups: list[int]) -> BackReference:
    """Make the reference to the group called *name*, or refuse it."""
    number = groups.get(name, int(name) if name.isascii() and name.isdigit() else 0)
    if number == 0 or number in open_groups:
        raise reader.invalid(start, "this refers to a group that is not closed before it")
    return BackReference(Place(start, reader.position), number, bool(reader.flags & IGNORE_CASE))


def _numeric(reader: Reader, start: int, digits: str, open_groups: list[int]) -> Part:
    after = reader.position
    if (second := reader.take()) and second in "0123456789":
        digits += second
        after = reader.position
        third = reader.take()
        if third and third in _OCTAL and all(digit in _OCTAL for digit in digits):
            code = int(digits + third, 8) & _OCTAL_MASK
            return literal(Place(start, reader.position), chr(code), reader.flags)
    reader.position = after
    return reference(reader, start, digits, {}, open_groups)
