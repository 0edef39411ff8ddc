"""What each step of the ledger does and when it is refused."""

from dataclasses import replace
from hashlib import sha256

import pytest

from evalbook.budget import Budget, BudgetClosed, BudgetKey, BudgetUnknown, Exhausted, MightFreeUp
from evalbook.budget_calls import (
    CallRequest,
    CallState,
    Conflict,
    Held,
    InDoubt,
    InProgress,
    LogicalCall,
    NotHeld,
    Ownership,
    Released,
    Settled,
    logical_request_id,
)
from evalbook.budget_panels import Admitted, Order
from evalbook.errors import StoreUnavailable
from tests.unit.budget.ledgers import HOLD, KEY, OWNED, Bench, cost

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


def test_a_panel_is_reserved_whole(bench):
    bench.reserved("a", "b", "c")

    assert bench.counters == (10, 90, 0)


def test_a_panel_that_cannot_be_paid_for_is_not_reserved_in_part(bench):
    answer = bench.ledger.reserve(bench.order("a", "b", "c", "d"))

    assert answer == Exhausted()
    assert bench.counters == (100, 0, 0)


@pytest.mark.parametrize("names", [[], ["a", "a"], [str(number) for number in range(91)]])
def test_a_panel_that_is_no_transaction_is_refused(bench, names):
    with pytest.raises(ValueError, match="panel"):
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


def test_a_request_leaves_once_on_each_claim(bench):
    (claim,) = bench.reserved("a")

    first = bench.ledger.mark_sent(claim, bench.clock.now + OWNED)
    second = bench.ledger.mark_sent(claim, bench.clock.now + OWNED)

    assert isinstance(first, Held)
    assert isinstance(second, InProgress)


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


def test_a_refusal_is_not_final_while_reserved_money_could_pay(bench):
    bench.reserved("a", "b", "c")

    answer = bench.ledger.reserve(bench.order("d"))

    assert answer == MightFreeUp(retry_after=HOLD)


def test_a_call_in_doubt_frees_nothing(bench):
    for name in ("a", "b", "c"):
        bench.ledger.doubt(bench.sent(name))

    assert bench.ledger.reserve(bench.order("d")) == Exhausted()


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


def test_a_ledger_that_is_changed_all_the_time_is_unavailable(bench):
    claim = bench.sent()

    def somebody_else():
        call = bench.memory.records["call", "a"]
        bench.memory.records["call", "a"] = replace(call, revision=call.revision + 1)

    bench.store.before_commit = somebody_else

    with pytest.raises(StoreUnavailable):
        bench.ledger.settle(claim.request_id, cost(1))


def test_an_order_whose_calls_change_all_the_time_is_unavailable(bench):
    bench.reserved("a")
    bench.pass_owners_time()

    def somebody_else():
        call = bench.memory.records["call", "a"]
        bench.memory.records["call", "a"] = replace(call, revision=call.revision + 1)

    bench.store.before_commit = somebody_else

    with pytest.raises(StoreUnavailable):
        bench.ledger.reserve(bench.order("a", owner="other"))


def test_a_claim_on_a_call_that_is_gone_is_void(bench):
    (claim,) = bench.reserved("a")
    del bench.memory.records["call", "a"]

    assert bench.ledger.mark_sent(claim, bench.clock.now + OWNED) == NotHeld(None)


def test_a_worker_without_leases_has_nothing_to_give_back(bench):
    bench.reserved("a")

    bench.ledger.give_back()

    assert bench.counters == (70, 30, 0)
