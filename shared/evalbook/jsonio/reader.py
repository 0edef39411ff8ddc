"""Reading JSON strictly (RFC 8259, and stricter), and splitting a document that may not be strict.

Refused are repeated keys (compared after decoding), NaN and infinities, lone surrogates, number literals over 400
characters or with an exponent beyond ±400, and nesting deeper than the caller allows. Numbers with a fraction or an
exponent become `Decimal`, so no digit is lost. Messages name the place as a byte offset and quote nothing.
"""

import re
from collections.abc import Iterator
from typing import Final

import jiter

from evalbook.jsonio.values import Json

MAX_LITERAL_CHARS: Final = 400
MAX_EXPONENT: Final = 400
MAX_DEPTH: Final = 100
BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
"""What some programs write before a text in UTF-8; readers of whole texts take it off (RFC 8259, section 8.1)."""

# What a literal that breaks a limit looks like once digits and dots are zeros: only then are the numbers looked at.
_SHAPES = bytes.maketrans(b".123456789E+", b"0000000000e-")
_CONTAINERS = frozenset({dict, list})
_SUSPECT_SHAPES = (b"0e000", b"0e-000", b"0" * 190)
_FIT_NUMBERS = re.compile(
    rb"""(?:
        [^"\-0-9]++
      | "(?:[^"\\]++|\\.)*+"
      | (?=[-+0-9.eE]{1,%d}(?![-+0-9.eE]))
        -?+[0-9]++(?:\.[0-9]*+)?+(?:[eE][+-]?+0*+(?:%d|[1-3]?[0-9]{1,2})?+)?+(?![-+0-9.eE])
    )*+"""
    % (MAX_LITERAL_CHARS, MAX_EXPONENT),
    re.VERBOSE | re.DOTALL,
)
_PLACE = re.compile(r" at line (\d+) column (\d+)$")
_NOT_FINITE = re.compile(rb"-?(?:NaN|Infinity)")
_REASONS = (
    ("Detected duplicate key", "a key is repeated"),
    ("recursion limit", "it is nested too deeply"),
    ("number out of range", "a number is out of bounds"),
    ("Internal error", "a number is out of bounds"),  # an exponent that no Decimal holds
    ("invalid unicode", "a text is not valid UTF-8"),
    ("unexpected end of hex escape", "a text holds half of a surrogate pair"),
    ("lone leading surrogate", "a text holds half of a surrogate pair"),
)


class NotStrictJson(ValueError):
    """The text is not JSON as this package takes it; `reason` and `offset` (bytes) say why and where."""

    def __init__(self, reason: str, offset: int) -> None:
        super().__init__(f"{reason} (byte {offset})")
        self.reason = reason
        self.offset = offset


def read_json(text: bytes, *, max_depth: int = MAX_DEPTH, bounded: bool = True) -> Json:
    """Read one JSON value, its containers nested at most *max_depth* (below 190) deep.

    With *bounded* false, number literals may break their limits: for text that was spelt here from numbers that kept
    them, since a canonical spelling can be longer than the literal that was written.

    Raises:
        NotStrictJson: The text is not JSON or breaks one of the limits above.
    """
    try:
        value = jiter.from_json(
            text, allow_inf_nan=False, catch_duplicate_keys=True, float_mode="decimal", cache_mode="keys"
        )
    except ValueError as error:
        raise _explained(str(error), text) from None
    if bounded:
        _check_numbers(text)
    if not within_depth(value, max_depth):
        raise NotStrictJson("it is nested too deeply", 0)
    return value


def within_depth(value: Json, levels: int) -> bool:
    """Return whether the containers of *value* nest at most *levels* deep; a scalar needs none."""
    level = [value] if type(value) in _CONTAINERS else []
    for _ in range(levels):
        # Level by level, because a call for each container would take longer than all of the reading.
        level = [
            member
            for container in level
            for member in (container.values() if type(container) is dict else container)
            if type(member) in _CONTAINERS
        ]
    return not level


