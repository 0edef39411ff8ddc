"""What is reserved, for whom, and what a repeated order gets."""

from dataclasses import replace
from hashlib import sha256

import pytest

from evalbook.budgets.calls import (
    CallRequest,
    Conflict,
    Held,
    InDoubt,
    InProgress,
    LogicalCall,
    Ownership,
    logical_request_id,
)
from evalbook.budgets.model import Budget, BudgetExhausted, BudgetKey, MightFreeUp
from evalbook.budgets.reservations import Order
from evalbook.domain.errors import StoreUnavailable
from tests.unit.budgets.ledgers import HOLD, KEY, OWNED, Bench

LOGICAL = LogicalCall("org", "project", "run", "v" * 64, "case", "c" * 64, 0)


@pytest.fixture
def bench():
    return Bench()


@pytest.mark.parametrize(
    "change",
    [
        {"organization_id": "or", "project_id": "gproject"},
        {"case_id": "case|c", "case_digest": "c" * 63},
        {"run_id": 'run","'},
        {"repeat": 1},
    ],
)
def test_a_logical_id_differs_with_every_part_and_every_border_between_them(change):
    assert logical_request_id(replace(LOGICAL, **change)) != logical_request_id(LOGICAL)


def test_a_logical_id_is_the_same_on_every_delivery():
    parts = f'["org","project","run","{"v" * 64}","case","{"c" * 64}",0]'

    assert logical_request_id(LOGICAL) == sha256(parts.encode()).hexdigest()


def test_a_budget_is_created_once(bench):
    budget = bench.memory.records[KEY]
    bench.reserved("a")

    again = bench.ledger.create_budget(budget)

    assert again.reserved == 30


def test_a_budget_with_other_terms_is_no_duplicate(bench):
    other = Budget.opened(KEY, 200, "evaluation", expires_at=10**9)

    assert bench.ledger.create_budget(other) is None


def test_a_limit_below_zero_is_refused():
    with pytest.raises(ValueError, match="negative"):
        Budget.opened(KEY, -1, "evaluation", expires_at=1)


def test_a_judge_run_is_reserved_whole(bench):
    bench.reserved("a", "b", "c")

    assert bench.counters == (10, 90, 0)


def test_a_judge_run_that_cannot_be_paid_for_is_not_reserved_in_part(bench):
    answer = bench.ledger.reserve(bench.order("a", "b", "c", "d"))

    assert answer == BudgetExhausted()
    assert bench.counters == (100, 0, 0)


@pytest.mark.parametrize("names", [[], ["a", "a"], [str(number) for number in range(91)]])
def test_a_judge_run_that_is_no_transaction_is_refused(bench, names):
    with pytest.raises(ValueError, match="judge run"):
        bench.order(*names)


def test_an_order_that_is_repeated_by_its_owner_gives_the_same_claims(bench):
    first = bench.reserved("a", "b")

    assert bench.reserved("a", "b") == first
    assert bench.counters == (40, 60, 0)


def test_calls_that_somebody_else_works_on_are_in_progress(bench):
    bench.reserved("a")

    answer = bench.ledger.reserve(bench.order("a", owner="other"))

    assert answer == InProgress(bench.clock.now + OWNED)


def test_a_reservation_changes_hands_when_its_owners_time_is_up(bench):
    (old,) = bench.reserved("a")
    bench.pass_owners_time()

    (new,) = bench.reserved("a", owner="other")

    assert isinstance(bench.ledger.mark_sent(old, bench.clock.now + OWNED), InProgress)
    assert isinstance(bench.ledger.mark_sent(new, bench.clock.now + OWNED), Held)
    assert bench.counters == (70, 30, 0)


def test_a_reservation_changes_hands_when_nothing_is_available(bench):
    bench.reserved("a", "b", ("c", 40))
    bench.pass_owners_time()

    bench.reserved("a", owner="other")

    assert bench.counters == (0, 100, 0)


def test_a_request_on_its_way_is_in_progress_for_its_own_owner_too(bench):
    bench.sent("a")

    assert bench.ledger.reserve(bench.order("a")) == InProgress(bench.clock.now + OWNED)


def test_a_sent_call_whose_owner_is_gone_is_in_doubt_where_the_gateway_does_not_replay(bench):
    bench.sent("a")
    bench.pass_owners_time()

    answer = bench.ledger.reserve(bench.order("a", owner="other"))

    assert [type(one) for one in answer.calls] == [InDoubt]
    assert bench.counters == (70, 0, 30)


def test_a_sent_call_whose_owner_is_gone_is_sent_again_where_the_gateway_replays():
    bench = Bench(replays=True)
    bench.sent("a")
    bench.pass_owners_time()
    (claim,) = bench.reserved("a", owner="other")

    sent = bench.ledger.mark_sent(claim, bench.clock.now + OWNED)

    assert isinstance(sent, Held)
    assert (sent.call.sends, sent.call.attempt, sent.call.uncertain) == (2, 2, True)


def test_a_call_that_was_released_can_be_reserved_again(bench):
    (claim,) = bench.reserved("a")
    bench.ledger.release(claim)

    bench.reserved("a", owner="other")

    assert bench.counters == (70, 30, 0)


def test_an_id_with_another_request_is_a_conflict(bench):
    bench.reserved("a")
    other = Order(KEY, (CallRequest("a", "other digest", 30),), Ownership("worker", bench.clock.now + OWNED))

    assert bench.ledger.reserve(other) == Conflict("a")


def test_an_id_of_another_budget_is_a_conflict(bench):
    bench.reserved("a")
    key = BudgetKey("org", "project", "second")
    bench.ledger.create_budget(Budget.opened(key, 100, "evaluation", expires_at=10**9))

    assert bench.ledger.reserve(replace(bench.order("a"), budget=key)) == Conflict("a")


def test_an_order_whose_calls_change_all_the_time_is_unavailable(bench):
    bench.reserved("a")
    bench.pass_owners_time()

    def somebody_else():
        call = bench.memory.records["call", "a"]
        bench.memory.records["call", "a"] = replace(call, revision=call.revision + 1)

    bench.store.before_commit = somebody_else

    with pytest.raises(StoreUnavailable):
        bench.ledger.reserve(bench.order("a", owner="other"))


def test_a_request_leaves_once_on_each_claim(bench):
    (claim,) = bench.reserved("a")

    first = bench.ledger.mark_sent(claim, bench.clock.now + OWNED)
    second = bench.ledger.mark_sent(claim, bench.clock.now + OWNED)

    assert isinstance(first, Held)
    assert isinstance(second, InProgress)


def test_a_refusal_is_not_final_while_reserved_money_could_pay(bench):
    bench.reserved("a", "b", "c")

    answer = bench.ledger.reserve(bench.order("d"))

    assert answer == MightFreeUp(retry_after=HOLD)
