"""Numbers as texts state them: grouped and with the decimal mark that the version declares; nothing is guessed."""

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from evalbook.jsonio.canonical import EXACT
from evalbook.jsonio.reader import MAX_EXPONENT, MAX_LITERAL_CHARS

_CURRENCY: Final = "$\u00a2-\u00a5\u20a0-\u20cf"
_MINUS: Final = "-\u2212"
_SIGN: Final = rf"+\{_MINUS}"
_HUNDREDTH: Final = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Notation:
    """How numbers are written: the mark between groups of three digits, the decimal mark, what % means."""

    thousands: str
    decimal: str
    percent_as_fraction: bool


class NumberReader:
    """Reads the numbers that texts state.

    A number stands on its own or before a unit (`5kg`), never inside a word (`H2O`). It may have a sign, a sign of
    currency before its digits, an exponent and a percent sign. Digits that are not grouped as declared are no number.
    """

    def __init__(self, notation: Notation) -> None:
        marks, decimal = re.escape(notation.thousands + notation.decimal), re.escape(notation.decimal)
        self._notation = notation
        self._shape = re.compile(
            # A word is passed over with the digits in it, those after a mark too: `v1.2.3`.
            rf"[^\W\d]\w*(?:[{marks}][0-9]\w*)*"
            rf"|(?:(?<!\w)(?P<sign>[{_SIGN}]))?(?:[{_CURRENCY}][ \u00a0]?(?P<inner>[{_SIGN}])?)?"
            rf"(?P<digits>(?:(?<![\w{marks}]){decimal})?(?<!\w)[0-9]+(?:[{marks}][0-9]+)*)"
            r"(?P<exponent>[eE][+-]?[0-9]+(?!\w))?(?P<percent>[ \u00a0]?%)?"
        )
        self._form = re.compile(
            rf"(?P<whole>[0-9]+|[1-9][0-9]{{0,2}}(?:{re.escape(notation.thousands)}[0-9]{{3}})+)?"
            rf"(?:{decimal}(?P<part>[0-9]+))?"
        )

    def all_in(self, text: str) -> list[Decimal]:
        """Return the numbers that *text* states, from left to right."""
        return [number for found in self._shape.finditer(text) if (number := self._number(found)) is not None]

    def whole(self, text: str) -> Decimal | None:
        """Return the number that *text* is, white space around it left out; None where it is something else."""
        found = self._shape.fullmatch(text.strip())
        return None if found is None else self._number(found)

    def _number(self, found: "re.Match[str]") -> Decimal | None:
        digits = self._form.fullmatch(found["digits"] or "-")
        exponent = found["exponent"] or ""
        if digits is None or (found["sign"] and found["inner"]):
            return None
        if len(found["digits"]) > MAX_LITERAL_CHARS or abs(int(exponent[1:][:9] or 0)) > MAX_EXPONENT:
            return None
        whole = (digits["whole"] or "0").replace(self._notation.thousands, "")
        minus = (found["sign"] or found["inner"] or "+") in _MINUS
        fraction = f".{digits['part']}" if digits["part"] else ""
        number = Decimal(f"{'-' if minus else ''}{whole}{fraction}{exponent}")
        as_fraction = found["percent"] and self._notation.percent_as_fraction
        return EXACT.multiply(number, _HUNDREDTH) if as_fraction else number
