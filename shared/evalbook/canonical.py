"""One text for equal JSON values: RFC 8785's member order and string escapes, numbers by their exact value.

RFC 8785 itself rounds numbers to doubles, which cannot tell large integers apart, so a number is spelt here as a plain
integer where it is whole and as digits with an exponent where it is not.
"""

import json
import re
from decimal import Context, Decimal
from hashlib import sha256
from typing import Final

from evalbook.jsonvalue import Json

# Enough digits for any literal that the strict reader lets through, so that nothing is ever rounded.
EXACT: Final = Context(prec=4_000, Emax=999_999, Emin=-999_999)

# A lone surrogate cannot occur in a text that was read, so no text can pass for a number.
_MARK = "\ud800"
_MARKED = re.compile(f'"{_MARK}([^"]*)"')
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


def canonical_json(value: Json) -> bytes:
    """Spell *value* canonically, in UTF-8; only equal values give equal bytes.

    Two values are equal when they have the same types, members and elements, and numbers of the same mathematical value.
    """
    text = _ENCODER.encode(value)
    if _ASTRAL.search(text):
        text = _UNSORTED.encode(_in_utf16_order(value))
    if _MARK in text:
        text = _MARKED.sub(r"\1", text)
    return text.encode()


def digest(value: Json) -> str:
    """Hash the canonical spelling of *value* with SHA-256; 64 hexadecimal digits."""
    return sha256(canonical_json(value)).hexdigest()


def exact(number: float | Decimal) -> Decimal:
    """The exact value of a JSON *number*."""
    return number if type(number) is Decimal else Decimal(number)


def spell_number(number: Decimal) -> str:
    """Spell *number* so that equal values have one spelling: '12', '-15E-1'."""
    if not number:
        return "0"
    sign, digits, exponent = number.normalize(EXACT).as_tuple()
    coefficient = "".join(map(str, digits))
    shown = coefficient + "0" * int(exponent) if int(exponent) >= 0 else f"{coefficient}E{exponent}"
    return f"-{shown}" if sign else shown


def _spell(value: object) -> str:
    if isinstance(value, Decimal):
        return _MARK + spell_number(value)
    raise TypeError(f"{type(value).__name__} is not JSON")


class _Encoder(json.JSONEncoder):
    """json's encoder, taught to spell a `Decimal`."""

    def default(self, value: object) -> str:
        return _spell(value)


_ENCODER = _Encoder(ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
_UNSORTED = _Encoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _in_utf16_order(value: Json) -> Json:
    if type(value) is dict:
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return {name: _in_utf16_order(value[name]) for name in names}
    if type(value) is list:
        return [_in_utf16_order(element) for element in value]
    return value
