"""Faults that other budget ledgers have had, each as a fact about this one."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from evalbook.budgets.calls import Basis, CallState, Charge, Conflict, Held, InDoubt, Released, Settled, Settlement
from evalbook.budgets.model import BudgetExhausted, MightFreeUp
from evalbook.budgets.reservations import Admitted
from evalbook.domain.errors import StoreUnavailable
from tests.fakes.ledger import nothing, unavailable
from tests.unit.budgets.ledgers import KEY, OWNED, Bench, cost


def test_of_many_concurrent_workers_as_many_are_admitted_as_the_budget_pays_for():
    bench = Bench(limit=7 * 30)
    names = [f"call-{number}" for number in range(40)]

    with ThreadPoolExecutor(16) as threads:
        answers = list(threads.map(lambda name: bench.worker().reserve(bench.order(name)), names))

    assert sum(isinstance(answer, Admitted) for answer in answers) == 7
    assert bench.counters == (0, 210, 0)


def test_a_reservation_whose_worker_died_comes_back_with_the_sweeper():
    bench = Bench()
    bench.reserved("a")

    bench.sweep_late()

    assert bench.counters == (100, 0, 0)


def test_the_counters_are_what_the_calls_add_up_to():
    bench = Bench()
    bench.ledger.settle(bench.sent("a").request_id, cost(12))
    bench.ledger.doubt(bench.sent("b"))
    bench.reserved("c")

    calls = bench.memory.all_calls()

    assert bench.memory.records[KEY].spent == sum(call.cost for call in calls) == 42
    assert bench.counters == (28, 30, 42)


def test_a_settlement_whose_answer_was_lost_is_charged_once():
    bench = Bench()
    claim = bench.sent()
    bench.store.after_commit = unavailable
    with pytest.raises(StoreUnavailable):
        bench.ledger.settle(claim.request_id, cost(12))
    bench.store.after_commit = nothing

    again = bench.ledger.settle(claim.request_id, cost(12))

    assert isinstance(again, Settled)
    assert bench.counters == (88, 0, 12)


@pytest.mark.parametrize("step", ["reserve", "mark_sent"])
def test_no_call_leaves_while_the_store_does_not_answer(step):
    bench = Bench()
    (claim,) = bench.reserved("a")
    bench.store.before_commit = unavailable

    with pytest.raises(StoreUnavailable):
        {
            "reserve": lambda: bench.ledger.reserve(bench.order("b")),
            "mark_sent": lambda: bench.ledger.mark_sent(claim, bench.clock.now + OWNED),
        }[step]()

    assert [call.state for call in bench.memory.all_calls()] == [CallState.RESERVED]


def test_an_estimate_of_exactly_what_is_available_is_admitted():
    bench = Bench(limit=30)

    assert isinstance(bench.ledger.reserve(bench.order("a")), Admitted)


def test_a_call_is_settled_and_its_money_moved_in_one_transaction():
    bench = Bench()
    claim = bench.sent()
    commits = []
    bench.store.before_commit = lambda: commits.append(bench.counters)

    bench.ledger.settle(claim.request_id, cost(12))

    assert commits == [(70, 30, 0)]
    assert bench.counters == (88, 0, 12)


def test_an_answer_that_comes_after_the_sweeper_corrects_the_charge():
    bench = Bench()
    claim = bench.sent()
    bench.sweep_late()
    assert bench.counters == (70, 0, 30)

    settled = bench.ledger.settle(claim.request_id, cost(12))

    assert isinstance(settled, Settled)
    assert bench.counters == (88, 0, 12)


def test_every_answer_is_charged_whether_or_not_it_can_be_used():
    bench = Bench()

    for name in ("prose", "truncated", "verdict"):
        bench.ledger.settle(bench.sent(name).request_id, cost(10, result_ref=name))

    assert bench.counters == (70, 0, 30)


def test_a_request_that_certainly_cost_nothing_gives_its_money_back():
    bench = Bench()

    released = bench.ledger.release(bench.sent())

    assert isinstance(released, Released)
    assert bench.counters == (100, 0, 0)


def test_a_retry_has_the_same_id_and_takes_no_money_again():
    bench = Bench()
    bench.ledger.settle(bench.sent("a").request_id, cost(12, result_ref="results/a"))

    answer = bench.worker().reserve(bench.order("a", owner="somebody else"))

    assert [one.call.settlement.result_ref for one in answer.calls] == ["results/a"]
    assert bench.counters == (88, 0, 12)


def test_the_limit_holds_before_the_call_and_not_after_it():
    bench = Bench(limit=29)

    assert bench.ledger.reserve(bench.order("a")) == BudgetExhausted()
    assert not bench.memory.all_calls()


def test_an_estimate_is_never_cut_down_to_what_is_left():
    bench = Bench(limit=50)
    bench.reserved("a")

    refused = bench.ledger.reserve(bench.order("b"))

    assert isinstance(refused, MightFreeUp)
    assert bench.counters == (20, 30, 0)


def test_a_charge_above_its_estimate_blocks_the_next_reservation():
    bench = Bench(limit=40)

    bench.ledger.settle(bench.sent("a").request_id, cost(45))

    assert bench.counters == (-5, 0, 45)
    assert bench.memory.records[KEY].overrun == 15
    assert bench.ledger.reserve(bench.order(("b", 0))) == BudgetExhausted()


def test_a_second_charge_with_another_amount_is_refused():
    bench = Bench()
    claim = bench.sent()
    bench.ledger.settle(claim.request_id, cost(12))

    second = bench.ledger.settle(claim.request_id, Settlement(Charge(13, Basis.USAGE), "results/2"))

    assert second == Conflict(claim.request_id)
    assert bench.counters == (88, 0, 12)


def test_a_refusal_after_a_lost_answer_does_not_refund_what_may_have_been_charged():
    bench = Bench(replays=True)
    lost = bench.sent()
    again = bench.ledger.mark_sent(lost, bench.clock.now + OWNED)

    assert bench.ledger.put_back(again.claim) == Held(again.claim, again.call)
    assert isinstance(bench.ledger.release(again.claim), InDoubt)
    assert bench.counters == (70, 0, 30)


def test_a_call_that_is_taken_over_and_given_up_before_it_is_sent_again_is_not_refunded():
    bench = Bench(replays=True)
    bench.sent("a")
    bench.pass_owners_time()
    (claim,) = bench.reserved("a", owner="other")

    given_up = bench.ledger.release(claim)

    assert isinstance(given_up, InDoubt)
    assert bench.counters == (70, 0, 30)
