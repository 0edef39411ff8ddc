"""One set of facts for every adapter behind a port, the real one (on moto) and the fake that other tests use."""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ConnectTimeoutError
from moto import mock_aws

from evalbook.adapters.dynamodb.versions import DynamoDbVersions
from evalbook.adapters.process.forked_worker import ForkedWorker
from evalbook.adapters.s3 import bodies as s3_bodies
from evalbook.adapters.s3.bodies import S3Bodies
from evalbook.adapters.sqs.messages import SqsDeadLetters, SqsQueue
from evalbook.domain.errors import StoreUnavailable, Unreadable, WorkerDied
from evalbook.domain.result import Run, ScoringVersion
from evalbook.domain.versions import ScorerKey, VersionState
from evalbook.services.scoring.batch_job import BatchJob, CaseRange
from evalbook.services.scoring.ports import Message, Outgoing
from tests.fakes.aws_account import BUCKET, TABLE, AwsAccount, make_account
from tests.fakes.batches import SCORER, batch, cases, results_of, version
from tests.fakes.stores import MemoryBodies, MemoryDeadLetters, MemoryQueue, MemoryVersions
from tests.fakes.worker import InProcessWorker

LARGE = b"x" * 2_000
OTHER = ScorerKey("org-2", "project-1", SCORER.name)


@pytest.fixture
def account(monkeypatch: pytest.MonkeyPatch) -> Iterator[AwsAccount]:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-west-1")
    with mock_aws():
        yield make_account()


both = pytest.mark.parametrize("kind", ["real", "fake"])


# ---------------------------------------------------------------- VersionStore


@pytest.fixture
def versions(kind: str, request: pytest.FixtureRequest) -> Any:
    if kind == "fake":
        return MemoryVersions()
    return DynamoDbVersions(request.getfixturevalue("account").dynamodb, TABLE)


@both
def test_a_version_is_read_as_it_was_put(versions):
    stored = version(12, parameters={"texts": ["ä", "1.50"]}, state=VersionState.DRAFT, time_limit_ms=60_000)

    versions.put(stored)

    assert versions.get(SCORER, 12) == stored


@both
def test_a_version_that_exists_stays_as_it_is(versions):
    versions.put(version(1))

    versions.put(version(1, parameters={"texts": ["other"]}))

    assert versions.get(SCORER, 1) == version(1)


@both
def test_a_version_that_was_not_put_is_none(versions):
    versions.put(version(1))

    assert (versions.get(SCORER, 2), versions.get(OTHER, 1)) == (None, None)


@both
def test_a_scorer_without_activation_has_no_active_version(versions):
    versions.put(version(1))

    assert versions.active(SCORER) is None


@both
def test_a_run_without_a_pin_has_none(versions):
    assert versions.pin(SCORER, "run-1", None) is None


@both
def test_the_first_pin_of_a_run_stays(versions):
    assert versions.pin(SCORER, "run-1", 3) == 3
    assert versions.pin(SCORER, "run-1", 4) == 3
    assert versions.pin(SCORER, "run-1", None) == 3


@both
def test_runs_and_scorers_are_pinned_apart(versions):
    versions.pin(SCORER, "run-1", 3)

    assert versions.pin(SCORER, "run-2", 4) == 4
    assert versions.pin(OTHER, "run-1", 5) == 5


def test_the_active_version_is_the_one_that_the_table_names(account):
    key = {
        "pk": {"S": f"ORG#{SCORER.organization_id}#PROJECT#{SCORER.project_id}"},
        "sk": {"S": f"SCORER#{SCORER.name}"},
    }
    account.dynamodb.put_item(TableName=TABLE, Item={**key, "active": {"N": "7"}})

    assert DynamoDbVersions(account.dynamodb, TABLE).active(SCORER) == 7


def test_a_table_that_is_not_there_is_unavailable(account):
    versions = DynamoDbVersions(account.dynamodb, "other")

    for call in (lambda: versions.get(SCORER, 1), lambda: versions.pin(SCORER, "run-1", 1)):
        with pytest.raises(StoreUnavailable, match="ResourceNotFoundException"):
            call()


