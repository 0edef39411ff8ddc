"""The handlers as Lambda loads them, on the events of the events folder."""

import json

import pytest

from tests.fakes.aws_account import BUCKET
from tests.fakes.batches import batch, cases
from tests.fakes.events import read_event, referred_cases
from tests.fakes.sqs_pump import SqsPump
from tests.loading import Context

NOTHING_FAILED = {"batchItemFailures": []}


def outcomes(account):
    return {result["case_id"]: result["code"] or result["outcome"] for result in account.drained_results()}


def reasons(account):
    return [message["MessageAttributes"]["reason"]["StringValue"] for message in account.drain(account.dead)]


def emf(capfd):
    lines = [json.loads(line) for line in capfd.readouterr().out.splitlines() if line.startswith("{")]
    return [line for line in lines if "_aws" in line]


def test_a_score_batch_is_answered_case_by_case(account, load):
    answer = load("score")(read_event("sqs_score_batch.json"))

    assert answer == NOTHING_FAILED
    assert outcomes(account) == {
        "case-1": "pass",
        "case-2": "fail",
        "case-3": "fail",
        "case-4": "VERSION_NOT_ACTIVATED",
        "case-5": "VERSION_NOT_ACTIVATED",
        "case-6": "VERSION_NOT_FOUND",
    }


def test_bad_cases_and_unreadable_messages_harm_no_other(account, load):
    answer = load("score")(read_event("sqs_score_batch_poison.json"))

    assert answer == NOTHING_FAILED
    results = account.drained_results()
    assert [(result["case_id"], result["code"] or result["outcome"]) for result in results] == [
        ("good-1", "pass"),
        (None, "CASE_INVALID"),
        ("key", "CASE_INVALID"),
        ("nan", "CASE_INVALID"),
        ("long", "CASE_INVALID"),
        ("deep", "CASE_INVALID"),
        ("good-1", "CASE_ID_REPEATED"),
        (None, "CASE_INVALID"),
        ("good-2", "pass"),
        ("case-7", "pass"),
    ]
    assert reasons(account) == [
        "the message is not JSON: it does not start with { (byte 0)",
        "the message is no score batch: /organization_id is required",
        "the object that cases_ref names does not exist",
    ]


def test_cases_by_reference_are_read_from_the_bucket(account, load):
    account.s3.put_object(Bucket=BUCKET, Key="run-1/cases.json", Body=referred_cases())

    answer = load("score")(read_event("sqs_score_batch_ref.json"))

    found = [result["case_id"] for result in account.drained_results()]
    assert answer == NOTHING_FAILED
    assert found == [*(f"case-{number}" for number in range(10, 20)), "case-12", "case-13"]


def test_exhausted_messages_are_answered_and_kept(account, load):
    event = read_event("sqs_exhausted.json", account.arn(account.exhausted))

    answer = load("exhausted")(event)

    assert answer == NOTHING_FAILED
    assert outcomes(account) == {"case-20": "SCORING_FAILED", "case-21": "SCORING_FAILED"}
    assert reasons(account) == [
        "given up after too many receives",
        "the message is not JSON: it does not start with { (byte 0)",
    ]


@pytest.mark.parametrize("name", ["score", "exhausted"])
def test_an_event_without_messages_is_answered(load, name):
    assert load(name)({"Records": []}) == NOTHING_FAILED


def test_a_message_whose_results_cannot_be_sent_is_reported_as_failed(account, load):
    handler = load("score")
    account.sqs.delete_queue(QueueUrl=account.results)
    event = read_event("sqs_score_batch.json")

    answer = handler(event)

    assert answer == {"batchItemFailures": [{"itemIdentifier": record["messageId"]} for record in event["Records"]]}


def test_an_invocation_writes_one_blob_of_metrics_with_the_family_as_its_dimension(load, capfd):
    load("score")(read_event("sqs_score_batch_poison.json"))

    (blob,) = emf(capfd)
    (directive,) = blob["_aws"]["CloudWatchMetrics"]
    assert (directive["Namespace"], directive["Dimensions"], blob["family"]) == ("EvalBook", [["family"]], "text")
    assert {name: values for name, values in blob.items() if name.startswith(("Messages", "Cases"))} == {
        "Messages": [5.0],
        "MessagesFailed": [0.0],
        "MessagesUnreadable": [3.0],
        "MessagesPutBack": [0.0],
        "Cases": [10.0],
        "Cases.pass": [3.0],
        "Cases.error": [7.0],
    }


def test_a_message_without_time_goes_back_on_the_queue(account, load):
    handler = load("score")

    answer = handler(read_event("sqs_score_batch.json"), Context(milliseconds=1_000))

    assert len(answer["batchItemFailures"]) == 1
    assert len(account.drain(account.queue)) == 2


def test_a_message_that_fails_five_times_is_given_up_with_a_result_for_every_case(account, load):
    body = batch(cases("hello", "good bye"))
    score, exhausted = load("score"), load("exhausted")
    score.module.score.use_case.worker.run = None
    account.send(body)

    invocations = SqsPump(account, account.queue, score).run()
    SqsPump(account, account.exhausted, exhausted).run()

    assert invocations == 5
    assert outcomes(account) == {"case-0": "SCORING_FAILED", "case-1": "SCORING_FAILED"}
    assert reasons(account) == ["given up after too many receives"]
