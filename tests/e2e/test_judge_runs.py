"""Judging on the local stack: the real template, every function under the real runtime client, a gateway over HTTP."""

import json
import time
from collections import Counter

import pytest

from devstack.clients.judging import JudgeRun, JudgingClient
from devstack.standins.gateway_faults import Fault
from tests.e2e.http_client import Client

MODEL = "bookbag::judge-rules-1"
PLENTY = 50_000_000
SLOWEST_SECONDS = 3.0


@pytest.fixture(scope="module")
def stack(judging):
    return judging


@pytest.fixture(scope="module")
def client(stack):
    return JudgingClient(stack)


@pytest.fixture
def begun(stack, client):
    """Begins a run with a judge of its own, and a gateway that remembers nothing."""

    def begin(scorer, *, repeats=2, limit=PLENTY, **parameters):
        stack.sso.clear()
        chosen = {
            "model": MODEL,
            "prompt_template": "Is {{output}} good?",
            "score_type": "binary",
            "repeat_count": repeats,
            **parameters,
        }
        run = JudgeRun(scorer, chosen, limit)
        client.begin(run)
        return run

    return begin


def cases(*outputs):
    return [{"case_id": f"case-{number}", "output": output} for number, output in enumerate(outputs)]


def assert_sound(stack, client, run):
    """At most one charge a call, and the ledger says what was charged."""
    assert set(Counter(charge.logical_id for charge in stack.sso.charges).values()) <= {1}
    budget = client.budget(run)
    assert (budget.spent, budget.reserved) == (sum(charge.micro_dollars for charge in stack.sso.charges), 0)


def test_each_case_gets_one_result_and_the_ledger_says_what_was_charged(stack, client, begun):
    run = begun("plain")

    client.send(run, cases("one", "two"))

    results = client.collect(run, 2)
    assert {result["case_id"]: result["outcome"] for result in results} == {"case-0": "pass", "case-1": "pass"}
    assert len(stack.sso.charges) == 4
    assert_sound(stack, client, run)


def test_a_batch_that_is_delivered_twice_is_judged_and_charged_once(stack, client, begun):
    run = begun("twice")
    client.send(run, cases("one"))
    client.collect(run, 1)

    client.send(run, cases("one", "two"))

    [result] = client.collect(run, 1)
    assert result["case_id"] == "case-1"
    assert len(stack.sso.charges) == 4
    assert_sound(stack, client, run)


def test_what_the_budget_cannot_pay_for_is_skipped(stack, client, begun):
    run = begun("poor", limit=100)

    client.send(run, cases("one"))

    [result] = client.collect(run, 1)
    assert (result["outcome"], result["code"]) == ("skipped", "BUDGET_EXHAUSTED")
    assert stack.sso.arrivals == ()


def test_a_run_that_the_gateway_refuses_is_stopped_after_the_first_case(stack, client, begun):
    run = begun("refused", repeats=1)
    stack.sso.faults.add(Fault("status", status=403, charged=False))
    client.send(run, cases("one"))
    client.collect(run, 1)

    client.send(run, [{"case_id": "another", "output": "two"}])

    [result] = client.collect(run, 1)
    assert (result["outcome"], result["code"]) == ("error", "GATEWAY_FORBIDDEN")
    assert len(stack.sso.arrivals) == 1
    assert_sound(stack, client, run)


def test_an_execution_says_nothing_of_what_is_judged(stack, client, begun):
    run = begun("discreet", repeats=1)
    client.send(run, cases("the-candidate-wrote-this"))
    [result] = client.collect(run, 1)

    machines = stack.client("stepfunctions")
    arn = stack.outputs["JudgePanelArn"].replace(":stateMachine:", ":execution:") + f":{result['result_id']}"
    history = json.dumps(machines.get_execution_history(executionArn=arn), default=str)

    assert result["result_id"] in history
    assert "the-candidate-wrote-this" not in history