# ---------------------------------------------------------------- Queue


@dataclass
class Sent:
    """A queue and a way to see what it took."""

    queue: Any
    account: AwsAccount
    kind: str

    def bodies(self) -> list[bytes]:
        if self.kind == "fake":
            return self.queue.bodies
        return sorted(message["Body"].encode() for message in self.account.drain(self.account.results))


@pytest.fixture
def sent(kind: str, account: AwsAccount) -> Sent:
    real = SqsQueue(account.sqs, account.results)
    return Sent(real if kind == "real" else MemoryQueue(), account, kind)


def numbered(count: int, size: int = 10) -> list[Outgoing]:
    return [Outgoing("message-1", b"%03d" % number + b"x" * size) for number in range(count)]


@both
@pytest.mark.parametrize(("count", "size"), [(0, 1), (1, 1), (10, 10), (25, 10), (7, 300_000), (1, 1_048_573)])
def test_a_queue_takes_every_message_whatever_fits_a_request(sent, count, size):
    assert sent.queue.send(numbered(count, size)) == {}
    assert sent.bodies() == [message.body for message in numbered(count, size)]


@both
def test_a_queue_takes_any_text(sent):
    body = '{"a": "ä\\u0000\\ud83d\\ude00\U0001f600\x7f"}'.encode()

    sent.queue.send([Outgoing("message-1", body)])

    assert sent.bodies() == [body]


def test_the_characters_that_sqs_refuses_are_sent_as_escapes(account):
    queue = SqsQueue(account.sqs, account.results)

    assert queue.send([Outgoing("message-1", '["\ufffe\uffff\ufffd"]'.encode())]) == {}
    assert [message["Body"] for message in account.drain(account.results)] == ['["\\ufffe\\uffff\ufffd"]']


def test_a_queue_names_the_messages_that_it_did_not_take(account):
    client = boto3.client("sqs", "eu-west-1")
    client.meta.events.register("after-call.sqs.SendMessageBatch", _refuse_the_second)

    assert SqsQueue(client, account.results).send([Outgoing(name, b"{}") for name in "abc"]) == {"b": "InternalError"}


def _refuse_the_second(parsed, **_):
    parsed["Failed"] = [{"Id": parsed["Successful"].pop(1)["Id"], "Code": "InternalError", "SenderFault": False}]


def test_a_queue_that_is_not_there_takes_nothing(account):
    queue = SqsQueue(account.sqs, account.results + "-other")

    assert queue.send([Outgoing(name, b"{}") for name in "abc"]) == dict.fromkeys(
        "abc", "AWS.SimpleQueueService.NonExistentQueue"
    )


# ---------------------------------------------------------------- DeadLetters


@both
def test_dead_letters_keep_the_message_and_the_reason(kind, account):
    letters = SqsDeadLetters(account.sqs, account.dead) if kind == "real" else MemoryDeadLetters()
    message = Message("message-1", "{ no JSON ä".encode(), 3)

    letters.send(message, "it is no JSON")

    assert kept(letters, account) == [(message, "it is no JSON")]


def kept(letters: Any, account: AwsAccount) -> list[tuple[Message, str]]:
    if isinstance(letters, MemoryDeadLetters):
        return letters.kept
    found = []
    for message in account.drain(account.dead):
        attributes = {name: value["StringValue"] for name, value in message["MessageAttributes"].items()}
        assert attributes.keys() == {"reason", "message_id", "receive_count"}
        original = Message(attributes["message_id"], message["Body"].encode(), int(attributes["receive_count"]))
        found.append((original, attributes["reason"]))
    return found


@both
def test_dead_letters_that_do_not_answer_are_unavailable(kind, account):
    letters = SqsDeadLetters(account.sqs, account.dead + "-other") if kind == "real" else MemoryDeadLetters(down=True)

    with pytest.raises(StoreUnavailable):
        letters.send(Message("message-1", b"{}", 1), "a reason")