def _check_numbers(text: bytes) -> None:
    shapes = text.translate(_SHAPES)
    if not any(shape in shapes for shape in _SUSPECT_SHAPES):
        return
    fit = _FIT_NUMBERS.match(text)
    end = fit.end() if fit else 0
    if end != len(text):
        raise NotStrictJson("a number is out of bounds", end)


def _explained(message: str, text: bytes) -> NotStrictJson:
    """Translate the parser's *message*, which may quote a key, into one that quotes nothing."""
    place = _PLACE.search(message)
    offset = 0
    if place:
        line, column = int(place[1]), int(place[2])
        for _ in range(line - 1):
            offset = text.index(b"\n", offset) + 1
        offset += max(column - 1, 0)
    for beginning, reason in _REASONS:
        if message.startswith(beginning):
            return NotStrictJson(reason, offset)
    if any(found.end() > offset >= found.start() for found in _NOT_FINITE.finditer(text, max(offset - 3, 0))):
        return NotStrictJson("a number is NaN or infinite", offset)
    return NotStrictJson("it is not JSON", offset)


_SPACE = b" \t\r\n"
_TEXT = rb'"(?:[^"\\]++|\\.)*+"'
_KEY = re.compile(rb"(%s)[ \t\r\n]*+:" % _TEXT, re.DOTALL)
_NEXT_MARK = re.compile(rb'(?:[^"\[\]{},]++|%s)*+([\[\]{},"]|\Z)' % _TEXT, re.DOTALL)
_CLOSING = {b"{": b"}", b"[": b"]"}


def split_object(text: bytes) -> list[tuple[str, bytes]]:
    """Split the text of an object into its members' keys and texts, in order, whatever the members hold.

    Only brackets and quotes have to match: a member's own text may be anything but strict JSON, and keys may repeat.

    Raises:
        NotStrictJson: The text is no object, or its brackets and quotes do not match.
    """
    return [_key_and_value(part) for part in _split(text, b"{")]


def split_array(text: bytes) -> list[bytes]:
    """Split the text of an array into its elements' texts, whatever they hold.

    Raises:
        NotStrictJson: The text is no array, or its brackets and quotes do not match.
    """
    return list(_split(text, b"["))


def _key_and_value(part: bytes) -> tuple[str, bytes]:
    found = _KEY.match(part)
    if found is None:
        raise NotStrictJson("a member has no key or no value", 0)
    try:
        key = jiter.from_json(found[1])
    except ValueError:
        key = "\N{REPLACEMENT CHARACTER}"
    return key, part[found.end() :].strip(_SPACE)


def _split(text: bytes, opening: bytes) -> Iterator[bytes]:
    """Yield the stripped texts between the commas of the outermost container."""
    text = text.strip(_SPACE)
    if text[:1] != opening:
        raise NotStrictJson(f"it does not start with {opening.decode()}", 0)
    stack: list[bytes] = []
    start = 1
    for found in _NEXT_MARK.finditer(text):
        mark, place = found[1], found.start(1)
        if mark in _CLOSING:
            stack.append(_CLOSING[mark])
        elif mark == b",":
            if len(stack) == 1:
                yield _nonempty(text[start:place], place)
                start = place + 1
        elif not stack or stack.pop() != mark:
            raise NotStrictJson("brackets or quotes do not match", place)
        elif not stack:
            yield from _last_part(text[start:place], text[place + 1 :], place, first=start == 1)
            return


def _last_part(part: bytes, rest: bytes, place: int, *, first: bool) -> Iterator[bytes]:
    if rest:
        raise NotStrictJson("something follows the value", place + 1)
    if part.strip(_SPACE) or not first:
        yield _nonempty(part, place)


def _nonempty(part: bytes, place: int) -> bytes:
    part = part.strip(_SPACE)
    if not part:
        raise NotStrictJson("a value is missing", place)
    return part
