"""One set of facts for the places where calibrations are kept, the real ones (on moto) and the fakes."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import boto3
import pytest
from moto import mock_aws

from evalbook.adapters.dynamodb.calibrations import DynamoDbCalibrations
from evalbook.adapters.dynamodb.table import Table
from evalbook.adapters.s3.judge_run_texts import S3JudgeRunBodies
from evalbook.adapters.sqs.calibration_queue import SqsVisits, visits_of
from evalbook.domain.errors import StoreUnavailable
from evalbook.domain.records import AuditStamp, Project
from evalbook.services.calibration.ports import (
    CalibrationProgress,
    CalibrationRecord,
    CalibrationStatus,
    CalibrationTick,
)
from evalbook.services.judging.ports import BodyRef
from tests.fakes.calibrations import MemoryCalibrations
from tests.fakes.registry import create_table, dynamodb

SUPPORT, SALES = Project("acme", "support"), Project("acme", "sales")
PROGRESS = CalibrationProgress(3, 25, (4, 17), 23, 2, 900, "2026-11-30T12:00:05Z")
both = pytest.mark.parametrize("kind", ["real", "fake"])


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with dynamodb() as each:
        yield each


@pytest.fixture
def store(kind: str, request: pytest.FixtureRequest) -> Any:
    if kind == "fake":
        return MemoryCalibrations()
    client, name = request.getfixturevalue("client"), request.node.name
    table = "".join(each for each in name if each.isalnum())
    create_table(client, table)
    return DynamoDbCalibrations(Table(client, table))


def calibration(number=1, project=SUPPORT, **more):
    record = CalibrationRecord(
        project=project,
        calibration_id=f"c-{number:04d}",
        scorer="judge",
        version=2,
        digest="d" * 64,
        material_digest="m" * 64,
        label_set_digest="l" * 64,
        activations=1,
        created=AuditStamp("ann", "2026-11-30T12:00:00Z"),
        status=CalibrationStatus.RUNNING,
        rubric_digest="r" * 64,
        split="test",
        guideline_digest="g" * 64,
        cases=30,
        held=BodyRef("cases/c/1", "0" * 64),
        budget_id="b",
        owns_budget=True,
        deadline_at="2026-11-30T13:00:00Z",
    )
    return replace(record, **more)


def ended(record, **more):
    changes = {
        "status": CalibrationStatus.FINISHED,
        "report": '{"kind":"binary"}',
        "rows": BodyRef("rows/c/2", "1" * 64),
        "finished_at": "2026-11-30T12:30:00Z",
        "progress": PROGRESS,
    }
    return replace(record, **{**changes, **more})


@both
@pytest.mark.parametrize(
    "record", [calibration(), calibration(rubric_digest=None, guideline_digest=None, held=None, owns_budget=False)]
)
def test_a_calibration_is_read_as_it_was_created(store, record):
    store.create(record)

    assert store.calibration(SUPPORT, record.calibration_id) == record
    assert store.calibrations(record.scorer_key, "", 10) == [record]


@both
def test_a_calibration_is_not_there_in_another_project(store):
    store.create(calibration())

    assert store.calibration(SALES, "c-0001") is None
    assert store.calibrations(SALES.scorer("judge"), "", 10) == []


@both
def test_another_scorers_calibrations_are_not_listed(store):
    store.create(calibration())

    assert store.calibrations(SUPPORT.scorer("judg"), "", 10) == []


@both
def test_an_id_is_taken_once(store):
    store.create(calibration())

    with pytest.raises(StoreUnavailable):
        store.create(calibration(version=3))

    assert store.calibration(SUPPORT, "c-0001").version == 2


@both
def test_calibrations_are_listed_newest_first_from_an_id_on(store):
    for number in (2, 1, 3):
        store.create(calibration(number))

    listed = [
        [each.calibration_id for each in store.calibrations(SUPPORT.scorer("judge"), after, 2)]
        for after in ("", "c-0002")
    ]

    assert listed == [["c-0003", "c-0002"], ["c-0001"]]


@both
def test_progress_is_stored(store):
    store.create(calibration())

    assert store.advance(calibration(), PROGRESS)
    assert store.calibration(SUPPORT, "c-0001").progress == PROGRESS


@both
def test_progress_that_somebody_else_has_stored_stays(store):
    store.create(calibration())
    store.advance(calibration(), PROGRESS)

    assert not store.advance(calibration(), CalibrationProgress(visits=1))
    assert store.calibration(SUPPORT, "c-0001").progress == PROGRESS


@both
def test_an_end_is_stored_once(store):
    store.create(calibration())

    assert store.end(ended(calibration()))
    assert not store.end(ended(calibration(), status=CalibrationStatus.FAILED, report=None, code="SCORING_FAILED"))
    assert store.calibration(SUPPORT, "c-0001") == ended(calibration())


@both
def test_a_failure_is_an_end_with_a_code(store):
    failed = ended(calibration(), status=CalibrationStatus.FAILED, report=None, rows=None, code="SCORING_FAILED")
    store.create(calibration())

    store.end(failed)

    assert store.calibration(SUPPORT, "c-0001") == failed


@both
def test_what_has_ended_makes_no_progress(store):
    store.create(calibration())
    store.end(ended(calibration(), progress=CalibrationProgress()))

    assert not store.advance(calibration(), PROGRESS)


@both
def test_outcomes_are_kept_by_number_and_the_first_one_stays(store):
    store.create(calibration())
    for index, text in ((499, b"last"), (7, b"first"), (7, b"second")):
        store.put_outcome(calibration(), index, text)

    assert store.outcomes(calibration()) == {7: b"first", 499: b"last"}


@both
def test_outcomes_are_kept_apart(store):
    store.put_outcome(calibration(1), 0, b"one")

    assert [store.outcomes(each) for each in (calibration(11), calibration(1, SALES))] == [{}, {}]


def test_what_became_of_single_cases_expires_and_the_calibration_does_not(client):
    create_table(client, "expiring")
    store = DynamoDbCalibrations(Table(client, "expiring"))
    store.create(calibration())
    store.put_outcome(calibration(), 0, b"{}")

    kinds = {
        item["sk"]["S"].partition("#")[0]: "expires_at" in item for item in client.scan(TableName="expiring")["Items"]
    }

    assert kinds == {"RECORD": False, "ID": False, "OUTCOME": True}


def test_a_table_that_is_not_there_is_unavailable(client):
    store = DynamoDbCalibrations(Table(client, "other"))

    with pytest.raises(StoreUnavailable):
        store.calibration(SUPPORT, "c-0001")


@pytest.fixture
def sqs(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    with mock_aws():
        yield boto3.client("sqs", "eu-west-1", aws_access_key_id="testing", aws_secret_access_key="testing")


def test_a_visit_is_delivered_as_it_was_sent(sqs):
    url = sqs.create_queue(QueueName="visits")["QueueUrl"]
    visit = CalibrationTick(SUPPORT, "c-0001", 4)

    SqsVisits(sqs, url).send(visit, 0)

    [message] = sqs.receive_message(QueueUrl=url)["Messages"]
    event = {"Records": [{"messageId": "m", "body": message["Body"]}]}
    assert list(visits_of(event)) == [("m", visit)]


def test_a_visit_is_delayed(sqs):
    url = sqs.create_queue(QueueName="visits")["QueueUrl"]

    SqsVisits(sqs, url).send(CalibrationTick(SUPPORT, "c-0001", 4), 900)

    assert "Messages" not in sqs.receive_message(QueueUrl=url)


def test_a_queue_that_does_not_take_a_visit_is_unavailable(sqs):
    with pytest.raises(StoreUnavailable):
        SqsVisits(sqs, "https://sqs.eu-west-1.amazonaws.com/123456789012/none").send(
            CalibrationTick(SUPPORT, "c", 0), 0
        )


def test_texts_of_one_bucket_are_kept_in_folders(sqs):
    s3 = boto3.client("s3", "eu-west-1", aws_access_key_id="testing", aws_secret_access_key="testing")
    s3.create_bucket(Bucket="calibrations", CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})

    ref = S3JudgeRunBodies(lambda: s3, "calibrations", "rows").put("c-0001", b"[]")

    assert ref.key.startswith("rows/c-0001/")
