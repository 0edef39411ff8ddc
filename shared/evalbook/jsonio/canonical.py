"""One text for equal JSON values: RFC 8785's member order and string escapes, numbers by their exact value.

RFC 8785 itself rounds numbers to doubles, which cannot tell large integers apart, so a number is spelt here as a plain
integer where it is whole and below 1e21 (as there), and otherwise as an integer that ends in no zero, with exponent. So
a spelling is never much longer than the literal that was written: 1e400 stays 1E400.
"""

from collections.abc import Callable
from decimal import Context, Decimal
from hashlib import sha256
from typing import Final

import orjson

from evalbook.jsonio.values import Json

# Enough digits for any literal that the strict reader lets through, so that nothing is ever rounded.
EXACT: Final = Context(prec=4_000, Emax=999_999, Emin=-999_999)

_ASTRAL_LEADS = (b"\xf0", b"\xf1", b"\xf2", b"\xf3", b"\xf4")
_MAX_NATIVE = 2**63
_MAX_PLAIN_DIGITS = 21


def canonical_json(value: Json) -> bytes:
    """Spell *value* canonically, in UTF-8; only equal values give equal bytes.

    Two values are equal when they have the same types, members and elements, and numbers of the same value. Numbers are
    int or Decimal, as the strict reader gives them.
    """
    try:
        text = orjson.dumps(value, _spell, orjson.OPT_SORT_KEYS)
    except TypeError:
        return orjson.dumps(_native(_ordered(value), _spell_integer), _spell)
    # The library orders member names by code point, the RFC by UTF-16 unit: they differ beyond the basic plane only.
    if not text.isascii() and any(lead in text for lead in _ASTRAL_LEADS):
        return orjson.dumps(_native(_ordered(value), _spell_integer), _spell)
    return text


def plain_json(value: Json) -> bytes:
    """Spell *value* as it stands, in UTF-8: members in their order, numbers with the digits they were written with."""
    try:
        return orjson.dumps(value, _as_written)
    except TypeError:
        return orjson.dumps(_native(value, str), _as_written)


def digest(value: Json) -> str:
    """Hash the canonical spelling of *value* with SHA-256; 64 hexadecimal digits."""
    return sha256(canonical_json(value)).hexdigest()


def exact(number: float | Decimal) -> Decimal:
    """Return the exact value of a JSON *number*."""
    return number if type(number) is Decimal else Decimal(number)


def spell_number(number: Decimal) -> str:
    """Spell *number* so that equal values have one spelling: '12', '-15E-1', '1E400'."""
    if not number:
        return "0"
    sign, digits, exponent = number.normalize(EXACT).as_tuple()
    coefficient, zeros = "".join(map(str, digits)), int(exponent)
    if zeros and (zeros < 0 or len(digits) + zeros > _MAX_PLAIN_DIGITS):
        coefficient += f"E{zeros}"
    else:
        coefficient += "0" * zeros
    return f"-{coefficient}" if sign else coefficient


def _spell(value: object) -> orjson.Fragment:
    if isinstance(value, Decimal):
        return orjson.Fragment(spell_number(value))
    raise TypeError(f"{type(value).__name__} is not JSON")


def _as_written(value: object) -> orjson.Fragment:
    if isinstance(value, Decimal):
        return orjson.Fragment(str(value))
    raise TypeError(f"{type(value).__name__} is not JSON")


def _ordered(value: Json) -> Json:
    """*value* with its members in the RFC's order, by UTF-16 unit."""
    if type(value) is dict:
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return {name: _ordered(value[name]) for name in names}
    return [_ordered(element) for element in value] if type(value) is list else value


def _spell_integer(number: int) -> str:
    return spell_number(Decimal(number))


def _native(value: Json, spell: Callable[[int], str]) -> Json:
    """*value* with its large integers as the library takes them."""
    if type(value) is dict:
        return {name: _native(member, spell) for name, member in value.items()}
    if type(value) is list:
        return [_native(element, spell) for element in value]
    if type(value) is int and not -_MAX_NATIVE <= value < _MAX_NATIVE:
        return orjson.Fragment(spell(value))
    return value
