"""Judge runs whose money comes from leases of the budget: the same results, charges and books."""

import pytest

from devstack.emulator.transformed import transformed
from tests.fakes.judge_run_faults import assert_sound
from tests.fakes.judge_run_world import dies_after, judge_run_world

LEASE = 100_000


@pytest.fixture(scope="module")
def leasing_world():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BUDGET_LEASE_MICRO_DOLLARS", str(LEASE))
        with judge_run_world() as made:
            yield made


@pytest.fixture
def world(leasing_world):
    leasing_world.begin(repeat_count=2)
    return leasing_world


def judged(world, count):
    """Judge cases one after the other: here all steps share one process, and a lease is one worker's."""
    found = {}
    for number in range(count):
        world.send(cases=[{"case_id": f"case-{number}", "output": "good"}])
        found |= world.outcomes()
    return found


def test_many_judge_runs_are_paid_from_one_lease(world):
    outcomes = judged(world, 3)

    calls = world.ledger.calls([charge.logical_id for charge in world.sso.charges]).values()
    [lease_id] = {call.lease_id for call in calls}
    assert outcomes == {f"case-{number}": "pass" for number in range(3)}
    assert world.ledger.lease(lease_id).budget == world.key


def test_when_the_lease_has_run_out_the_budget_says_what_was_charged(world):
    judged(world, 3)

    assert_sound(world)
    assert world.money.spent == world.charged


def test_what_the_budget_cannot_pay_for_is_skipped_with_leases_as_well(world):
    world.budget(limit=10)

    assert judged(world, 1) == {"case-0": "BUDGET_EXHAUSTED"}


@pytest.mark.parametrize("step", ["prepare", "ask"])
def test_a_step_that_dies_takes_no_money_with_it(world, step):
    world.functions.interfere(step, dies_after)

    assert judged(world, 1) == {"case-0": "pass"}

    assert_sound(world)
    assert world.money.spent == world.charged


def test_leases_are_off_unless_a_deployment_asks_for_them():
    template = transformed()

    variables = template["Resources"]["JudgePrepareFunction"]["Properties"]["Environment"]["Variables"]
    assert variables["BUDGET_LEASE_MICRO_DOLLARS"] == {"Fn::Sub": "${BudgetLeaseMicroDollars}"}
    assert template["Parameters"]["BudgetLeaseMicroDollars"]["Default"] == 0
