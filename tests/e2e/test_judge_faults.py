"""Whatever fails on the local stack, and wherever: one result a case, one charge a call, no money left behind."""

from collections import Counter
from itertools import zip_longest
from types import SimpleNamespace

import pytest

from devstack.clients.judging import JudgingClient
from devstack.emulator.function_faults import FunctionFault
from devstack.standins.gateway_faults import Fault
from evalbook.budgets.calls import Basis, CallState
from tests.e2e.judge_trials import Court, Trial, judge, mark
from tests.fakes.judge_run_faults import GATEWAY_FAULTS

STEPS = ("Prepare", "Ask", "Aggregate", "Publish")
MOMENTS = ("before", "after")
KILLED_WHILE_ASKING = "Ask killed during"
FUNCTION_FAULTS = {
    f"{step} {way} {moment}": (step, FunctionFault(way, moment))
    for step in STEPS
    for way in ("killed", "failed")
    for moment in MOMENTS
} | {KILLED_WHILE_ASKING: ("Ask", FunctionFault("killed", "during"))}
WITHOUT_A_REPLY = {
    "Prepare failed before": "SCORING_FAILED",
    "Prepare failed after": "SCORING_FAILED",
    "Ask failed before": "SCORING_FAILED",
    KILLED_WHILE_ASKING: "GATEWAY_OUTCOME_UNKNOWN",
    "wrong-model": "GATEWAY_MODEL_MISMATCH",
    "oversized": "GATEWAY_TOO_LARGE",
    "400": "GATEWAY_BAD_REQUEST",
    "402": "BUDGET_EXHAUSTED",
    "413": "GATEWAY_TOO_LARGE",
    "422": "GATEWAY_IDEMPOTENCY_CONFLICT",
    "too slow": "TIME_LIMIT",
}
MORE_GATEWAY_FAULTS = {
    "slow": Fault("slow", seconds=1),
    "drip": Fault("drip", seconds=0.0005),
    "401": Fault("status", charged=False, status=401),
    "408": Fault("status", charged=False, status=408),
    "409": Fault("status", charged=False, status=409, headers={"Retry-After": "1"}),
    "413": Fault("status", charged=False, status=413),
    "422": Fault("status", charged=False, status=422),
    "504": Fault("status", status=504),
}
"""What the tests in one process leave out, a token that is refused once among it."""

FAULTS_OF_GATEWAY = GATEWAY_FAULTS | MORE_GATEWAY_FAULTS
PASSING = [name for name in FAULTS_OF_GATEWAY if name not in WITHOUT_A_REPLY]
TWO_A_CASE = [" + ".join(names) for names in zip_longest(PASSING[::2], PASSING[1::2], fillvalue="drop")]
"""What a call gets over comes in twos, one for each repeat: that takes half the time."""

FINAL = [name for name in FAULTS_OF_GATEWAY if name in WITHOUT_A_REPLY]
ON_SOUND_TABLES = [*FUNCTION_FAULTS, *TWO_A_CASE, *FINAL, "too slow"]
ON_TROUBLED_TABLES = [f"troubled {number}" for number in range(3)]
FOR_LITTLE_MONEY = [f"little money {number}" for number in range(3)]
EVERY = [*ON_SOUND_TABLES, *ON_TROUBLED_TABLES, *FOR_LITTLE_MONEY]


