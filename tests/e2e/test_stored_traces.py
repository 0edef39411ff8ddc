"""Cases whose content is held in stored traces, scored by the real functions through the traces component."""

import json
from uuid import uuid4

import pytest

from devstack.stack import Stack
from devstack.standins.traces import TOKEN, CapturePolicy, TracesService
from evalbook.adapters.dynamodb.versions import DynamoDbVersions
from evalbook.domain.versions import ScorerKey, ScorerVersion, VersionState, version_digest

pytestmark = pytest.mark.e2e

SPANS = [
    {
        "span_id": "s1",
        "kind": "tool",
        "name": "get_weather",
        "start_time": 1,
        "end_time": 2,
        "arguments": {"city": "Oslo"},
    }
]
PARAMETERS = {"tool": "get_weather", "tool_params": [{"path": "/city", "rule": "equals", "value": "Oslo"}]}


@pytest.fixture(scope="module")
def traces():
    with TracesService() as service:
        service.store("kept", "project", "t1", SPANS)
        service.store("dropped", "project", "t1", SPANS)
        service.set_policy("dropped", "project", CapturePolicy(not_kept=frozenset({"arguments"})))
        yield service


@pytest.fixture(scope="module")
def stack(traces):
    with Stack(parameters={"TracesUrl": traces.url}, secrets={"TracesSecretArn": TOKEN}) as running:
        yield running


def scored(stack, organization, case):
    """The result of one case of this organization."""
    digest = version_digest("tool_call_match", PARAMETERS, 2_000)
    key = ScorerKey(organization, "project", "weather")
    versions = DynamoDbVersions(stack.client("dynamodb"), stack.outputs["RegistryTableName"])
    versions.put(ScorerVersion(key, 1, "tool_call_match", json.dumps(PARAMETERS), 2_000, digest, VersionState.ACTIVE))
    batch = {
        "schema_version": 1,
        "organization_id": organization,
        "project_id": "project",
        "run_id": f"run-{uuid4().hex}",
        "batch_id": "batch",
        "purpose": "evaluation",
        "scorer": {"name": "weather", "version": 1},
        "cases": [case],
    }
    sqs = stack.client("sqs")
    sqs.send_message(QueueUrl=stack.outputs["TraceQueueUrl"], MessageBody=json.dumps(batch))
    url = stack.outputs["ResultsQueueUrl"]
    [message] = sqs.receive_message(QueueUrl=url, WaitTimeSeconds=20)["Messages"]
    sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
    [result] = json.loads(message["Body"])["results"]
    return result


def test_arguments_that_were_kept_are_fetched_and_judged(stack):
    result = scored(stack, "kept", {"case_id": "c", "trace": {"trace_id": "t1"}})

    assert (result["outcome"], result["code"]) == ("pass", None)


def test_arguments_that_the_policy_did_not_keep_make_the_case_unsupported(stack):
    result = scored(stack, "dropped", {"case_id": "c", "trace": {"trace_id": "t1"}})

    assert (result["outcome"], result["code"]) == ("unsupported", "ARGUMENTS_UNAVAILABLE")


def test_another_projects_trace_is_not_there(stack):
    result = scored(stack, "stranger", {"case_id": "c", "trace": {"trace_id": "t1"}})

    assert (result["outcome"], result["code"]) == ("unsupported", "TRACE_UNAVAILABLE")
