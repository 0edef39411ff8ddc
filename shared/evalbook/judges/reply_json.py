"""The strict reading of a reply's text as one JSON object (RFC 8259, with bounds)."""

import json
import math
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final

from evalbook.domain.errors import EvalBookError
from evalbook.domain.outcome import Code
from evalbook.jsonio.values import Json

MAX_DEPTH: Final = 8
_MAX_DIGITS: Final = 4_300
_SPACE: Final = " \t\r\n"

# What is said where several apply: what is no JSON at all comes before what only breaks a bound.
_ORDER: Final = (
    Code.REPLY_NON_FINITE_NUMBER,
    Code.REPLY_NUMBER_OUT_OF_RANGE,
    Code.REPLY_TOO_DEEP,
    Code.REPLY_LONE_SURROGATE,
    Code.REPLY_NOT_AN_OBJECT,
    Code.REPLY_DUPLICATE_KEY,
)


class ReplyUnusable(EvalBookError):
    """A reply breaks the contract; `field` is the fixed or declared field that does, or empty."""

    def __init__(self, code: Code, field_name: str = "") -> None:
        super().__init__(f"{field_name}: {code.meaning}" if field_name else code.meaning)
        self.code = code
        self.field = field_name


def read_object(text: str) -> dict[str, Json]:
    """Read *text* as one JSON object with nothing but space, tab, CR and LF around it, or raise `ReplyUnusable`.

    Numbers keep the digits as written: an int, or a Decimal where there is a fraction or an exponent.
    """
    if not text.strip(_SPACE):
        raise ReplyUnusable(Code.REPLY_EMPTY)
    hooks = _Hooks()
    try:
        value = json.loads(
            text,
            object_pairs_hook=hooks.members,
            parse_int=hooks.integer,
            parse_float=hooks.fraction,
            parse_constant=hooks.constant,
        )
    except RecursionError as error:
        raise ReplyUnusable(Code.REPLY_TOO_DEEP) from error
    except ValueError:
        # Not chained: the decoder's error carries the whole text.
        raise ReplyUnusable(Code.REPLY_NOT_JSON) from None
    faults = hooks.faults | _faults(value)
    for code in _ORDER:
        if code in faults:
            raise ReplyUnusable(code)
    assert isinstance(value, dict)
    return value


@dataclass(slots=True)
class _Hooks:
    """Takes the parts of a JSON text as the decoder finds them and notes what is wrong with each."""

    faults: set[Code] = field(default_factory=set)

    def members(self, pairs: list[tuple[str, Any]]) -> dict[str, Json]:
        members = dict(pairs)
        if len(members) < len(pairs):
            self.faults.add(Code.REPLY_DUPLICATE_KEY)
        return members

    def integer(self, literal: str) -> int:
        return int(literal) if self._readable(literal) else 0

    def fraction(self, literal: str) -> Decimal:
        if not math.isfinite(float(literal)):
            self.faults.add(Code.REPLY_NON_FINITE_NUMBER)
            return Decimal(0)
        return Decimal(literal) if self._readable(literal) else Decimal(0)

    def constant(self, _: str) -> None:
        self.faults.add(Code.REPLY_NON_FINITE_NUMBER)

    def _readable(self, literal: str) -> bool:
        exponent = literal.lower().partition("e")[2] or "0"
        readable = len(literal) <= _MAX_DIGITS and abs(int(exponent)) <= _MAX_DIGITS
        if not readable:
            self.faults.add(Code.REPLY_NUMBER_OUT_OF_RANGE)
        return readable


def _faults(root: Json) -> set[Code]:
    """Walk *root* without recursion, whose depth the sender chooses."""
    faults = set() if isinstance(root, dict) else {Code.REPLY_NOT_AN_OBJECT}
    waiting: list[tuple[Json, int]] = [(root, 0)]
    while waiting:
        value, depth = waiting.pop()
        if isinstance(value, str) and not _encodable(value):
            faults.add(Code.REPLY_LONE_SURROGATE)
        if isinstance(value, dict | list):
            if depth == MAX_DEPTH:
                faults.add(Code.REPLY_TOO_DEEP)
            waiting += [(item, depth + 1) for item in value]
            waiting += [(item, depth + 1) for item in value.values()] if isinstance(value, dict) else []
    return faults


def _encodable(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)
