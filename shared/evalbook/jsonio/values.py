"""JSON values as this package holds them, and how their kinds are called.

A number is an `int` or, where it was written with a fraction or an exponent, a `Decimal` with the digits as written. A
`float` never comes out of the strict reader, but is taken for its exact binary value where a caller passes one.
"""

from decimal import Decimal
from enum import Enum
from typing import Any, Final

import orjson
from pydantic_core import to_json

Json = Any
"""None, bool, int, Decimal, str, list or dict of those: mypy's recursive alias costs more than it finds here."""


class Absent(Enum):
    """The type of `ABSENT`, the one value that stands for 'not there' (null is a value)."""

    ABSENT = "absent"


ABSENT: Final = Absent.ABSENT

_KINDS = {
    type(None): "null",
    bool: "a boolean",
    int: "a number",
    float: "a number",
    Decimal: "a number",
    str: "a string",
    list: "an array",
    dict: "an object",
}


def encode_json(value: Json) -> bytes:
    """*value* as compact JSON in UTF-8, members in their own order; a `Decimal` becomes a text."""
    try:
        return orjson.dumps(value, str)
    except TypeError:
        # Integers beyond 64 bits, which the other library takes; it is three times slower.
        return to_json(value)


def kind_of(value: Json) -> str:
    """Name the JSON type of *value* with its article, as explanations do: 'a number', 'null'."""
    return _KINDS.get(type(value), "something that is not JSON")


def is_number(value: Json) -> bool:
    """Return whether *value* is a JSON number; true and false are not."""
    return type(value) in (int, Decimal, float)
