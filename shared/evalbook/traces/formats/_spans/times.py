"""Times by field and dialect: never by size, and never in a zone that the dialect does not name."""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Final

from evalbook.domain.timestamps import nanoseconds
from evalbook.jsonio.canonical import exact
from evalbook.jsonio.values import Json

_DIGITS: Final = re.compile(r"[0-9]{1,25}")
_ORDERED: Final = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})T([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{6})Z.*")
_OFFSET: Final = re.compile(r".*(?:[Zz]|[+-][0-9]{2}:?[0-9]{2})")
_SECOND: Final = 1_000_000_000
_MICROSECOND: Final = 1_000
_NANO_FIELDS: Final = {
    "start": ("startTimeUnixNano", "start_time_unix_nano", "start_time", "startTime"),
    "end": ("endTimeUnixNano", "end_time_unix_nano", "end_time", "endTime"),
}
_UNITLESS: Final = frozenset({"startTime", "endTime"})

Times = tuple[Json, Json, bool]
"""Start, end, and whether they could be read."""


def span_times(span: Mapping[str, Json]) -> Times:
    """The times of an OpenTelemetry span in any exporter's form.

    Nanoseconds as a number or digits, an RFC 3339 text, `[seconds, nanoseconds]`, or a `timestamp` and `duration` in
    microseconds, as the console exporter of JavaScript prints them.
    """
    if "duration" in span and "timestamp" in span and "startTime" not in span:
        start, length = span["timestamp"], span["duration"]
        if type(start) is int and type(length) is int:
            return start * _MICROSECOND, (start + length) * _MICROSECOND, True
        return None, None, False
    start, end = (_named(span, names) for names in _NANO_FIELDS.values())
    return read_times(start and _nanos(*start), end and _nanos(*end))


def read_times(start: Json, end: Json) -> Times:
    """*start* and *end*, each read, None where it is not there, or False where it cannot be read."""
    if start in (None, False) or end is False:
        return None, None, False
    return start, end, True


def _named(span: Mapping[str, Json], names: tuple[str, ...]) -> tuple[str, Json] | None:
    return next(((name, span[name]) for name in names if span.get(name) is not None), None)


def _nanos(name: str, value: Json) -> Json:
    if type(value) is str and _DIGITS.fullmatch(value) and name not in _UNITLESS:
        value = int(value)
    if type(value) is int:
        # A plain number under the exporters' camel-case name has no unit that they agree on.
        return False if name in _UNITLESS else value or None
    return zoned(value) if type(value) is str else _pair(value)


def _pair(value: Json) -> Json:
    if type(value) is list and len(value) == 2 and all(type(one) is int for one in value):  # noqa: PLR2004
        return value[0] * _SECOND + value[1] or None
    return False


def zoned(value: Json, *, utc: bool = False) -> Json:
    """An RFC 3339 text; one without an offset is read as UTC where the dialect says so, else it cannot be read."""
    if value is None:
        return None
    if type(value) is not str:
        return False
    text = f"{value}Z" if utc and not _OFFSET.fullmatch(value) else value
    return text if nanoseconds(text) is not None else False


def seconds(value: Json) -> Json:
    """Seconds since the epoch, with a fraction, as whole nanoseconds."""
    if value is None:
        return None
    if type(value) not in (int, float, Decimal):
        return False
    number = exact(value)
    return int(number * _SECOND) if number.is_finite() else False


def stamp_of(order: Json) -> Json:
    """The start that LangSmith's `dotted_order` ends in, which is UTC to the microsecond."""
    found = _ORDERED.fullmatch(order.rsplit(".", 1)[-1]) if type(order) is str else None
    if found is None:
        return None
    year, month, day, hour, minute, second, fraction = found.groups()
    return zoned(f"{year}-{month}-{day}T{hour}:{minute}:{second}.{fraction}Z") or None


def ordinal(time: Json) -> int:
    """A time as nanoseconds, to order spans by; -1 where there is none."""
    if type(time) is str:
        found = nanoseconds(time)
        return -1 if found is None else found
    return time if type(time) is int else -1
