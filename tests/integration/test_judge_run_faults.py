"""Whatever fails, and wherever: one result a case, no verdict of nothing, one charge a call, no money left behind."""

from collections import Counter

import pytest

from evalbook.adapters import aws_clients
from evalbook.entrypoints.judging import StepFailed
from tests.fakes.judge_run_faults import GATEWAY_FAULTS, assert_sound
from tests.fakes.judge_run_world import STEPS, ExitError, dies_after, dies_before, judge_run_world


@pytest.fixture(scope="module")
def replaying_world():
    with judge_run_world() as made:
        yield made


@pytest.fixture
def world(replaying_world):
    replaying_world.begin(repeat_count=2)
    return replaying_world


@pytest.mark.parametrize("fault", GATEWAY_FAULTS.values(), ids=GATEWAY_FAULTS)
def test_a_fault_of_a_replaying_gateway_costs_each_call_one_charge(world, fault):
    world.sso.faults.add(fault)

    world.send("good")

    [result] = world.results()
    assert result["outcome"] in {"pass", "error", "skipped"}
    assert_sound(world)


@pytest.mark.parametrize("name", ["drop", "reset", "truncated", "malformed", "html", "503", "500-charged", "429"])
def test_what_a_replaying_gateway_recovers_from_is_judged_and_charged_exactly(world, name):
    world.sso.faults.add(GATEWAY_FAULTS[name])

    world.send("good")

    assert world.outcomes() == {"case-0": "pass"}
    assert world.money.spent == world.charged


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("death", [dies_before, dies_after])
def test_a_step_that_is_killed_is_taken_again_and_the_case_is_judged(world, step, death):
    world.functions.interfere(step, death)

    world.send("good")

    results = world.results()
    assert {result["result_id"] for result in results} == {results[0]["result_id"]}
    assert len({str(result) for result in results}) == 1
    assert results[0]["outcome"] == "pass"
    assert_sound(world)


def fails(_):
    raise RuntimeError("the step is broken")


@pytest.mark.parametrize("step", ["prepare", "ask"])
def test_a_step_that_fails_for_good_makes_an_error_of_the_case(world, step):
    world.functions.interfere(step, *[fails] * 2)

    world.send("good")

    assert world.outcomes() == {"case-0": "SCORING_FAILED"}
    assert_sound(world)


@pytest.mark.parametrize("step", ["aggregate", "publish"])
def test_an_execution_that_fails_goes_on_when_the_sweeper_comes(world, step):
    world.functions.interfere(step, fails)
    world.send("good")
    assert world.results() == []

    swept = world.sweep()

    assert swept["resumed"] == 1
    assert world.outcomes() == {"case-0": "pass"}
    assert world.money.spent == world.charged


def test_a_batch_that_comes_again_lets_a_failed_execution_go_on(world):
    world.functions.interfere("publish", fails)
    world.send("good")
    world.finished()

    world.send("good")

    assert world.outcomes() == {"case-0": "pass"}
    assert len(world.sso.charges) == 2


def test_a_call_that_was_sent_by_a_step_that_died_is_not_sent_again_and_counts_in_full(world, monkeypatch):
    def killed_once_sent(step):
        with pytest.raises(StepFailed):
            step()
        raise ExitError("exit status 137")

    monkeypatch.setattr("evalbook.adapters.http.gateway.read_completion", exits)
    world.functions.interfere("ask", killed_once_sent, killed_once_sent)

    world.send("good")

    [result] = world.results()
    assert (result["outcome"], result["code"]) == ("error", "GATEWAY_OUTCOME_UNKNOWN")
    assert max(Counter(arrival.logical_id for arrival in world.sso.arrivals).values()) == 1
    assert_sound(world)
    assert world.money.spent > world.charged


def exits(*_):
    raise ExitError("exit status 137")


def conflicting():
    """Let the next three transactions collide with others."""
    left = [3]

    def before_call(**_):
        if left[0] == 0:
            return None
        left[0] -= 1
        error = {"Code": "TransactionCanceledException", "Message": "a collision"}
        reasons = [{"Code": "TransactionConflict"}, {"Code": "None"}]
        return _Answer(400), {"Error": error, "CancellationReasons": reasons, "ResponseMetadata": {}}

    return before_call


def throttled():
    """Let the next two requests come too fast."""
    left = [2]

    def before_call(**_):
        if left[0] == 0:
            return None
        left[0] -= 1
        code = "ProvisionedThroughputExceededException"
        return _Answer(400), {"Error": {"Code": code, "Message": "too fast"}, "ResponseMetadata": {}}

    return before_call


class _Answer:
    def __init__(self, status):
        self.status_code = status
        self.headers = {}
        self.content = b""


@pytest.mark.parametrize(
    ("operation", "trouble"),
    [
        ("TransactWriteItems", conflicting),
        ("TransactWriteItems", throttled),
        ("PutItem", throttled),
        ("GetItem", throttled),
    ],
)
def test_a_table_in_trouble_delays_a_case_and_changes_nothing_else(world, operation, trouble):
    events, troubled = aws_clients.dynamodb().meta.events, trouble()
    events.register(f"before-call.dynamodb.{operation}", troubled)
    try:
        while world.send("good")["batchItemFailures"]:
            pass  # as the queue does, until the message is taken
        results = world.results()
    finally:
        events.unregister(f"before-call.dynamodb.{operation}", troubled)

    assert [result["outcome"] for result in results] == ["pass"]
    assert_sound(world)
    assert world.money.spent == world.charged
