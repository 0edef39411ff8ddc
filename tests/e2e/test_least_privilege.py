"""No statement of a function's role is superfluous: without it something that the function is there for fails."""

import json
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from uuid import uuid4

import pytest

from devstack.emulator.template import load
from devstack.stack import ROOT
from tests.e2e.governed import approve_and_crash, new_judge, requested, resume
from tests.e2e.http_client import Client

TEMPLATE = load(ROOT / "template.yaml")["Resources"]
JUDGE = {"model": "bookbag::judge-rules-1", "prompt_template": "{{output}}", "score_type": "binary"}
CASE = {"case_id": "a", "output": "x", "expected": "x"}
FAMILIES = ["Structured", "Trace", "Retrieval", "Secrets"]

NOT_ENFORCED = {
    "Log": "the emulator writes functions' logs itself; on AWS the runtime does, with the role",
    "ReadTheTracesToken": "there only where the deployment has a traces component; the local stack has none",
    "TellMissingBodies": "the emulator's S3 always tells that an object is missing; S3 itself answers 403 without this",
    "ReceiveBatchesAndPutBackTheRest": "the event source's own calls are not checked; what is put back takes minutes",
    "ReceiveExhaustedMessages": "the event source's own calls are not checked",
    "CallSso": "a token is kept for a while by whoever has it; tests/e2e/test_judge_privilege.py shows who asks for it",
    "ReadRows": "shown by tests/e2e/test_calibrations.py, where there are rows",
    "TellMissingTexts": "the emulator's S3 always tells that an object is missing; S3 itself answers 403 without this",
    "WriteTraceSegments": "there only where the deployment traces; the local stack does not",
    "ReceiveGroupsAndPutBackTheRest": "the event source's own calls are not checked; what is put back takes minutes",
}

JUDGING = ("Judge", "Sweep", "CalibrateRole")
"""Roles of the judges: a step that is denied something is retried for minutes, so what they do is watched
instead of what they cannot do, in tests/e2e/test_judge_privilege.py."""

JUDGE = {"model": "bookbag::judge-rules-1", "prompt_template": "{{output}}", "score_type": "binary"}
LABELLED = {"case": CASE, "human": "pass"}


def statements():
    """Every statement of every function: its role or the policy that it is in, and its name."""
    for name, resource in TEMPLATE.items():
        if resource["Type"] == "AWS::IAM::ManagedPolicy":
            yield from named(name, resource["Properties"])
        if resource["Type"] == "AWS::IAM::Role":
            for policy in resource["Properties"]["Policies"]:
                yield from named(name, policy)


def named(name, policy):
    """The statements of a policy; those of a condition by their first branch."""
    for statement in policy["PolicyDocument"]["Statement"]:
        yield name, statement.get("Fn::If", [None, statement])[1]["Sid"]


def alike(name, sid):
    """The same statement of the first family: all families have one shape (tests/integration/test_template.py)."""
    for family in FAMILIES:
        name = name.replace(f"Score{family}", "ScoreText")
    return name, sid


ENFORCED = sorted(
    {alike(*each) for each in statements() if each[1] not in NOT_ENFORCED and not each[0].startswith(JUDGING)}
)


@pytest.fixture(scope="module")
def ann(stack):
    with Client(stack, org="least", projects="privilege") as client:
        client("POST", "/scorers", {"name": "s"})
        client("POST", "/scorers/s/versions", {"implementation": "exact_match"})
        client("PUT", "/scorers/s/versions/1/fixtures", {"fixtures": [{"case": CASE, "outcome": "pass"}]})
        client("POST", "/scorers/s/versions/1/activation")
        client("POST", "/scorers", {"name": "j"})
        client("POST", "/scorers/j/versions", {"implementation": "judge", "parameters": JUDGE})
        yield client


