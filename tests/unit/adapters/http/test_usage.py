"""Reading usage and cost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbook.adapters.http.usage import read_bill
from evalbook.services.judging.gateway import TokenUsage, UsageReport


def usage(**members):
    return read_bill({"usage": {"prompt_tokens": 10, "completion_tokens": 5, **members}}, {})


def test_tokens_are_read():
    assert usage() == UsageReport(TokenUsage(10, 5))


def test_details_are_read():
    bill = usage(
        completion_tokens_details={"reasoning_tokens": 3}, prompt_tokens_details={"cached_tokens": 8}, total_tokens=15
    )

    assert bill.usage == TokenUsage(10, 5, reasoning_tokens=3, cached_tokens=8)


@pytest.mark.parametrize(("reasoning", "total"), [(7, None), (3, 18)])
def test_reasoning_outside_the_completion_counts_as_output(reasoning, total):
    bill = usage(completion_tokens_details={"reasoning_tokens": reasoning}, total_tokens=total)

    assert bill.usage == TokenUsage(10, 5 + reasoning, reasoning_tokens=reasoning)


@pytest.mark.parametrize("members", [{"prompt_tokens": None}, {"completion_tokens": -1}, {"prompt_tokens": True},
                                     {"prompt_tokens": "10"}, {"completion_tokens": 1.5}])  # fmt: skip
def test_malformed_tokens_are_no_usage(members):
    assert usage(**members).usage is None


def test_a_cost_in_dollars_becomes_micro_dollars_rounded_up():
    assert usage(cost=0.0000071).cost == 8


def test_a_cost_of_whole_micro_dollars_is_kept_exactly():
    assert usage(cost=0.000123).cost == 123


def test_a_cost_is_taken_from_litellms_header():
    bill = read_bill({}, {"x-litellm-response-cost": "4.9999999999999996e-05"})

    assert bill == UsageReport(None, 50)


def test_the_bodys_cost_comes_before_the_headers():
    bill = read_bill({"usage": {"cost": 0.000001}}, {"x-litellm-response-cost": "1"})

    assert bill.cost == 1


@pytest.mark.parametrize(
    "cost", [-1, "NaN", "Infinity", "1e9999999999999999999", "free", True, [], 10**9, float("inf")]
)
def test_a_cost_that_cannot_be_is_not_stated(cost):
    assert usage(cost=cost).cost is None


@given(st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.just([]), st.text())
def test_whatever_is_stated_is_read_or_left_out(value, header):
    bill = read_bill({"usage": {"prompt_tokens": value, "completion_tokens": value, "cost": value}},
                     {"x-litellm-response-cost": header})  # fmt: skip

    assert bill.cost is None or bill.cost >= 0
