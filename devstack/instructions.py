"""What to type against a running stack."""

import shlex
import sys
from collections.abc import Mapping
from typing import Final

from devstack.emulator.emulator import REGION
from devstack.stack import CREDENTIAL

_BATCH: Final = "events/sqs_score_batch.json"
_PYTHON: Final = shlex.quote(sys.executable)


def instructions(endpoint: str, outputs: Mapping[str, str], api_url: str) -> str:
    """Return text to print: where the stack and its HTTP API answer, its queues, and commands that use them."""
    width = max(len(name) for name in outputs)
    listed = "\n".join(f"  {name:<{width}}  {value}" for name, value in sorted(outputs.items()))
    return f"""The stack is up at {endpoint}

{listed}

The HTTP API answers at {api_url}

export API='{api_url}'
export TOKEN=$(make --silent token)            # or SCOPES="scorer.read" ORG=acme PROJECTS="support sales"
curl -s -H "Authorization: Bearer $TOKEN" "$API/implementations"
curl -s -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" "$API/scorers" -d '{{"name": "mine"}}'

For the queues, paste this into another terminal, in the project's directory:

export AWS_ENDPOINT_URL={endpoint} AWS_DEFAULT_REGION={REGION}
export AWS_ACCESS_KEY_ID={CREDENTIAL} AWS_SECRET_ACCESS_KEY={CREDENTIAL}

{_storing(outputs)}
{_sending(endpoint, outputs)}"""


def _storing(outputs: Mapping[str, str]) -> str:
    return f"""# Store the scorer version that the batch names; without it the batch's cases end in VERSION_NOT_FOUND.
{_PYTHON} - <<'END'
import boto3, json
from evalbook.adapters.dynamodb.versions import DynamoDbVersions
from evalbook.domain.versions import ScorerKey, ScorerVersion, VersionState, version_digest
parameters = {{"texts": ["hello"]}}
version = ScorerVersion(
    ScorerKey("org-1", "project-1", "greeting"), 1, "contains", json.dumps(parameters), 2_000,
    version_digest("contains", parameters, 2_000), VersionState.ACTIVE,
)
DynamoDbVersions(boto3.client("dynamodb"), "{outputs["RegistryTableName"]}").put(version)
END
"""


def _sending(endpoint: str, outputs: Mapping[str, str]) -> str:
    return f"""# Send a batch and fetch its results with boto3,
{_PYTHON} - <<'END'
import boto3, json
sqs = boto3.client("sqs")
batch = json.load(open("{_BATCH}"))["Records"][0]["body"]
sqs.send_message(QueueUrl="{outputs["TextQueueUrl"]}", MessageBody=batch)
messages = []
while not messages:
    answer = sqs.receive_message(QueueUrl="{outputs["ResultsQueueUrl"]}", WaitTimeSeconds=20)
    messages = answer.get("Messages", [])
print(*(message["Body"] for message in messages), sep="\\n")
END

# or with the AWS CLI, whose version 1 needs the endpoint told for SQS.
aws sqs send-message --endpoint-url {endpoint} --queue-url {outputs["TextQueueUrl"]} \\
  --message-body "$(jq -r '.Records[0].body' {_BATCH})"
aws sqs receive-message --endpoint-url {endpoint} --queue-url {outputs["ResultsQueueUrl"]} \\
  --wait-time-seconds 20
"""
