"""What to type against a running stack."""

from collections.abc import Mapping
from typing import Final

from devstack.emulator import REGION
from devstack.stack import CREDENTIAL

_BATCH: Final = "events/sqs_score_batch.json"


def instructions(endpoint: str, outputs: Mapping[str, str]) -> str:
    """Return text to print: where the stack answers, its queues, and commands that send a batch and fetch results."""
    width = max(len(name) for name in outputs)
    listed = "\n".join(f"  {name:<{width}}  {value}" for name, value in sorted(outputs.items()))
    return f"""The stack is up at {endpoint}

{listed}

Paste this into another terminal, in the project's directory:

  export AWS_ENDPOINT_URL={endpoint} AWS_DEFAULT_REGION={REGION}
  export AWS_ACCESS_KEY_ID={CREDENTIAL} AWS_SECRET_ACCESS_KEY={CREDENTIAL}

Send a batch and fetch its results with the AWS CLI (a scorer that is not in the registry gives VERSION_NOT_FOUND):

  aws sqs send-message --queue-url {outputs["TextQueueUrl"]} \\
    --message-body "$(jq -r '.Records[0].body' {_BATCH})"
  aws sqs receive-message --queue-url {outputs["ResultsQueueUrl"]} --wait-time-seconds 20

or with boto3:

  python - <<'END'
  import boto3, json
  sqs = boto3.client("sqs")
  batch = json.load(open("{_BATCH}"))["Records"][0]["body"]
  sqs.send_message(QueueUrl="{outputs["TextQueueUrl"]}", MessageBody=batch)
  answer = sqs.receive_message(QueueUrl="{outputs["ResultsQueueUrl"]}", WaitTimeSeconds=20)
  print(*(message["Body"] for message in answer.get("Messages", [])), sep="\\n")
  END
"""