class Deeds:
    """What the functions are there for: each deed says whether it was done."""

    def __init__(self, stack, client):
        self.stack, self.client = stack, client

    def read_a_scorer(self):
        return self.client("GET", "/scorers").status_code == 200

    def create_a_scorer(self):
        return self.client("POST", "/scorers", {"name": f"s-{uuid4()}"}).status_code == 201

    def add_a_version(self):
        return self.client("POST", "/scorers/s/versions", {"implementation": "exact_match"}).status_code == 201

    def resume_an_action(self):
        path = requested(self.client, new_judge(self.client, JUDGE))
        approve_and_crash(self.stack, self.client, path)
        resume(self.stack)
        return self.client("GET", path).json()["state"] == "carried_out"

    def run_a_stored_version(self):
        body = {"scorer": {"name": "s", "version": 1}, "cases": [CASE]}
        return self.client("POST", "/sandbox/runs", body).status_code == 200

    def run_a_draft(self):
        body = {"draft": {"implementation": "exact_match"}, "cases": [CASE]}
        return self.client("POST", "/sandbox/runs", body).status_code == 200

    def leave_a_run_for_later(self):
        body = {"draft": {"implementation": "exact_match", "time_limit_ms": 60_000}, "cases": [CASE]}
        return self.client("POST", "/sandbox/runs", body).status_code == 202

    def start_a_judged_run(self):
        return self._judged_run().status_code == 202

    def show_a_judged_run(self):
        run = self._judged_run().headers.get("Location", "/sandbox/runs/none")
        return self.client("GET", run).status_code == 200

    def start_a_judge_run(self):
        return self._done("SandboxWorkFunction", self._judged_group())

    def start_a_judge_run_that_was_started(self):
        group = self._judged_group()
        return [self._done("SandboxWorkFunction", group) for _ in range(2)] == [True, True]

    def score_a_group(self):
        group = {"organization_id": "least", "project_id": "privilege", "run_id": "x", "begin": 0, "end": 1}
        return self._done("SandboxWorkFunction", group)

    def score_with_a_version(self):
        return self._done("ScoreTextFunction", self._batch(version=1))

    def score_with_the_active_version(self):
        return self._done("ScoreTextFunction", self._batch(version="active"))

    def score_cases_by_reference(self):
        body = json.dumps([CASE]).encode()
        key = f"cases/{uuid4()}"
        self.stack.client("s3").put_object(Bucket=self.stack.outputs["BodiesBucketName"], Key=key, Body=body)
        return self._done("ScoreTextFunction", self._reference(key, body))

    def bury_what_cannot_be_read(self):
        return self._done("ScoreTextFunction", {"no": "batch"})

    def give_up_a_batch(self):
        return self._done("ExhaustedFunction", self._batch(version=1))

    def _judged_run(self):
        draft = {"implementation": "judge", "parameters": JUDGE}
        return self.client("POST", "/sandbox/runs", {"draft": draft, "cases": [CASE], "budget_limit": 1})

    def _judged_group(self):
        run = self._judged_run().json()["run_id"]
        return {"organization_id": "least", "project_id": "privilege", "run_id": run, "begin": 0, "end": 1}

    def list_calibrations(self):
        return self.client("GET", "/scorers/j/calibrations").status_code == 200

    def calibrate(self, **more):
        cases = more or {"cases": [LABELLED]}
        body = {"scorer": {"name": "j", "version": 1}, "split": "dev", "budget_limit": 1, **cases}
        return self.client("POST", "/calibrations", body).status_code == 202

    def calibrate_by_reference(self):
        body, key = json.dumps([LABELLED]).encode(), f"cases/{uuid4()}"
        self.stack.client("s3").put_object(Bucket=self.stack.outputs["BodiesBucketName"], Key=key, Body=body)
        return self.calibrate(cases_ref={"key": key, "sha256": sha256(body).hexdigest(), "count": 1})

    def _batch(self, version, **more):
        return {
            "schema_version": 1,
            "organization_id": "least",
            "project_id": "privilege",
            "run_id": str(uuid4()),
            "batch_id": "b",
            "purpose": "evaluation",
            "scorer": {"name": "s", "version": version},
            **(more or {"cases": [CASE]}),
        }

    def _reference(self, key, body):
        return self._batch(1, cases_ref={"key": key, "sha256": sha256(body).hexdigest(), "count": 1})

    def _done(self, function, body):
        """Whether the function took the message, as its event source would hand it over."""
        queue = self.stack.physical_id("TextExhaustedQueue")
        arn = self.stack.client("sqs").get_queue_attributes(QueueUrl=queue, AttributeNames=["QueueArn"])
        record = {
            "messageId": "m",
            "body": json.dumps(body),
            "attributes": {"ApproximateReceiveCount": "1"},
            "eventSourceARN": arn["Attributes"]["QueueArn"],
        }
        answer = self.stack.client("lambda").invoke(
            FunctionName=self.stack.physical_id(function), Payload=json.dumps({"Records": [record]})
        )
        return json.loads(answer["Payload"].read()) == {"batchItemFailures": []}


