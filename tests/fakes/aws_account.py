"""The tables, queues and the bucket that the functions use, in whatever account boto3 reaches."""

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

import boto3

TABLE = "registry"
BUCKET = "bodies"
MAX_RECEIVES = 5
MAX_RECEIVES_IN_ALL = 10
"""A message brings its receives along when it moves to the next queue."""


@dataclass(frozen=True)
class AwsAccount:
    """One family's share of the stack; messages that fail come again at once."""

    sqs: Any
    s3: Any
    dynamodb: Any
    queue: str
    exhausted: str
    dead: str
    results: str

    def environment(self, family: str = "text") -> dict[str, str]:
        """What both functions read."""
        return {
            "SCORER_FAMILY": family,
            "REGISTRY_TABLE": TABLE,
            "BODIES_BUCKET": BUCKET,
            "RESULTS_QUEUE_URL": self.results,
            "QUEUE_URL": self.queue,
            "DEAD_QUEUE_URL": self.dead,
            "DEAD_QUEUE_URLS": json.dumps({self.arn(self.exhausted): self.dead}),
            "POWERTOOLS_METRICS_NAMESPACE": "EvalBook",
            "POWERTOOLS_SERVICE_NAME": "evalbook",
        }

    def arn(self, url: str) -> str:
        found = self.sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])
        return str(found["Attributes"]["QueueArn"])

    def send(self, *bodies: bytes) -> None:
        for body in bodies:
            self.sqs.send_message(QueueUrl=self.queue, MessageBody=body.decode())

    def receive(self, url: str) -> list[dict[str, Any]]:
        """Up to ten messages, which stay on the queue."""
        names = ["All"]
        found = self.sqs.receive_message(
            QueueUrl=url, MaxNumberOfMessages=10, AttributeNames=names, MessageAttributeNames=names
        )
        messages: list[dict[str, Any]] = found.get("Messages", [])
        return messages

    def delete(self, url: str, message: dict[str, Any]) -> None:
        self.sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])

    def drain(self, url: str) -> list[dict[str, Any]]:
        """Every message, taken off the queue."""
        drained: list[dict[str, Any]] = []
        while messages := self.receive(url):
            for message in messages:
                self.delete(url, message)
            drained += messages
        return drained

    def drained_results(self) -> list[dict[str, Any]]:
        return [result for message in self.drain(self.results) for result in json.loads(message["Body"])["results"]]


@cache
def _client(service: str) -> Any:
    """A client for all tests: making one takes longer than most tests do."""
    return boto3.client(
        service,
        region_name="eu-west-1",
        aws_access_key_id="testing",
        aws_secret_access_key="testing",
    )


def make_account() -> AwsAccount:
    """Create everything, in the mock that is on."""
    sqs, s3, dynamodb = (_client(service) for service in ("sqs", "s3", "dynamodb"))
    dynamodb.create_table(
        TableName=TABLE,
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")],
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
    )
    region = s3.meta.region_name
    s3.create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": region})
    dead, results = _queue(sqs, "dead"), _queue(sqs, "results")
    exhausted = _queue(sqs, "exhausted", dead, MAX_RECEIVES_IN_ALL)
    return AwsAccount(sqs, s3, dynamodb, _queue(sqs, "queue", exhausted, MAX_RECEIVES), exhausted, dead, results)


def _queue(sqs: Any, name: str, redrive_to: str | None = None, receives: int = 0) -> str:
    attributes = {"VisibilityTimeout": "0", "MaximumMessageSize": "1048576"}
    if redrive_to:
        arn = sqs.get_queue_attributes(QueueUrl=redrive_to, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
        attributes["RedrivePolicy"] = json.dumps({"deadLetterTargetArn": arn, "maxReceiveCount": receives})
    return str(sqs.create_queue(QueueName=name, Attributes=attributes)["QueueUrl"])