# ---------------------------------------------------------------- Bodies


@pytest.fixture
def bodies(kind: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(s3_bodies, "MAX_BYTES", len(LARGE))
    objects = {"small": b"[]", "large": LARGE, "too large": LARGE + b"x"}
    if kind == "fake":
        return MemoryBodies(objects)
    account = request.getfixturevalue("account")
    for key, body in objects.items():
        account.s3.put_object(Bucket=BUCKET, Key=key, Body=body)
    return S3Bodies(lambda: account.s3, BUCKET)


@both
@pytest.mark.parametrize(("key", "body"), [("small", b"[]"), ("large", LARGE)])
def test_a_body_is_read_whose_digest_is_the_named_one(bodies, key, body):
    assert bodies.read(key, sha256(body).hexdigest()) == body


@both
@pytest.mark.parametrize(
    ("key", "reason"),
    [("small", "another digest"), ("too large", "larger than 8 MiB"), ("none", "does not exist")],
)
def test_a_body_that_is_not_the_named_one_cannot_be_read(bodies, key, reason):
    with pytest.raises(Unreadable, match=reason):
        bodies.read(key, "0" * 64)


@both
def test_a_key_that_no_object_can_have_names_none(bodies):
    with pytest.raises(Unreadable, match="does not exist"):
        bodies.read("ä" * 1_024, "0" * 64)


def test_a_bucket_that_is_not_there_is_unavailable(account):
    with pytest.raises(StoreUnavailable, match="NoSuchBucket"):
        S3Bodies(lambda: account.s3, "other").read("small", "0" * 64)


def test_a_bucket_that_does_not_answer_is_unavailable(account):
    client = boto3.client("s3", "eu-west-1", config=Config(retries={"total_max_attempts": 1}))
    client.meta.events.register_first("before-send", _nobody_answers)

    with pytest.raises(StoreUnavailable, match="did not answer"):
        S3Bodies(lambda: client, BUCKET).read("small", "0" * 64)


def _nobody_answers(**_):
    raise ConnectTimeoutError(endpoint_url="https://bodies")


# ---------------------------------------------------------------- Worker


@pytest.fixture
def worker(kind: str) -> Iterator[Any]:
    worker = ForkedWorker() if kind == "real" else InProcessWorker()
    yield worker
    if isinstance(worker, ForkedWorker):
        worker.close()


def job(*outputs: Any) -> BatchJob:
    stored = version()
    body = batch(cases(*outputs))
    return BatchJob(
        CaseRange(body, True, 0, len(outputs), 0, frozenset()),
        Run("org-1", "project-1", "run-1"),
        ScoringVersion(SCORER.name, 1, stored.digest, stored.implementation),
        stored.parameters.encode(),
        stored.time_limit_ms,
    )


@both
def test_a_worker_gives_every_item_its_result_in_order(worker):
    results = list(worker.run(job("hello", "good bye", 7), seconds_left=60.0, survive_crashes=False))

    decoded = results_of([b'{"results":[' + b",".join(encoded for _, encoded in results) + b"]}"])
    assert [number for number, _ in results] == [0, 1, 2]
    assert [result["outcome"] for result in decoded] == ["pass", "fail", "fail"]


@both
def test_a_worker_starts_nothing_without_time(worker):
    assert list(worker.run(job("hello"), seconds_left=-1.0, survive_crashes=False)) == []


def test_both_workers_give_the_same_bytes():
    forked = ForkedWorker()

    results = [
        list(worker.run(job("hello", "good bye", None), seconds_left=60.0, survive_crashes=False))
        for worker in (forked, InProcessWorker())
    ]

    forked.close()
    assert results[0] == results[1]


def test_the_worker_in_this_process_dies_as_it_is_told():
    worker = InProcessWorker(deadly=frozenset({1}))

    with pytest.raises(WorkerDied):
        list(worker.run(job("hello", "hello"), seconds_left=60.0, survive_crashes=False))