NEEDED_FOR = {
    ("RegistryRole", "ReadRegistry"): Deeds.read_a_scorer,
    ("RegistryRole", "WriteRegistry"): Deeds.create_a_scorer,
    ("RegistryRole", "ChangeRegistry"): Deeds.add_a_version,
    ("ActionsRole", "FindDueActions"): Deeds.resume_an_action,
    ("ActionsRole", "ReadWhatActionsTake"): Deeds.resume_an_action,
    ("ActionsRole", "BringActionsOn"): Deeds.resume_an_action,
    ("ActionsRole", "ActivateVersions"): Deeds.resume_an_action,
    ("SandboxRole", "ReadVersions"): Deeds.run_a_stored_version,
    ("SandboxRole", "KeepRuns"): Deeds.run_a_draft,
    ("SandboxRole", "OpenAndReadBudgets"): Deeds.start_a_judged_run,
    ("SandboxRole", "ReadPanelsResults"): Deeds.show_a_judged_run,
    ("SandboxRole", "LeaveCasesForLater"): Deeds.leave_a_run_for_later,
    ("SandboxWorkRole", "KeepResults"): Deeds.score_a_group,
    ("SandboxWorkRole", "HoldCases"): Deeds.start_a_judge_run,
    ("SandboxWorkRole", "StartPanels"): Deeds.start_a_judge_run,
    ("SandboxWorkRole", "ResumePanels"): Deeds.start_a_judge_run_that_was_started,
    ("CalibrationsRole", "ReadVersionsAndCalibrations"): Deeds.list_calibrations,
    ("CalibrationsRole", "WriteCalibrationsAndAnswers"): Deeds.calibrate,
    ("CalibrationsRole", "OpenBudgets"): Deeds.calibrate,
    ("CalibrationsRole", "HoldCases"): Deeds.calibrate,
    ("CalibrationsRole", "LetTheWorkBegin"): Deeds.calibrate,
    ("CalibrationsRole", "ReadBodies"): Deeds.calibrate_by_reference,
    ("ScoringPolicy", "ReadVersionsAndPins"): Deeds.score_with_a_version,
    ("ScoringPolicy", "PinRuns"): Deeds.score_with_the_active_version,
    ("ScoringPolicy", "ReadBodies"): Deeds.score_cases_by_reference,
    ("ScoringPolicy", "SendResults"): Deeds.score_with_a_version,
    ("ScoreTextRole", "BuryUnreadableMessages"): Deeds.bury_what_cannot_be_read,
    ("ExhaustedRole", "BuryThem"): Deeds.give_up_a_batch,
}


@contextmanager
def without(stack, name, sid):
    """Take one statement away while the block runs."""
    iam = stack.client("iam")
    with ExitStack() as restoring:
        if TEMPLATE[name]["Type"] == "AWS::IAM::ManagedPolicy":
            _without_in_policy(iam, stack.physical_id(name), sid, restoring)
        else:
            _without_in_role(iam, stack.physical_id(name), sid, restoring)
        yield


def _without_in_role(iam, role, sid, restoring):
    [policy] = iam.list_role_policies(RoleName=role)["PolicyNames"]
    document = iam.get_role_policy(RoleName=role, PolicyName=policy)["PolicyDocument"]
    restoring.callback(iam.put_role_policy, RoleName=role, PolicyName=policy, PolicyDocument=json.dumps(document))
    iam.put_role_policy(RoleName=role, PolicyName=policy, PolicyDocument=json.dumps(_left(document, sid)))


def _without_in_policy(iam, arn, sid, restoring):
    default = iam.get_policy(PolicyArn=arn)["Policy"]["DefaultVersionId"]
    document = iam.get_policy_version(PolicyArn=arn, VersionId=default)["PolicyVersion"]["Document"]
    restoring.callback(_replace, iam, arn, document)
    _replace(iam, arn, _left(document, sid))


def _replace(iam, arn, document):
    before = iam.get_policy(PolicyArn=arn)["Policy"]["DefaultVersionId"]
    iam.create_policy_version(PolicyArn=arn, PolicyDocument=json.dumps(document), SetAsDefault=True)
    iam.delete_policy_version(PolicyArn=arn, VersionId=before)


def _left(document, sid):
    left = [each for each in document["Statement"] if each["Sid"] != sid]
    assert len(left) == len(document["Statement"]) - 1
    return {**document, "Statement": left}


def test_every_statement_is_needed_for_something_or_said_why_it_is_not_shown():
    assert set(ENFORCED) == NEEDED_FOR.keys()


@pytest.mark.parametrize("statement", NEEDED_FOR, ids="-".join)
def test_without_a_statement_something_fails(stack, ann, statement):
    deed = NEEDED_FOR[statement]

    with without(stack, *statement):
        done_without = deed(Deeds(stack, ann))

    assert not done_without
    assert deed(Deeds(stack, ann))