JUDGE = {
    "implementation": "judge",
    "parameters": {"model": MODEL, "prompt_template": "Is {{output}} good?", "score_type": "binary"},
}


@pytest.fixture(scope="module")
def ann(stack):
    with Client(stack) as author:
        yield author


def sandbox_run(stack, author, version, *outputs, **more):
    """Start a run, by a gateway that remembers nothing; the run as it was answered at once, and once it is finished."""
    stack.sso.clear()
    started = author("POST", "/sandbox/runs", {**version, "cases": cases(*outputs), **more})
    assert started.status_code == 202
    return started.json(), author.polled(started.headers["Location"])


def test_a_draft_and_a_stored_judge_give_results_through_the_api_and_show_what_they_cost(stack, ann):
    ann("POST", "/scorers", {"name": "sandboxed"})
    made = ann("POST", "/scorers/sandboxed/versions", JUDGE).json()

    for version in ({"draft": JUDGE}, {"scorer": {"name": "sandboxed", "version": 1}}):
        started, run = sandbox_run(stack, ann, version, "one", "two")

        assert (started["status"], [each["outcome"] for each in run["results"]]) == ("running", ["pass", "pass"])
        assert run["results"][0]["scorer"]["digest"] == made["digest"]
        budget = ann("GET", f"/budgets/{run['budget_id']}").json()
        assert (budget["spent"], budget["reserved"]) == (sum(each.micro_dollars for each in stack.sso.charges), 0)
        assert len(stack.sso.charges) == 2


def test_without_the_scope_for_bodies_a_run_shows_no_rationale(stack, ann):
    _, run = sandbox_run(stack, ann, {"draft": JUDGE}, "one")

    with Client(stack, scope="sandbox.run") as unseeing:
        [result] = unseeing("GET", f"/sandbox/runs/{run['run_id']}").json()["results"]

    assert run["results"][0]["body"]["rationale"]
    assert "body" not in result


def test_what_a_runs_own_budget_cannot_pay_for_is_an_error(stack, ann):
    _, run = sandbox_run(stack, ann, {"draft": JUDGE}, "one", budget_limit=100)

    [result] = run["results"]
    assert (result["outcome"], result["code"]) == ("error", "BUDGET_EXHAUSTED")
    assert stack.sso.arrivals == ()


def test_another_project_sees_neither_a_run_nor_its_budget(stack, ann):
    run, _ = sandbox_run(stack, ann, {"draft": JUDGE}, "one")

    with Client(stack, projects="sales") as bob:
        seen = [
            bob("GET", path).status_code for path in (f"/sandbox/runs/{run['run_id']}", f"/budgets/{run['budget_id']}")
        ]

    assert seen == [404, 404]


def test_the_gateways_models_are_listed(ann):
    listed = ann("GET", "/models").json()

    assert {each["id"]: each["for_judges"] for each in listed["items"]}[MODEL]


def test_the_sweeper_finds_nothing_that_was_left_behind(stack):
    answer = stack.client("lambda").invoke(FunctionName=stack.physical_id("SweepFunction"), Payload="{}")

    swept = json.loads(answer["Payload"].read())
    assert swept == {"released": 0, "in_doubt": 0, "postponed": 0, "resumed": 0}


def test_ten_repeats_take_little_longer_than_the_slowest_of_them(stack, client, begun):
    warm = begun("ten", repeats=10)
    stack.sso.faults.add(Fault("slow", times=10, seconds=SLOWEST_SECONDS))
    client.send(warm, cases("first"))
    client.collect(warm, 1)
    run = begun("ten", repeats=10)
    stack.sso.faults.add(Fault("slow", times=10, seconds=SLOWEST_SECONDS))

    started = time.monotonic()
    client.send(run, cases("second"))
    [result] = client.collect(run, 1)
    seconds = time.monotonic() - started

    slowest = stack.sso.slowest_seconds
    assert (result["usage"]["calls_reported"], slowest >= SLOWEST_SECONDS) == (10, True)
    assert seconds <= 1.3 * slowest + 2
