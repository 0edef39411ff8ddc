"""Calibrations on the local stack: over the real API, through real judge runs, against a gateway with rules."""

import json
import time
from collections import Counter
from contextlib import ExitStack

import pytest

from devstack.standins.gateway_replies import Rule
from evalbook.adapters.dynamodb.budgets import DynamoDbLedger
from evalbook.budgets.model import BudgetKey
from tests.e2e.http_client import Client
from tests.e2e.test_least_privilege import without

JUDGE = {
    "model": "bookbag::judge-rules-1",
    "prompt_template": "Is {{output}} good?",
    "score_type": "binary",
    "repeat_count": 2,
}
CANARY = "canary-of-calibrations"
RULES = (Rule("wrong", "fail"), Rule("unsure", abstain=True), Rule("", "pass"))
ROWS = [("right", "pass")] * 3 + [("wrong", "fail")] * 2 + [("right", "fail"), ("wrong", "pass"), ("unsure", "pass")]


@pytest.fixture(scope="module")
def client(stack):
    """Makes clients of one organization, whose project has a judge."""
    with ExitStack() as opened:

        def make(**claims):
            return opened.enter_context(Client(stack, **{"org": "calibrating", **claims}))

        author = make()
        author("POST", "/scorers", {"name": "judge"})
        for parameters in (JUDGE, {**JUDGE, "repeat_count": 1}):
            made = author("POST", "/scorers/judge/versions", {"implementation": "judge", "parameters": parameters})
            assert made.status_code == 201
        yield make


@pytest.fixture
def ann(stack, client):
    stack.sso.clear()
    stack.sso.ruled.rules = RULES
    return client()


def asked(*rows, version=1, limit=50_000_000):
    cases = [
        {"case": {"case_id": f"case-{at}", "output": f"{output} {CANARY}"}, "human": human}
        for at, (output, human) in enumerate(rows)
    ]
    scorer = {"name": "judge", "version": version}
    return {"scorer": scorer, "cases": cases, "split": "test", "budget_limit": limit}


def finished(client, location):
    found = client.polled(location, patience=180)
    assert found["status"] == "finished"
    return found


def start(client, *rows, **more):
    accepted = client("POST", "/calibrations", asked(*rows, **more))
    assert accepted.status_code == 202
    return accepted.headers["Location"]


def budget(stack, found):
    ledger = DynamoDbLedger(stack.client("dynamodb"), stack.outputs["BudgetsTableName"])
    return ledger.budget(BudgetKey("calibrating", "support", found["budget_id"]))


def charges(stack):
    return Counter(charge.logical_id for charge in stack.sso.charges)


def test_a_judge_is_calibrated_and_the_figures_are_what_the_rows_say(stack, client, ann):
    found = finished(ann, start(ann, *ROWS))

    report, rows, bound = found["report"], found["rows"], found["report"]["calibration"]
    counted = Counter((row["human"], row["judge"]) for row in rows if row["judge"])
    cells = report["confusion_matrix"]
    assert counted == {("pass", "pass"): 3, ("fail", "fail"): 2, ("fail", "pass"): 1, ("pass", "fail"): 1}
    assert (cells["tp"], cells["tn"], cells["fp"], cells["fn"]) == (3, 2, 1, 1)
    assert (report["tpr"], report["tnr"], report["status"]) == (3 / 4, 2 / 3, "insufficient")
    assert [row["undecided"] for row in rows if row["human"] != row["judge"] and not row["judge"]] == ["abstained"]
    assert (report["stability"]["unanimous_rate"], bound["errors"], bound["partial"]) == (1.0, 0, False)
    assert charges(stack) == dict.fromkeys(charges(stack), 1)
    assert len(charges(stack)) == 2 * len(ROWS)
    spent = sum(charge.micro_dollars for charge in stack.sso.charges)
    assert budget(stack, found).spent == found["progress"]["spent_micro_dollars"] == spent
    assert_only_those_see_it_who_may(stack, client, found)
    assert_whoever_approves_sees_it(ann, found)


def assert_whoever_approves_sees_it(ann, found):
    action = ann("POST", "/actions", {"kind": "activate_judge_configuration", "scorer": "judge", "version": 1}).json()
    calibration = ann("GET", f"/actions/{action['action_id']}").json()["review"]["calibration"]
    assert (calibration["calibration_id"], calibration["stale"]) == (found["calibration_id"], False)
    assert (calibration["headline"]["tpr"], calibration["headline"]["partial"]) == (3 / 4, False)


