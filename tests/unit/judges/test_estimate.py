from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbook.budgets.calls import Basis, Charge
from evalbook.judges.estimate import Price, Usage, UsageReport, charge, exceeds_context, worst_case

PRICE = Price(input_rate=3_000_000, output_rate=15_000_000)
USAGE = Usage(100, 20)
AT_MOST = 9_999

rates = st.integers(0, 10**12)
counts = st.integers(0, 10**6)


def test_every_byte_of_the_request_may_be_a_token():
    body = "ä".encode() * 50

    assert worst_case(body, 10, PRICE) == 100 * 3 + 10 * 15


def test_an_estimate_is_bounded_by_the_models_context():
    assert worst_case(b"x" * 5_000, 2_000, PRICE, 1_000) == 1_000 * 3 + 1_000 * 15


@pytest.mark.parametrize(
    ("size", "context", "exceeds"), [(16_000, 1_000, False), (16_001, 1_000, True), (10**7, None, False)]
)
def test_a_request_exceeds_a_context_that_no_tokenizer_could_fit_it_in(size, context, exceeds):
    assert exceeds_context(b"x" * size, context) is exceeds


def test_a_part_of_a_micro_dollar_is_rounded_up_once():
    third = Price(333_333, 333_333)

    assert worst_case(b"x", 1, third) == 1
    assert worst_case(b"xx", 2, third) == 2


def test_a_free_model_costs_nothing():
    assert worst_case(b"x" * 1_000, 100, Price(0, 0)) == 0


@pytest.mark.parametrize("given", [(-1, 1), (1, -1)])
def test_a_rate_that_would_pay_for_a_call_is_refused(given):
    with pytest.raises(ValueError, match="rates"):
        Price(*given)


@given(rates, rates, counts, counts)
def test_no_usage_within_the_request_costs_more_than_its_estimate(inputs, outputs, size, reply):
    price = Price(inputs, outputs)

    estimate = worst_case(b"x" * min(size, 2_000), reply, price)
    charged = charge(estimate, price, UsageReport(Usage(min(size, 2_000), reply)))

    assert charged.amount <= estimate


@given(rates, counts, counts)
def test_an_estimate_is_less_than_a_micro_dollar_above_the_exact_amount(rate, size, reply):
    exact = Fraction((min(size, 2_000) + reply) * rate, 1_000_000)

    estimate = worst_case(b"x" * min(size, 2_000), reply, Price(rate, rate))

    assert exact <= estimate < exact + 1


def test_the_cost_that_the_gateway_states_is_charged():
    assert charge(AT_MOST, PRICE, UsageReport(USAGE, 124)) == Charge(124, Basis.STATED)


@pytest.mark.parametrize("stated", [None, 0])
def test_a_cost_that_is_not_stated_or_nothing_is_replaced_by_the_usage(stated):
    assert charge(AT_MOST, PRICE, UsageReport(USAGE, stated)) == Charge(100 * 3 + 20 * 15, Basis.USAGE)


def test_without_usage_the_estimate_is_charged_and_marked_as_such():
    assert charge(AT_MOST, PRICE, UsageReport()) == Charge(AT_MOST, Basis.ESTIMATE)


def test_a_charge_cannot_create_money():
    with pytest.raises(ValueError, match="negative"):
        Charge(-1, Basis.STATED)
