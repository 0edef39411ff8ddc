"""Tests of reading RFC 3339 times."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbook.domain.timestamps import nanoseconds

SECOND = 1_000_000_000


def test_the_epoch_is_zero():
    assert nanoseconds("1970-01-01T00:00:00Z") == 0


def test_a_nanosecond_is_kept():
    assert nanoseconds("1970-01-01T00:00:00.000000001Z") == 1


def test_a_short_fraction_counts_from_its_left():
    assert nanoseconds("1970-01-01T00:00:01.5Z") == SECOND + SECOND // 2


def test_digits_beyond_the_nanosecond_are_dropped():
    assert nanoseconds("1970-01-01T00:00:00.0000000019Z") == 1


def test_an_offset_moves_the_time():
    assert nanoseconds("1970-01-01T02:00:00+02:00") == 0
    assert nanoseconds("1969-12-31T18:30:00-05:30") == 0


def test_a_leap_second_is_the_second_after_it():
    assert nanoseconds("2016-12-31T23:59:60Z") == nanoseconds("2017-01-01T00:00:00Z")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026-01-01",
        "2026-01-01T00:00:00",
        "2026-01-01T00:00Z",
        "2026-02-30T00:00:00Z",
        "2026-13-01T00:00:00Z",
        "0000-01-01T00:00:00Z",
        "2026-01-01T24:00:00Z",
        "2026-01-01T00:60:00Z",
        "2026-01-01T00:00:61Z",
        "2026-01-01T00:00:00.Z",
        "2026-01-01T00:00:00+2:00",
        "2026-01-01T00:00:00+24:00",
        "2026-01-01T00:00:00Z ",
        "٢026-01-01T00:00:00Z",
    ],
)
def test_what_is_no_time_with_an_offset_is_none(text):
    assert nanoseconds(text) is None


@given(st.datetimes(), st.integers(-23 * 60, 23 * 60))
def test_it_agrees_with_the_standard_library(moment, offset):
    moment = moment.replace(tzinfo=timezone(timedelta(minutes=offset)))
    since = moment - datetime(1970, 1, 1, tzinfo=UTC)

    read = nanoseconds(moment.isoformat())

    assert read == (since.days * 86_400 + since.seconds) * SECOND + since.microseconds * 1_000
