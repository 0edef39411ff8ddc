"""When a budget refuses, for how long, and when that is final."""

from dataclasses import replace

import pytest

from evalbook.budgets.calls import (
    Settled,
)
from evalbook.budgets.model import BudgetClosed, BudgetExhausted, BudgetUnknown, MightFreeUp
from evalbook.budgets.reservations import Admitted
from tests.unit.budgets.ledgers import HOLD, KEY, Bench, cost


@pytest.fixture
def bench():
    return Bench()


def test_a_call_in_doubt_frees_nothing(bench):
    for name in ("a", "b", "c"):
        bench.ledger.doubt(bench.sent(name))

    assert bench.ledger.reserve(bench.order("d")) == BudgetExhausted()


def test_money_that_came_back_is_seen_at_once_by_the_worker_that_gave_it_back(bench):
    claims = bench.reserved("a", "b", "c")
    bench.ledger.reserve(bench.order("d"))

    bench.ledger.release(claims[0])

    assert isinstance(bench.ledger.reserve(bench.order("d")), Admitted)


def test_a_refusal_is_remembered_for_a_while(bench):
    claims = bench.reserved("a", "b", "c")
    bench.ledger.reserve(bench.order("d"))
    bench.worker().release(claims[0])
    asked = []
    bench.store.before_commit = lambda: asked.append("the store")

    assert isinstance(bench.ledger.reserve(bench.order("d")), MightFreeUp)
    assert not asked
    bench.clock.now += HOLD
    assert isinstance(bench.ledger.reserve(bench.order("d")), Admitted)


def test_a_smaller_order_is_asked_for_in_spite_of_a_remembered_refusal(bench):
    bench.reserved("a", "b", "c")
    bench.ledger.reserve(bench.order("d"))

    assert isinstance(bench.ledger.reserve(bench.order(("e", 10))), Admitted)


def test_an_answered_call_is_given_in_spite_of_a_remembered_refusal(bench):
    bench.ledger.settle(bench.sent("a").request_id, cost(12))
    bench.ledger.reserve(bench.order(("b", 90)))

    answer = bench.ledger.reserve(bench.order("a"))

    assert [type(one) for one in answer.calls] == [Settled]


def test_a_closed_budget_refuses_and_still_settles(bench):
    claim = bench.sent()

    assert bench.ledger.close_budget(KEY)
    assert bench.ledger.reserve(bench.order("b")) == BudgetClosed()
    assert isinstance(bench.ledger.settle(claim.request_id, cost(12)), Settled)


def test_a_budget_that_does_not_exist_is_unknown(bench):
    key = replace(KEY, project_id="project-2")

    assert bench.ledger.reserve(replace(bench.order("a"), budget=key)) == BudgetUnknown()
    assert not bench.ledger.close_budget(key)
    assert bench.ledger.budget(key) is None
