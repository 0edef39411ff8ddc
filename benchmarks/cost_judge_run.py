"""The steps of a judge run over moto and the gateway's stand-in, for measuring."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import boto3
from moto import mock_aws

from devstack.standins.gateway import TOKEN, GatewayStandIn
from evalbook import observability
from evalbook.adapters.dynamodb.budgets import DUE_INDEX, DynamoDbLedger
from evalbook.adapters.dynamodb.versions import DynamoDbVersions
from evalbook.adapters.s3.judge_run_texts import S3JudgeRunBodies
from evalbook.budgets.model import Budget, BudgetKey
from evalbook.budgets.store import OpenBudget
from evalbook.domain.versions import JUDGE, ScorerKey, ScorerVersion, VersionState, version_digest
from evalbook.entrypoints import judging
from evalbook.services.judging.records import JudgeRunJob, StoredScorer

Step = Callable[[dict[str, Any]], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Steps:
    entry: Callable[[int], dict[str, Any]]
    prepare: Step
    ask: Step
    aggregate: Step
    publish: Step


@contextmanager
def judge_run_steps(environment: Any, repeats: int) -> Iterator[Steps]:
    """Make tables, a bucket, a queue, a judge and a budget, all in a mock of this process."""
    environment.update(
        AWS_ACCESS_KEY_ID="bench", AWS_SECRET_ACCESS_KEY="bench", AWS_DEFAULT_REGION="us-east-1",
        REGISTRY_TABLE="registry", RESULTS_TABLE="results", BUDGETS_TABLE="budgets", PANELS_BUCKET="panels",
        GATEWAY_REPLAYS="true",
    )  # fmt: skip
    observability.report_step = lambda *_: None
    with GatewayStandIn() as sso, mock_aws():
        clients = {name: boto3.client(name) for name in ("dynamodb", "s3", "sqs", "secretsmanager")}
        _make_tables(clients["dynamodb"])
        clients["s3"].create_bucket(Bucket="panels")
        environment["RESULTS_QUEUE_URL"] = clients["sqs"].create_queue(QueueName="results")["QueueUrl"]
        environment["SSO_SECRET"] = clients["secretsmanager"].create_secret(Name="sso", SecretString=TOKEN)["ARN"]
        environment["SSO_URL"] = sso.url
        digest = _store(clients["dynamodb"], repeats)
        bodies = S3JudgeRunBodies(lambda: clients["s3"], "panels")
        yield Steps(
            lambda number: _entry(bodies, number, digest),
            judging.prepare(),
            judging.ask(),
            judging.aggregate(),
            judging.publish(),
        )
        judging.aws_clients._client.cache_clear()  # noqa: SLF001  (clients outlive no mock)


def _make_tables(dynamodb: Any) -> None:
    keys = [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]
    attributes = [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")]
    due = [{"AttributeName": "due_shard", "AttributeType": "S"}, {"AttributeName": "due_at", "AttributeType": "N"}]
    index = {
        "IndexName": DUE_INDEX,
        "KeySchema": [
            {"AttributeName": "due_shard", "KeyType": "HASH"},
            {"AttributeName": "due_at", "KeyType": "RANGE"},
        ],
        "Projection": {"ProjectionType": "KEYS_ONLY"},
    }
    common = {"BillingMode": "PAY_PER_REQUEST", "KeySchema": keys}
    for name in ("registry", "results"):
        dynamodb.create_table(TableName=name, AttributeDefinitions=attributes, **common)
    dynamodb.create_table(
        TableName="budgets", AttributeDefinitions=attributes + due, GlobalSecondaryIndexes=[index], **common
    )


def _store(dynamodb: Any, repeats: int) -> str:
    parameters = {
        "model": "bookbag::judge-rules-1",
        "prompt_template": "Is {{output}} what was asked for?",
        "score_type": "binary",
        "repeat_count": repeats,
    }
    digest = version_digest(JUDGE, parameters, 120_000)
    key = ScorerKey("bench", "bench", "judge")
    DynamoDbVersions(dynamodb, "registry").put(
        ScorerVersion(key, 1, JUDGE, json.dumps(parameters), 120_000, digest, VersionState.ACTIVE)
    )
    expires_at = int(time.time() * 1_000) + 3_600_000
    budget = Budget.opened(BudgetKey("bench", "bench", "bench"), 10**9, "evaluation", expires_at)
    DynamoDbLedger(dynamodb, "budgets").commit([OpenBudget(budget)])
    return digest


def _entry(bodies: S3JudgeRunBodies, number: int, digest: str) -> dict[str, Any]:
    judge_run_id = f"{number:064x}"
    job = JudgeRunJob(
        organization_id="bench", project_id="bench", run_id="run", batch_id="batch", purpose="evaluation",
        budget_id="bench", scorer=StoredScorer(name="judge", version=1, digest=digest, implementation=JUDGE),
        case_id=f"case-{number}", example_id=None, case_digest=f"{number:064x}",
        case=json.dumps({"case_id": f"case-{number}", "output": "A text of some length. " * 40}),
    )  # fmt: skip
    ref = bodies.put(judge_run_id, job.model_dump_json().encode())
    return {"judge_run_id": judge_run_id, "job": {"key": ref.key, "sha256": ref.sha256}}
