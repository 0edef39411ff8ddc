from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbook.budgets.calls import Basis
from evalbook.domain.errors import Refused
from evalbook.judges.estimate import Charge, ModelPrice, TokenUsage, charge, read_usage, worst_case

PRICE = ModelPrice(input=3_000_000, output=15_000_000)
USAGE = TokenUsage(input=100, output=20)
AT_MOST = 9_999

rates = st.decimals(0, 10**9, places=6) | st.integers(0, 10**9)
counts = st.integers(0, 10**6)


def test_every_byte_of_the_request_may_be_a_token():
    body = "ä".encode() * 50

    assert worst_case(body, 10, PRICE) == 100 * 3 + 10 * 15


def test_a_part_of_a_micro_dollar_is_rounded_up_once():
    third = ModelPrice(Decimal("333333.3"), Decimal("333333.3"))

    assert worst_case(b"x", 1, third) == 1
    assert worst_case(b"xx", 2, third) == 2


def test_a_model_without_a_price_is_refused():
    with pytest.raises(Refused) as refused:
        worst_case(b"x", 10, None)

    assert [problem.pointer for problem in refused.value.problems] == ["/model"]


def test_a_free_model_costs_nothing():
    assert worst_case(b"x" * 1_000, 100, ModelPrice(0, 0)) == 0


def test_the_highest_rate_of_each_kind_is_the_price():
    assert ModelPrice.highest([3, 6, Decimal("3.75")], [15, 22]) == ModelPrice(6, 22)


@pytest.mark.parametrize("rate", [-1, Decimal("NaN"), Decimal("Infinity")])
def test_a_rate_that_is_no_price_is_refused(rate):
    with pytest.raises(ValueError, match="rates"):
        ModelPrice(rate, 1)


@given(rates, rates, counts, counts)
def test_no_usage_within_the_request_costs_more_than_its_estimate(inputs, outputs, size, reply):
    price = ModelPrice(inputs, outputs)

    estimate = worst_case(b"x" * min(size, 2_000), reply, price)
    charged = charge(estimate, price, TokenUsage(min(size, 2_000), reply), None)

    assert charged.amount <= estimate


@given(rates, counts, counts)
def test_an_estimate_is_never_below_the_exact_amount(rate, size, reply):
    exact = (Decimal(min(size, 2_000)) + reply) * rate / 1_000_000

    estimate = worst_case(b"x" * min(size, 2_000), reply, ModelPrice(rate, rate))

    assert exact <= estimate < exact + 1


def test_the_cost_that_the_gateway_states_is_charged():
    assert charge(AT_MOST, PRICE, USAGE, Decimal("0.0001234")) == Charge(124, Basis.STATED)


@pytest.mark.parametrize("stated", [None, Decimal(0), Decimal(-1), Decimal("NaN"), Decimal("Infinity")])
def test_a_cost_that_cannot_be_is_replaced_by_the_usage(stated):
    assert charge(AT_MOST, PRICE, USAGE, stated) == Charge(100 * 3 + 20 * 15, Basis.USAGE)


def test_without_usage_the_estimate_is_charged_and_marked_as_such():
    assert charge(AT_MOST, PRICE, None, None) == Charge(AT_MOST, Basis.ESTIMATE)


@pytest.mark.parametrize(
    ("usage", "billed"),
    [
        (TokenUsage(100, 50), 50),
        (TokenUsage(100, 50, reasoning=40, total=150), 50),
        (TokenUsage(100, 10, reasoning=40, total=150), 50),
        (TokenUsage(100, 10, reasoning=5, total=115), 15),
        (TokenUsage(100, 50, reasoning=40), 90),
        (TokenUsage(100, 10, reasoning=40, total=110), 50),
        (TokenUsage(100, 50, reasoning=0, total=20), 50),
    ],
)
def test_reasoning_is_billed_wherever_the_gateway_counts_it(usage, billed):
    assert usage.billed_output == billed


def test_usage_is_read_from_a_completion():
    usage = {
        "prompt_tokens": 100,
        "completion_tokens": 50,
        "total_tokens": 150,
        "completion_tokens_details": {"reasoning_tokens": 40},
    }

    assert read_usage(usage) == TokenUsage(100, 50, 40, 150)


@pytest.mark.parametrize(
    "usage",
    [
        None,
        [],
        {},
        {"prompt_tokens": 1},
        {"completion_tokens": 1},
        {"prompt_tokens": 0, "completion_tokens": 0},
        {"prompt_tokens": True, "completion_tokens": 1},
        {"prompt_tokens": 1, "completion_tokens": -1},
        {"prompt_tokens": Decimal("1.5"), "completion_tokens": 1},
        {"prompt_tokens": "1", "completion_tokens": 1},
    ],
)
def test_usage_that_says_nothing_is_none(usage):
    assert read_usage(usage) is None


@pytest.mark.parametrize("details", [None, [], {}, {"reasoning_tokens": None}, {"reasoning_tokens": -1}])
def test_usage_without_reasoning_is_usage(details):
    usage = {"prompt_tokens": 1, "completion_tokens": 2, "completion_tokens_details": details}

    assert read_usage(usage) == TokenUsage(1, 2)
