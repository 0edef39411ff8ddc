"""What the roles of judging do while cases are judged is all that they may do, but for what is named here."""

import json
import time
from hashlib import sha256

import pytest

from devstack.clients.judging import JudgingClient
from devstack.clients.scoring import ORGANIZATION, PROJECT
from devstack.emulator.function_faults import FunctionFault
from devstack.emulator.template import load
from devstack.stack import ROOT
from evalbook.adapters.dynamodb.budgets import DynamoDbLedger
from evalbook.budgets.calls import CallRequest, Ownership
from evalbook.budgets.reservations import Order
from evalbook.services.budgets.ledger import BudgetLedger, LedgerSettings
from tests.e2e.http_client import Client
from tests.e2e.judge_trials import Court, Trial, judge

STEPS = ("Prepare", "Ask", "Aggregate", "Publish")
ROLES = ("JudgeDispatch", *(f"Judge{step}" for step in STEPS), "Sweep")
RESOURCES = load(ROOT / "template.yaml")["Resources"]
AN_HOUR_MS = 3_600_000

SOURCE = "the event source's own calls are not checked; what is put back takes minutes"
LOGS = "the emulator writes functions' logs itself; on AWS the runtime does, with the role"
MISSING = "the emulator's S3 always tells that an object is missing; S3 itself answers 403 without this"
REDRIVE = "the emulator cannot redrive an execution; there a new one takes its place"
TRACES = "there only where the deployment has a traces component; the local stack has none"
BEYOND = {
    **{(role, "Log", action): LOGS for role in ROLES for action in ("logs:CreateLogStream", "logs:PutLogEvents")},
    **{(f"Judge{step}", "TellMissingTexts", "s3:ListBucket"): MISSING for step in STEPS},
    **{
        ("JudgeDispatch", "ReceiveBatchesAndPutBackTheRest", f"sqs:{action}"): SOURCE
        for action in ("DeleteMessage", "GetQueueAttributes", "ReceiveMessage", "SendMessage")
    },
    ("JudgeDispatch", "TellMissingBodies", "s3:ListBucket"): MISSING,
    ("JudgeDispatch", "ResumePanels", "states:RedriveExecution"): REDRIVE,
    ("JudgePrepare", "ReadTheTracesToken", "secretsmanager:GetSecretValue"): TRACES,
    ("Sweep", "ResumePanels", "states:RedriveExecution"): REDRIVE,
}
"""What the functions may do and do not do here, and why."""

FAULTS = {
    "publish fails": ("Publish", FunctionFault("failed", "before")),
    "prepare dies": ("Prepare", FunctionFault("killed", "after")),
    "ask fails": ("Ask", FunctionFault("failed", "before")),
}
"""After the first an execution is resumed, after the second calls are looked up, after the third one is released."""


def granted():
    """Each role's permissions: its name, the statement's, the action."""
    for role in ROLES:
        [policy] = RESOURCES[f"{role}Role"]["Properties"]["Policies"]
        for statement in policy["PolicyDocument"]["Statement"]:
            known = statement.get("Fn::If", [None, statement])[1]
            actions = known["Action"] if isinstance(known["Action"], list) else [known["Action"]]
            yield from ((role, known["Sid"], action) for action in actions)


@pytest.fixture(scope="module")
def decided(judging):
    """What the emulator has decided about calls of these roles, once everything has been done that they are for."""
    client = JudgingClient(judging)
    run = judge("privileged")
    client.begin(run)
    court = Court(judging, client)
    trials = [Trial(run, name) for name in FAULTS]
    for trial in trials:
        step, fault = FAULTS[trial.name]
        judge_run_id = client.judge_run_id(run, trial.case)
        judging.faults.add(judging.physical_id(f"Judge{step}Function"), judge_run_id, fault)
    abandon_a_reservation(judging, run)
    send(judging, {"no": "batch"})
    send(judging, batch(run, budget_id=None))
    send(judging, batch(run, scorer={"name": run.scorer, "version": "active"}))
    send(judging, batch(run, cases=None, cases_ref=stored_cases(judging)))
    court.try_all(trials)
    court.finish()
    create_a_judge(judging)
    roles = {judging.physical_id(f"{role}Role"): role for role in (*ROLES, "Registry")}
    return {
        (roles[each["role"]], each["sid"], each["action"].replace("SendMessageBatch", "SendMessage"))
        for each in judging.emulator.permissions()
        if each["role"] in roles
    }


def batch(run, **changes):
    body = {
        "schema_version": 1,
        "organization_id": ORGANIZATION,
        "project_id": PROJECT,
        "run_id": run.run_id,
        "batch_id": "batch",
        "purpose": "evaluation",
        "scorer": {"name": run.scorer, "version": 1},
        "budget_id": run.budget.budget_id,
        "cases": [{"case_id": f"privileged {len(changes)} {sorted(changes)}", "output": "x"}],
        **changes,
    }
    return {name: value for name, value in body.items() if value is not None}


def send(stack, body):
    stack.client("sqs").send_message(QueueUrl=stack.outputs["JudgeQueueUrl"], MessageBody=json.dumps(body))


def stored_cases(stack):
    body = json.dumps([{"case_id": "by reference", "output": "x"}]).encode()
    stack.client("s3").put_object(Bucket=stack.outputs["BodiesBucketName"], Key="cases/privileged", Body=body)
    return {"key": "cases/privileged", "sha256": sha256(body).hexdigest(), "count": 1}


def abandon_a_reservation(stack, run):
    """Reserve a call, as a worker does that has been gone for an hour."""
    then = int(time.time() * 1_000) - AN_HOUR_MS
    store = DynamoDbLedger(stack.client("dynamodb"), stack.outputs["BudgetsTableName"])
    ledger = BudgetLedger(store, LedgerSettings(True, lambda: then, lambda: 1))
    call = CallRequest(sha256(run.run_id.encode()).hexdigest(), "0" * 64, 1)
    ledger.reserve(Order(run.budget, (call,), Ownership("gone", then + 1)))


def create_a_judge(stack):
    version = {"model": "bookbag::judge-rules-1", "prompt_template": "{{output}}", "score_type": "binary"}
    with Client(stack, org="privileged", projects="p") as ann:
        ann("POST", "/scorers", {"name": "j"})
        assert ann("POST", "/scorers/j/versions", {"implementation": "judge", "parameters": version}).status_code == 201


def test_no_call_of_a_role_is_denied(decided):
    assert {each for each in decided if not each[1]} == set()


def test_what_a_role_may_do_it_does_or_it_is_said_why_not(decided):
    assert sorted(set(granted()) - decided) == sorted(BEYOND)


def test_the_registry_asks_sso_for_the_catalog_with_the_token(decided):
    assert ("Registry", "CallSso", "secretsmanager:GetSecretValue") in decided