def assert_only_those_see_it_who_may(stack, client, found):
    path = f"/calibrations/{found['calibration_id']}"
    unseeing = client(scope="scorer.read")("GET", path).json()
    listed = client(scope="scorer.read")("GET", "/scorers/judge/calibrations").json()["items"]
    assert unseeing == {name: each for name, each in found.items() if name != "rows"}
    assert [each["calibration_id"] for each in listed] == [found["calibration_id"]]
    with without(stack, "CalibrationsRole", "ReadRows"):
        assert client()("GET", path).status_code == 503
    for other in (client(projects="sales"), client(org="bolt")):
        assert other("GET", path).status_code == 404
        assert other("GET", "/scorers/judge/calibrations").status_code == 404
    logs = "".join(stack.logs("CalibrateLogs") + stack.logs("CalibrationsLogs"))
    assert found["calibration_id"] is not None
    assert "StepDuration" in logs
    assert CANARY not in logs + json.dumps(found)


def test_a_calibration_that_is_interrupted_and_delivered_twice_charges_every_call_once(stack, ann):
    sqs, queue = stack.client("sqs"), stack.outputs["CalibrationsQueueUrl"]
    sqs.set_queue_attributes(QueueUrl=queue, Attributes={"VisibilityTimeout": "4"})
    with without(stack, "CalibrateRole", "KeepCalibrations"):
        location = start(ann, *ROWS[2:6], version=2)
        calibration_id = location.rpartition("/")[2]
        wait_until(lambda: charges(stack))
        assert ann("GET", location).json()["progress"]["done"] == 0
    visit = {"organization_id": "calibrating", "project_id": "support", "calibration_id": calibration_id, "visit": 0}
    for _ in range(2):
        sqs.send_message(QueueUrl=queue, MessageBody=json.dumps(visit))

    found = finished(ann, location)

    sqs.set_queue_attributes(QueueUrl=queue, Attributes={"VisibilityTimeout": "540"})
    assert (found["progress"]["done"], found["progress"]["errors"]) == (4, 0)
    assert Counter(charges(stack).values()) == {1: 4}


def wait_until(condition):
    deadline = time.monotonic() + 30
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.1)


def test_a_budget_for_two_of_four_cases_makes_a_partial_report(stack, ann):
    finished(ann, start(ann, ("right", "pass"), version=2))
    [charge] = stack.sso.charges
    ledger = DynamoDbLedger(stack.client("dynamodb"), stack.outputs["BudgetsTableName"])
    estimate = ledger.calls([charge.logical_id])[charge.logical_id].request.estimate
    enough_for_two = estimate + charge.micro_dollars

    found = finished(ann, start(ann, *[("right", "pass")] * 4, version=2, limit=enough_for_two))

    bound = found["report"]["calibration"]
    assert (bound["errors_by_code"], bound["partial"]) == ({"BUDGET_EXHAUSTED": 2}, True)
    assert (found["report"]["n_decided"], found["progress"]["errors"]) == (2, 2)
    assert budget(stack, found).spent <= enough_for_two


def test_a_calibration_turns_stale_with_the_diff_once_two_people_activate_another_template(client, ann):
    ben = client(sub="ben", scope="scorer.approve")
    location = start(ann, *ROWS[2:4], version=2)
    calibrated = finished(ann, location)
    activate(ann, ben, 2)
    fresh = ann("GET", location).json()["staleness"]
    strict = {**JUDGE, "prompt_template": "Is {{output}} good?\nBe strict.", "repeat_count": 1}
    made = ann("POST", "/scorers/judge/versions", {"implementation": "judge", "parameters": strict}).json()

    activate(ann, ben, made["version"])

    found = ann("GET", location).json()
    [change] = found["staleness"]["changes"]
    assert (calibrated["stale"], fresh["stale"], found["stale"]) == (False, False, True)
    assert (change["field"], change["old"], change["new"]) == (
        "prompt_template",
        JUDGE["prompt_template"],
        strict["prompt_template"],
    )
    assert "+Be strict." in change["diff"].splitlines()
    assert found["report"] == calibrated["report"]


def activate(ann, ben, version):
    kind = "activate_judge_configuration"
    action = ann("POST", "/actions", {"kind": kind, "scorer": "judge", "version": version}).json()
    approved = ben("POST", f"/actions/{action['action_id']}/approval", {})
    assert approved.json()["state"] == "carried_out"
