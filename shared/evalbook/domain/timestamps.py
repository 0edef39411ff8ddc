"""Points in time as RFC 3339 spells them, read without a clock and without loss to the nanosecond."""

import re
from datetime import date
from functools import lru_cache
from typing import Final

_RFC_3339: Final = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt ]"
    r"((?:[01][0-9]|2[0-3]):[0-5][0-9]):([0-5][0-9]|60)(?:\.([0-9]{1,30}))?"
    r"([Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
)
_EPOCH: Final = date(1970, 1, 1).toordinal()
_ZEROS: Final = "0" * 9
_SECOND: Final = 1_000_000_000


def nanoseconds(text: str) -> int | None:
    """Nanoseconds since the Unix epoch of an RFC 3339 date and time with its offset; None where *text* is none.

    Digits beyond the nanosecond are dropped; a leap second is the second after it.
    """
    found = _RFC_3339.fullmatch(text)
    if not found:
        return None
    day, minute, second, fraction, offset = found.groups()
    minutes = _minutes(day, minute, offset)
    if minutes is None:
        return None
    whole = (minutes * 60 + int(second)) * _SECOND
    return whole + int((fraction + _ZEROS)[: len(_ZEROS)]) if fraction else whole


@lru_cache(maxsize=256)
def _minutes(day: str, minute: str, offset: str) -> int | None:
    """Minutes from the epoch, None where the calendar has no such day; the spans of a trace share a few of them."""
    year, month, number = map(int, day.split("-"))
    try:
        days = date(year, month, number).toordinal() - _EPOCH
    except ValueError:
        return None
    ahead = 0 if offset in "Zz" else int(offset[0] + "1") * _of_day(offset[1:])
    return days * 1_440 + _of_day(minute) - ahead


def _of_day(minute: str) -> int:
    return int(minute[:2]) * 60 + int(minute[3:])
