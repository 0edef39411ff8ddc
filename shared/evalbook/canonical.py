"""One text for equal JSON values: RFC 8785's member order and string escapes, numbers by their exact value.

RFC 8785 itself rounds numbers to doubles, which cannot tell large integers apart, so a number is spelt here as a plain
integer where it is whole and as digits with an exponent where it is not.
"""

from decimal import Context, Decimal
from hashlib import sha256
from typing import Final

import orjson

from evalbook.jsonvalue import Json

# Enough digits for any literal that the strict reader lets through, so that nothing is ever rounded.
EXACT: Final = Context(prec=4_000, Emax=999_999, Emin=-999_999)

_ASTRAL_LEADS = (b"\xf0", b"\xf1", b"\xf2", b"\xf3", b"\xf4")
_MAX_NATIVE = 2**63


def canonical_json(value: Json) -> bytes:
    """Spell *value* canonically, in UTF-8; only equal values give equal bytes.

    Two values are equal when they have the same types, members and elements, and numbers of the same value. Numbers are
    int or Decimal, as the strict reader gives them.
    """
    try:
        text = orjson.dumps(value, _spell, orjson.OPT_SORT_KEYS)
    except TypeError:
        return orjson.dumps(_portable(value), _spell)
    # The library orders member names by code point, the RFC by UTF-16 unit: they differ beyond the basic plane only.
    if not text.isascii() and any(lead in text for lead in _ASTRAL_LEADS):
        return orjson.dumps(_portable(value), _spell)
    return text


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


def _spell(value: object) -> orjson.Fragment:
    if isinstance(value, Decimal):
        return orjson.Fragment(spell_number(value))
    raise TypeError(f"{type(value).__name__} is not JSON")


def _portable(value: Json) -> Json:
    """*value* with its members in the RFC's order and its large integers as the library takes them."""
    if type(value) is dict:
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return {name: _portable(value[name]) for name in names}
    if type(value) is list:
        return [_portable(element) for element in value]
    if type(value) is int and not -_MAX_NATIVE <= value < _MAX_NATIVE:
        return orjson.Fragment(str(value))
    return value
