"""What the sweeper does with what crashes have left behind."""

import pytest

from evalbook.budgets.calls import CallState
from evalbook.services.budgets.sweeper import Sweeper, SweepRules, Swept
from tests.fakes.ledger import nothing, unavailable
from tests.unit.budgets.ledgers import GRACE, OWNED, Bench


@pytest.fixture
def bench():
    return Bench()


def test_a_reserved_orphan_is_released_and_a_sent_one_is_charged_in_full(bench):
    bench.sent("a")
    bench.reserved("b")

    swept = bench.sweep_late()

    assert swept == Swept(released=1, in_doubt=1)
    assert bench.counters == (70, 0, 30)


def test_a_call_is_left_alone_until_its_owners_time_and_the_grace_are_over(bench):
    bench.reserved("a")
    bench.clock.now += OWNED + GRACE

    assert bench.sweeper.run() == Swept()
    assert bench.counters == (70, 30, 0)


def test_what_is_swept_is_not_swept_again(bench):
    bench.reserved("a")
    bench.sweep_late()

    assert bench.sweeper.run() == Swept()


def test_one_run_takes_no_more_than_it_may(bench):
    bench.reserved("a", "b", "c")
    bench.clock.now += OWNED + GRACE + 1
    sweeper = Sweeper(bench.store, SweepRules(bench.clock, GRACE, limit=2))

    assert [sweeper.run(), sweeper.run(), sweeper.run()] == [Swept(released=2), Swept(released=1), Swept()]


def test_a_second_sweeper_in_the_middle_of_the_first_changes_nothing(bench):
    bench.sent("a")
    bench.reserved("b")
    swept = []

    def second():
        bench.store.before_commit = nothing
        swept.append(bench.sweeper.run())

    bench.store.before_commit = second

    first = bench.sweep_late()

    assert [first, *swept] == [Swept(), Swept(released=1, in_doubt=1)]
    assert bench.counters == (70, 0, 30)


def test_a_call_that_is_answered_in_the_middle_of_a_run_is_left_to_its_answer(bench):
    claim = bench.sent("a")

    def answer():
        bench.store.before_commit = nothing
        bench.ledger.release(claim)

    bench.store.before_commit = answer

    assert bench.sweep_late() == Swept()
    assert [call.state for call in bench.memory.all_calls()] == [CallState.RELEASED]


def test_a_record_that_cannot_be_written_waits_for_the_next_run(bench):
    bench.reserved("a")
    bench.store.before_commit = unavailable
    assert bench.sweep_late() == Swept(postponed=1)

    bench.store.before_commit = nothing

    assert bench.sweeper.run() == Swept(released=1)


def test_an_index_that_lags_behind_does_no_harm(bench):
    claim = bench.sent("a")
    bench.ledger.release(claim)
    bench.store.overdue_calls = lambda *_: ["a", "gone"]

    assert bench.sweep_late() == Swept()
    assert bench.counters == (100, 0, 0)
