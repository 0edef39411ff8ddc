"""The events are what Lambda sends, and their bodies are what our contracts say."""

import hashlib
import json
from pathlib import Path

import pytest

from evalbook.adapters.sqs.event import batch_item_failures, messages_of, queue_arn_of
from evalbook.contracts.score_batch import ScoreBatch, read_batch, read_cases
from evalbook.domain.errors import Unreadable
from tests.fakes.events import EVENTS, bodies_of, read_event, referred_cases

NAMES = [
    "sqs_score_batch.json",
    "sqs_score_batch_poison.json",
    "sqs_score_batch_ref.json",
    "sqs_exhausted.json",
    "sqs_judge_batch.json",
]
RECORD = {
    "messageId": str,
    "receiptHandle": str,
    "body": str,
    "attributes": dict,
    "messageAttributes": dict,
    "md5OfBody": str,
    "eventSource": str,
    "eventSourceARN": str,
    "awsRegion": str,
}

every_event = pytest.mark.parametrize("name", NAMES)


def test_every_sqs_event_is_tested():
    assert sorted(path.name for path in Path(EVENTS).glob("sqs_*.json")) == sorted(NAMES)


@every_event
def test_a_record_has_the_members_that_lambda_sends(name):
    for record in read_event(name)["Records"]:
        assert {member: type(value) for member, value in record.items()} == RECORD
        assert record["attributes"].keys() == {
            "ApproximateReceiveCount",
            "SentTimestamp",
            "SenderId",
            "ApproximateFirstReceiveTimestamp",
        }
        assert record["md5OfBody"] == hashlib.md5(record["body"].encode(), usedforsecurity=False).hexdigest()


@every_event
def test_every_record_is_a_message(name):
    event = read_event(name)

    messages = messages_of(event)

    assert [message.body for message in messages] == bodies_of(event)
    assert len({message.message_id for message in messages}) == len(messages)


@pytest.mark.parametrize(
    ("name", "readable"),
    [
        ("sqs_score_batch.json", [True] * 3),
        ("sqs_judge_batch.json", [True]),
        ("sqs_score_batch_poison.json", [True, False, False, True, True]),
        ("sqs_score_batch_ref.json", [True] * 2),
        ("sqs_exhausted.json", [True, False]),
    ],
)
def test_a_body_is_a_score_batch_or_is_meant_not_to_be(name, readable):
    assert [is_batch(body) for body in bodies_of(read_event(name))] == readable


def is_batch(body: bytes) -> bool:
    try:
        return type(read_batch(body).head) is ScoreBatch
    except Unreadable:
        return False


def test_the_referred_cases_are_the_ones_that_the_event_names():
    for body in bodies_of(read_event("sqs_score_batch_ref.json")):
        ref = read_batch(body).head.cases_ref
        assert ref.sha256 == hashlib.sha256(referred_cases()).hexdigest()
        assert ref.count == len(read_cases(referred_cases()))


def test_the_receive_count_is_the_events():
    assert [message.receive_count for message in messages_of(read_event("sqs_exhausted.json"))] == [6, 6]


def test_the_queue_is_the_events():
    assert queue_arn_of(read_event("sqs_exhausted.json")) == "arn:aws:sqs:eu-west-1:123456789012:exhausted"


def test_an_event_without_records_has_no_messages():
    assert messages_of({}) == []


def test_a_body_with_half_a_pair_is_read_as_it_is():
    event = json.loads('{"Records": [{"messageId": "a", "body": "\\ud800"}]}')

    assert [(message.body, message.receive_count) for message in messages_of(event)] == [(b"\xed\xa0\x80", 1)]


def test_the_answer_names_the_messages_that_failed():
    assert batch_item_failures(["a", "b"]) == {"batchItemFailures": [{"itemIdentifier": "a"}, {"itemIdentifier": "b"}]}
