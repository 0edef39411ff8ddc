"""The functions under the real runtime client, each in a process of its own, with AWS played by a server."""

import json
import random
from collections.abc import Iterator

import pytest

from evalbook.adapters.dynamodb.versions import DynamoDbVersions
from tests.fakes.aws_account import BUCKET, TABLE, AwsAccount
from tests.fakes.aws_server import aws_server
from tests.fakes.batches import SCORER, batch, message, version
from tests.fakes.events import read_event, referred_cases
from tests.integration.conftest import CREDENTIALS
from tests.runtime_api import FunctionFailed, RuntimeApi

NOTHING_FAILED = {"batchItemFailures": []}
LONG = "".join(random.Random(1).choices("abcdefgh", k=90_000))


@pytest.fixture
def endpoint(account: AwsAccount) -> Iterator[str]:
    versions = DynamoDbVersions(account.dynamodb, TABLE)
    versions.put(version(2, implementation="edit_similarity", parameters={"threshold": 0.5}, time_limit_ms=10))
    account.s3.put_object(Bucket=BUCKET, Key="run-1/cases.json", Body=referred_cases())
    with aws_server() as url:
        yield url


def start(function: str, account: AwsAccount, endpoint: str) -> RuntimeApi:
    return RuntimeApi(function, {**CREDENTIALS, **account.environment(), "AWS_ENDPOINT_URL": endpoint})


def event_of(*bodies: bytes):
    event = read_event("sqs_score_batch.json")
    (template, *_) = event["Records"]
    event["Records"] = [
        {**template, "messageId": f"message-{n}", "body": body.decode()} for n, body in enumerate(bodies)
    ]
    return event


def test_the_score_function_answers_every_event_and_writes_one_blob_an_invocation(account, endpoint):
    slow = {"output": LONG, "expected": LONG[::-1]}
    with start("score", account, endpoint) as function:
        answers = [
            function.invoke(read_event(name))
            for name in ("sqs_score_batch.json", "sqs_score_batch_poison.json", "sqs_score_batch_ref.json")
        ]
        answers.append(
            function.invoke(
                event_of(
                    batch(
                        [{"case_id": "slow", **slow}, {"case_id": "quick", "output": "a", "expected": "a"}],
                        scorer={"name": SCORER.name, "version": 2},
                    ),
                    batch([{"case_id": "after", "output": "hello"}]),
                )
            )
        )
        written = function.close()

    found = [(result["case_id"], result["code"] or result["outcome"]) for result in account.drained_results()]
    blobs = [json.loads(line) for line in written.splitlines() if "CloudWatchMetrics" in line]
    assert answers == [NOTHING_FAILED] * 4
    assert len(found) == 6 + 10 + 12 + 3
    assert found[-3:] == [("slow", "TIME_LIMIT"), ("quick", "pass"), ("after", "pass")]
    assert len(account.drain(account.dead)) == 3
    assert [blob["_aws"]["CloudWatchMetrics"][0]["Dimensions"] for blob in blobs] == [[["family"]]] * 4
    assert [blob["Cases"] for blob in blobs] == [[6.0], [10.0], [12.0], [3.0]]


def test_the_exhausted_function_answers_and_keeps(account, endpoint):
    with start("exhausted", account, endpoint) as function:
        answer = function.invoke(read_event("sqs_exhausted.json", account.arn(account.exhausted)))

    codes = [result["code"] for result in account.drained_results()]
    assert (answer, codes) == (NOTHING_FAILED, ["SCORING_FAILED"] * 2)
    assert len(account.drain(account.dead)) == 2


def test_a_function_without_its_settings_says_which_are_missing_and_no_value(account, endpoint):
    with RuntimeApi("score", {**CREDENTIALS, "SCORER_FAMILY": "text"}) as function:
        with pytest.raises(FunctionFailed) as caught:
            function.invoke(event_of(message(batch([])).body))

        assert "REGISTRY_TABLE" in str(caught.value) + function.close()
