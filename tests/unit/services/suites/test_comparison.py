"""The difference of paired pass rates and its interval."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbook.services.suites.comparison import paired_difference

COUNT = st.integers(0, 60)


@pytest.mark.parametrize(
    ("counts", "interval"),
    [
        # Newcombe 1998, table II: examples of paired differences by method 10, as (e, f, g, h).
        ((36, 12, 2, 0), (0.0569, 0.3404)),
        ((20, 12, 2, 16), (0.0562, 0.3290)),
        ((0, 30, 0, 0), (0.8395, 1.0)),
    ],
)
def test_the_interval_is_that_of_newcombes_method_ten(counts, interval):
    both, better, worse, neither = counts

    _, low, high = paired_difference(both, better, worse, neither)

    assert (low, high) == pytest.approx(interval, abs=6e-4)


@given(COUNT, COUNT, COUNT, COUNT)
def test_exchanging_the_runs_turns_the_interval_around(both, better, worse, neither):
    found, turned = paired_difference(both, better, worse, neither), paired_difference(both, worse, better, neither)

    assert (found is None) == (turned is None)
    if found and turned:
        assert found == pytest.approx((-turned[0], -turned[2], -turned[1]))


@given(COUNT, COUNT, COUNT, COUNT)
def test_the_difference_lies_within_its_interval(both, better, worse, neither):
    found = paired_difference(both, better, worse, neither)

    if found:
        assert -1 <= found[1] <= found[0] <= found[2] <= 1


def test_without_a_case_there_is_no_difference():
    assert paired_difference(0, 0, 0, 0) is None
