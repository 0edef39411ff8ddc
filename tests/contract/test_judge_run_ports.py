"""One set of facts for a judge run's stores, the real ones (on moto) and the fakes; for executions, the real one."""

import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError
from moto import mock_aws

from evalbook.adapters.dynamodb.judge_runs import DynamoDbJudgeRunRecords
from evalbook.adapters.s3.judge_run_texts import S3JudgeRunBodies
from evalbook.adapters.stepfunctions import MAX_RESUMPTIONS, SfnExecutions
from evalbook.domain.errors import StoreUnavailable, Unreadable
from evalbook.services.judging.ports import BodyRef
from tests.fakes.judge_runs import PANEL, MemoryJudgeRunBodies, MemoryJudgeRunRecords

MACHINE = "arn:aws:states:eu-west-1:123456789012:stateMachine:judge-panel"
both = pytest.mark.parametrize("kind", ["real", "fake"])


@pytest.fixture
def clients() -> Iterator[Any]:
    with mock_aws():
        clients = SimpleNamespace(s3=boto3.client("s3"), dynamodb=boto3.client("dynamodb"))
        clients.s3.create_bucket(Bucket="panels", CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
        clients.dynamodb.create_table(
            TableName="results",
            BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")],
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        )
        yield clients


@pytest.fixture
def bodies(kind: str, request: pytest.FixtureRequest) -> Any:
    if kind == "fake":
        return MemoryJudgeRunBodies()
    clients = request.getfixturevalue("clients")
    return S3JudgeRunBodies(lambda: clients.s3, "panels")


@pytest.fixture
def records(kind: str, request: pytest.FixtureRequest) -> Any:
    if kind == "fake":
        return MemoryJudgeRunRecords()
    return DynamoDbJudgeRunRecords(request.getfixturevalue("clients").dynamodb, "results")


@both
def test_a_text_is_read_as_it_was_held(bodies):
    ref = bodies.put(PANEL, "ä\x00".encode())

    assert bodies.read(ref) == "ä\x00".encode()


@both
def test_equal_texts_are_held_once(bodies):
    assert bodies.put(PANEL, b"text") == bodies.put(PANEL, b"text")


@both
@pytest.mark.parametrize("ref", [BodyRef("panels/none", "0" * 64), None])
def test_a_text_that_is_not_there_or_another_one_is_unreadable(bodies, ref):
    held = bodies.put(PANEL, b"text")

    with pytest.raises(Unreadable):
        bodies.read(ref or BodyRef(held.key, "0" * 64))


@both
def test_what_is_recorded_first_stays(records):
    first = records.keep(PANEL, "RESULT", b"first")
    second = records.keep(PANEL, "RESULT", b"second")

    assert (first, second, records.find(PANEL, "RESULT")) == (b"first", b"first", b"first")


@both
def test_records_of_other_names_and_judge_runs_are_others(records):
    records.keep(PANEL, "RESULT", b"first")

    assert (records.find(PANEL, "PLAN"), records.find("b" * 64, "RESULT")) == (None, None)


def test_a_record_expires_after_the_days_that_it_is_kept(clients):
    before = int(time.time())
    DynamoDbJudgeRunRecords(clients.dynamodb, "results", kept_days=3).keep(PANEL, "RESULT", b"first")

    [item] = clients.dynamodb.scan(TableName="results")["Items"]

    assert 0 <= int(item["expires_at"]["N"]) - before - 3 * 24 * 3600 <= 60


def test_stores_that_do_not_answer_are_unavailable(clients):
    bodies = S3JudgeRunBodies(lambda: clients.s3, "no-such-bucket")
    records = DynamoDbJudgeRunRecords(clients.dynamodb, "no-such-table")

    for attempt in (
        lambda: bodies.put(PANEL, b""),
        lambda: bodies.read(BodyRef("key", "0" * 64)),
        lambda: records.keep(PANEL, "RESULT", b""),
        lambda: records.find(PANEL, "RESULT"),
    ):
        with pytest.raises(StoreUnavailable):
            attempt()


class Machine:
    """Step Functions as far as the adapter asks it; executions stand as the test says."""

    def __init__(self, **statuses):
        self.statuses = {name.replace("_", "-"): status for name, status in statuses.items()}
        self.redriven = []
        self.redrives = {}

    def start_execution(self, *, stateMachineArn, name, input):  # noqa: A002, ARG002, N803  (the client's names)
        if name in self.statuses:
            raise ClientError({"Error": {"Code": "ExecutionAlreadyExists"}}, "StartExecution")
        self.statuses[name] = "RUNNING"

    def describe_execution(self, *, executionArn):  # noqa: N803
        return {"status": self.statuses[executionArn.rpartition(":")[2]], "input": "{}"}

    def list_executions(self, *, stateMachineArn, statusFilter, maxResults):  # noqa: ARG002, N803
        names = [name for name, status in self.statuses.items() if status == statusFilter]
        return {"executions": [{"name": name, "redriveCount": self.redrives.get(name, 0)} for name in names]}

    def redrive_execution(self, *, executionArn):  # noqa: N803
        self.redriven.append(executionArn.rpartition(":")[2])


def executions(machine, *, redrives=False):
    return SfnExecutions(machine, MACHINE, redrives=redrives)


def test_a_judge_run_is_started_under_its_own_name():
    machine = Machine()

    executions(machine).start("p1", "{}")

    assert machine.statuses == {"p1": "RUNNING"}


@pytest.mark.parametrize("status", ["RUNNING", "SUCCEEDED", "ABORTED"])
def test_a_judge_run_that_runs_or_has_ended_well_is_not_started_again(status):
    machine = Machine(p1=status)

    executions(machine).start("p1", "{}")

    assert machine.statuses == {"p1": status}


@pytest.mark.parametrize("status", ["FAILED", "TIMED_OUT"])
def test_a_judge_run_that_failed_is_redriven(status):
    machine = Machine(p1=status)

    executions(machine, redrives=True).start("p1", "{}")

    assert machine.redriven == ["p1"]


def test_where_nothing_can_be_redriven_another_execution_takes_the_failed_ones_place():
    machine = Machine(p1="FAILED")

    executions(machine).start("p1", "{}")
    executions(machine).start("p1", "{}")

    assert machine.statuses == {"p1": "FAILED", "p1-r1": "RUNNING"}


def test_a_judge_run_that_fails_again_and_again_is_left_to_a_person():
    failed = {f"p1_r{number}": "FAILED" for number in range(1, MAX_RESUMPTIONS + 1)}
    machine = Machine(p1="FAILED", **failed)

    assert executions(machine).resume_failed(10) == 0
    assert len(machine.statuses) == 1 + MAX_RESUMPTIONS


def test_failed_judge_runs_are_resumed_up_to_a_limit():
    machine = Machine(p1="FAILED", p2="TIMED_OUT", p3="SUCCEEDED", p4="FAILED")

    assert executions(machine, redrives=True).resume_failed(2) == 2
    assert machine.redriven == ["p1", "p4"]


def test_a_judge_run_that_was_redriven_often_is_left_to_a_person():
    machine = Machine(p1="FAILED")
    machine.redrives["p1"] = MAX_RESUMPTIONS

    assert executions(machine, redrives=True).resume_failed(10) == 0
