"""What each step of a call does and when it is refused."""

from dataclasses import replace

import pytest

from evalbook.budgets.calls import (
    CallRequest,
    CallState,
    Held,
    InDoubt,
    InProgress,
    NotHeld,
    Released,
    Settled,
)
from evalbook.domain.errors import StoreUnavailable
from tests.unit.budgets.ledgers import OWNED, Bench, cost


@pytest.fixture
def bench():
    return Bench()


def test_a_request_does_not_leave_after_its_owners_time(bench):
    (claim,) = bench.reserved("a")
    bench.pass_owners_time()

    assert isinstance(bench.ledger.mark_sent(claim, bench.clock.now + OWNED), NotHeld)


def test_a_sent_request_does_not_leave_again_where_the_gateway_does_not_replay(bench):
    claim = bench.sent()

    assert isinstance(bench.ledger.mark_sent(claim, bench.clock.now + OWNED), NotHeld)


def test_a_request_that_was_put_back_may_leave_again(bench):
    back = bench.ledger.put_back(bench.sent())

    again = bench.ledger.mark_sent(back.claim, bench.clock.now + OWNED)

    assert isinstance(again, Held)
    assert (again.call.sends, again.call.uncertain) == (2, False)
    assert bench.counters == (70, 30, 0)


def test_putting_back_late_does_not_touch_a_request_that_has_left_since(bench):
    claim = bench.sent()
    back = bench.ledger.put_back(claim)
    bench.ledger.mark_sent(back.claim, bench.clock.now + OWNED)

    assert isinstance(bench.ledger.put_back(claim), InProgress)
    assert [call.state for call in bench.memory.all_calls()] == [CallState.SENT]


def test_a_call_that_was_never_sent_cannot_be_settled(bench):
    bench.reserved("a")

    assert isinstance(bench.ledger.settle("a", cost(12)), NotHeld)
    assert bench.counters == (70, 30, 0)


def test_a_call_that_nobody_knows_cannot_be_settled(bench):
    assert bench.ledger.settle("a", cost(12)) == NotHeld(None)


@pytest.mark.parametrize("step", ["put_back", "release", "doubt"])
@pytest.mark.parametrize("end", ["settle", "release", "doubt"])
def test_a_call_that_has_ended_stays_as_it_is(bench, step, end):
    claim = bench.sent()
    ends = {"settle": lambda: bench.ledger.settle(claim.request_id, cost(12))}
    ended = ends.get(end, lambda: getattr(bench.ledger, end)(claim))()
    before = bench.counters

    answer = getattr(bench.ledger, step)(claim)

    assert type(answer) is type(ended)
    assert isinstance(answer, Settled | Released | InDoubt)
    assert bench.counters == before


@pytest.mark.parametrize("amount", [-1, -100])
def test_a_charge_below_zero_is_refused(amount):
    with pytest.raises(ValueError, match="negative"):
        cost(amount)


def test_an_estimate_below_zero_is_refused():
    with pytest.raises(ValueError, match="negative"):
        CallRequest("a", "digest", -1)


def test_a_ledger_that_is_changed_all_the_time_is_unavailable(bench):
    claim = bench.sent()

    def somebody_else():
        call = bench.memory.records["call", "a"]
        bench.memory.records["call", "a"] = replace(call, revision=call.revision + 1)

    bench.store.before_commit = somebody_else

    with pytest.raises(StoreUnavailable):
        bench.ledger.settle(claim.request_id, cost(1))


def test_a_claim_on_a_call_that_is_gone_is_void(bench):
    (claim,) = bench.reserved("a")
    del bench.memory.records["call", "a"]

    assert bench.ledger.mark_sent(claim, bench.clock.now + OWNED) == NotHeld(None)
