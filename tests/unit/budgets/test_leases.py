"""Leases of hot budgets: what they hold, how they shrink and how their money comes back."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbook.budgets.calls import Settled
from evalbook.budgets.leases import Lease, LeaseTerms, chunk, close, grant, renew
from evalbook.budgets.model import AccountState, Admission, Budget, BudgetClosed, Exhausted, MightFreeUp, Money
from evalbook.budgets.reservations import Admitted
from evalbook.domain.errors import StoreUnavailable
from tests.unit.budgets.ledgers import GRACE, KEY, TERMS, Bench, cost

amounts = st.integers(0, 10**6)
leases = st.builds(
    Lease,
    st.just("lease"),
    st.just(KEY),
    st.just("worker"),
    st.just(100),
    available=st.integers(-50, 10**6),
    reserved=amounts,
    spent=st.integers(-50, 10**6),
    overrun=amounts,
)


def budget(available):
    return replace(Budget.opened(KEY, 10**6, "evaluation", expires_at=10**9), available=available)


def moves_nothing_in_total(money: Money):
    return money.available + money.reserved + money.spent == 0


@given(leases, amounts)
def test_no_step_of_a_lease_makes_or_loses_money(lease, more):
    steps = [grant(lease), renew(lease, more, 200), close(lease)]

    assert all(moves_nothing_in_total(step.money) for step in steps)


@given(leases, amounts)
def test_what_a_budget_has_reserved_for_a_lease_is_what_the_lease_holds(lease, more):
    renewed, closed = renew(lease, more, 200), close(lease)

    assert renewed.money.reserved == renewed.after.holds - lease.holds
    assert closed.money.reserved == lease.reserved - lease.holds
    assert closed.after.holds == 0


@given(amounts, amounts, st.integers(1, 500), amounts)
def test_a_chunk_covers_what_is_missing_and_takes_half_a_share_at_most(available, missing, workers, ceiling):
    size = chunk(budget(available), missing, LeaseTerms(ceiling, workers, 60))

    assert size == missing or missing < size <= min(ceiling, available // (2 * workers))


def test_a_chunk_shrinks_to_a_single_call_as_the_budget_empties():
    sizes = [chunk(budget(available), 30, LeaseTerms(1_000, 2, 60)) for available in (10_000, 2_000, 200, 40)]

    assert sizes == [1_000, 500, 50, 30]


@pytest.fixture
def bench():
    return Bench(limit=1_000, terms=TERMS)


def test_the_budget_itself_is_written_once_a_chunk(bench):
    bench.reserved(("a", 10), ("b", 10))
    held = bench.memory.records[KEY]

    bench.ledger.settle(bench.sent(("c", 10)).request_id, cost(7))

    assert bench.memory.records[KEY] == held
    assert bench.counters == (960, 40, 0)


def test_what_was_spent_is_posted_when_the_lease_is_renewed(bench):
    bench.ledger.settle(bench.sent(("a", 40)).request_id, cost(35))

    bench.reserved(("b", 40))

    assert bench.counters == (920, 45, 35)


def test_a_lease_that_is_returned_posts_what_was_spent_and_frees_the_rest(bench):
    bench.ledger.settle(bench.sent(("a", 20)).request_id, cost(15))
    bench.reserved(("b", 5))

    bench.ledger.give_back()

    assert bench.counters == (980, 5, 15)


def test_a_call_outlives_its_lease(bench):
    claim = bench.sent(("a", 20))
    bench.ledger.give_back()

    assert isinstance(bench.ledger.settle(claim.request_id, cost(15)), Settled)
    assert bench.counters == (985, 0, 15)


def test_a_call_in_doubt_is_corrected_where_its_charge_was_posted(bench):
    claim = bench.sent(("a", 20))
    bench.ledger.doubt(claim)
    bench.ledger.give_back()

    bench.ledger.settle(claim.request_id, cost(15))

    assert bench.counters == (985, 0, 15)


def test_an_overrun_is_posted_with_the_lease(bench):
    bench.ledger.settle(bench.sent(("a", 20)).request_id, cost(95))

    bench.ledger.give_back()

    assert bench.counters == (905, 0, 95)
    assert bench.memory.records[KEY].overrun == 75


def test_an_expired_lease_is_renewed_by_its_worker(bench):
    bench.reserved(("a", 10))
    bench.clock.now += TERMS.lifetime + 1

    bench.reserved(("b", 10))

    assert [(lease.state, lease.reserved) for lease in bench.memory.all_leases()] == [(AccountState.OPEN, 20)]


def test_a_lease_that_was_swept_is_replaced(bench):
    bench.reserved(("a", 10))
    bench.clock.now += TERMS.lifetime + GRACE + 1
    bench.sweeper.run()

    bench.reserved(("b", 10))

    assert [lease.state for lease in bench.memory.all_leases()] == [AccountState.CLOSED, AccountState.OPEN]


def test_a_lease_ends_with_its_budget():
    bench = Bench(limit=1_000, terms=replace(TERMS, lifetime=10**12))
    bench.reserved("a")

    assert [lease.expires_at for lease in bench.memory.all_leases()] == [bench.memory.records[KEY].expires_at]


def test_money_in_another_workers_lease_might_come_back():
    bench = Bench(limit=60, terms=replace(TERMS, ceiling=60, workers=1))
    bench.reserved(("a", 10))

    refused = bench.worker().reserve(bench.order(("b", 55)))
    too_much = bench.worker().reserve(bench.order(("c", 61)))

    assert isinstance(refused, MightFreeUp)
    assert too_much == Exhausted()


def test_a_worker_that_is_refused_returns_its_lease_for_others():
    bench = Bench(limit=60, terms=replace(TERMS, ceiling=60, workers=1))
    bench.ledger.settle(bench.sent(("a", 10)).request_id, cost(10))
    assert isinstance(bench.ledger.reserve(bench.order(("b", 55))), Exhausted | MightFreeUp)

    assert isinstance(bench.worker().reserve(bench.order(("c", 50))), Admitted)


def test_no_lease_is_granted_from_a_closed_budget(bench):
    bench.ledger.close_budget(KEY)

    assert bench.ledger.reserve(bench.order("a")) == BudgetClosed()


def test_a_lease_that_changes_all_the_time_is_not_closed_over_anybodys_money(bench):
    bench.reserved(("a", 10))
    bench.store.before_commit = lambda: change(bench)

    with pytest.raises(StoreUnavailable):
        bench.ledger.give_back()


def test_leases_that_are_closed_as_soon_as_they_are_granted_end_as_unavailable(bench):
    def close_them_all():
        for lease in bench.memory.all_leases():
            bench.memory.records["lease", lease.lease_id] = replace(lease, state=AccountState.CLOSED)

    bench.store.before_commit = close_them_all

    with pytest.raises(StoreUnavailable, match="busy"):
        bench.ledger.reserve(bench.order("a"))


def change(bench):
    lease = bench.memory.all_leases()[0]
    bench.memory.records["lease", lease.lease_id] = replace(lease, revision=lease.revision + 1)


def test_a_lease_admits_only_while_it_is_open_and_not_expired():
    lease = Lease("lease", KEY, "worker", expires_at=100, available=40)

    assert lease.admits(Admission(40, now=99))
    assert not lease.admits(Admission(41, now=99))
    assert not lease.admits(Admission(40, now=100))
    assert not close(lease).after.admits(Admission(0, now=99))