@pytest.fixture(scope="module")
def tried(judging):
    """What became of one case for each fault, all judged on one stack."""
    judging.sso.clear()
    client = JudgingClient(judging)
    court, runs = Court(judging, client), [judge("sturdy"), judge("hasty", time_limit_ms=2_000), judge("replaced")]
    for run in runs:
        client.begin(run)
    # A reply by another model stops its run at once, so that case has a run of its own.
    others = {"too slow": runs[1], "wrong-model": runs[2]}
    trials = [Trial(others.get(name, runs[0]), name) for name in ON_SOUND_TABLES]
    for trial in trials:
        lay(judging, client, trial)
    court.try_all(trials)

    estimate = max(client.estimate(charge.logical_id) for charge in judging.sso.charges[:3])
    runs.append(judge("poor", limit=3 * estimate))
    client.begin(runs[-1])
    with court.troubled_tables(throttle_every=15, collide_every=3) as troubles:
        rich = [Trial(runs[0], name) for name in ON_TROUBLED_TABLES]
        court.try_all([*rich, *(Trial(runs[-1], name) for name in FOR_LITTLE_MONEY)])
    court.finish()
    ids = list({arrival.logical_id for arrival in judging.sso.arrivals})
    calls = [call for start in range(0, len(ids), 50) for call in court.ledger.calls(ids[start : start + 50]).values()]
    return SimpleNamespace(
        results=court.results,
        most_taken=court.most_taken,
        charges=judging.sso.charges,
        budgets=[client.budget(run) for run in runs],
        calls=calls,
        left=(judging.faults.waiting, len(judging.sso.faults)),
        troubles=troubles,
    )


def lay(stack, client, trial):
    """Let the fault that the trial is named after wait for its case."""
    if trial.name in FUNCTION_FAULTS:
        step, fault = FUNCTION_FAULTS[trial.name]
        stack.faults.add(stack.physical_id(f"Judge{step}Function"), client.judge_run_id(trial.run, trial.case), fault)
    if trial.name == KILLED_WHILE_ASKING:
        stack.sso.faults.add(Fault("slow", times=2, seconds=1.5, about=mark(trial.name)))
    if trial.name == "too slow":
        stack.sso.faults.add(Fault("slow", seconds=2.5, about=mark(trial.name)))
    for name in trial.name.split(" + "):
        if name in FAULTS_OF_GATEWAY:
            stack.sso.faults.add(FAULTS_OF_GATEWAY[name].about_text(mark(trial.name)))


@pytest.mark.parametrize("name", EVERY)
def test_a_case_has_one_result_that_is_a_verdict_only_where_there_were_replies(tried, name):
    results = tried.results[name]

    assert len({str(result) for result in results}) == 1
    assert (results[0]["code"] or results[0]["outcome"]) == WITHOUT_A_REPLY.get(name, "pass")


def test_every_fault_that_was_laid_down_has_happened(tried):
    assert tried.left == (0, 0)
    assert min(tried.troubles.values()) > 2


def test_no_call_was_charged_twice(tried):
    assert set(Counter(charge.logical_id for charge in tried.charges).values()) == {1}


def test_each_call_counts_as_what_was_charged_or_in_full_where_its_bill_was_lost(tried):
    charged = {charge.logical_id: charge.micro_dollars for charge in tried.charges}
    counted = {call.request.request_id: counts(call) for call in tried.calls}
    lost = {call.request.request_id for call in tried.calls if is_counted_in_full(call)}

    assert {key: counted[key] for key in counted if key not in lost} == {
        key: charged.get(key, 0) for key in counted if key not in lost
    }
    assert len(lost) == len(["oversized", "422", "too slow", KILLED_WHILE_ASKING])


def counts(call):
    """What a call counts as, in micro-dollars."""
    match call.state:
        case CallState.SETTLED:
            return call.settlement.charge.amount
        case CallState.IN_DOUBT:
            return call.request.estimate
        case CallState.RELEASED:
            return 0
        case _:
            return None


def is_counted_in_full(call):
    return call.state is CallState.IN_DOUBT or (
        call.state is CallState.SETTLED and call.settlement.charge.basis is Basis.ESTIMATE
    )


def test_the_budgets_say_what_their_calls_do_and_nothing_stays_reserved(tried):
    spent = Counter()
    for call in tried.calls:
        spent[call.budget] += counts(call)

    assert {budget.key: (budget.spent, budget.reserved) for budget in tried.budgets} == {
        budget.key: (spent[budget.key], 0) for budget in tried.budgets
    }


def test_no_budget_was_ever_seen_to_be_exceeded(tried):
    assert max(tried.most_taken.values()) <= 1
    assert min(tried.most_taken.values()) > 0
