"""How long to wait before sending again."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbook.adapters.http.backoff import Backoff, retry_after

NOW = 1_800_000_000.0


def date(seconds):
    return format_datetime(datetime.fromtimestamp(NOW, UTC) + timedelta(seconds=seconds), usegmt=True)


def pace(draw):
    return Backoff(lambda: NOW, lambda _: None, lambda: draw)


def test_seconds_are_taken_as_they_are():
    assert retry_after({"retry-after": "17"}, NOW) == 17


def test_a_date_is_compared_with_the_answers_own_date():
    headers = {"retry-after": date(5_030), "date": date(5_000)}

    assert retry_after(headers, NOW) == 30


def test_a_date_without_the_answers_date_is_compared_with_the_clock():
    assert retry_after({"retry-after": date(12)}, NOW) == 12


def test_a_date_that_has_passed_asks_for_no_wait():
    assert retry_after({"retry-after": date(-100)}, NOW) == 0


@pytest.mark.parametrize("value", ["", "soon", "-1", "1.5", "٣", "Thu, 99 Foo 2026"])
def test_what_is_neither_seconds_nor_a_date_asks_for_nothing(value):
    assert retry_after({"retry-after": value}, NOW) is None


@given(st.text())
def test_no_value_is_too_strange_to_be_read(value):
    seconds = retry_after({"retry-after": value, "date": value}, NOW)

    assert seconds is None or seconds >= 0


def test_jitter_is_drawn_from_the_whole_of_a_doubling_range():
    waits = [pace(0.999).seconds(failures, {}) for failures in (1, 2, 3, 4)]

    assert waits == pytest.approx([1, 2, 4, 8], rel=0.01)


def test_no_jitter_is_above_twenty_seconds():
    assert pace(0.999).seconds(1_000, {}) < 20


def test_more_than_a_minute_is_not_granted():
    assert pace(0).seconds(1, {"retry-after": "3600"}) == 60


def test_what_is_asked_for_is_never_cut_short():
    assert 10 <= pace(0.999).seconds(9, {"retry-after": "10"}) <= 11
