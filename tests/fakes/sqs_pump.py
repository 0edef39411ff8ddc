"""What Lambda's event source mapping does: receive, invoke, delete what was not reported as failed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tests.fakes.aws_account import AwsAccount

Invoke = Callable[[Mapping[str, Any]], Mapping[str, Any]]


def sqs_event(messages: list[dict[str, Any]], queue_arn: str) -> dict[str, Any]:
    """The event that Lambda makes of received messages."""
    return {
        "Records": [
            {
                "messageId": message["MessageId"],
                "receiptHandle": message["ReceiptHandle"],
                "body": message["Body"],
                "attributes": message["Attributes"],
                "messageAttributes": {},
                "md5OfBody": message["MD5OfBody"],
                "eventSource": "aws:sqs",
                "eventSourceARN": queue_arn,
                "awsRegion": queue_arn.split(":")[3],
            }
            for message in messages
        ]
    }


@dataclass(frozen=True)
class SqsPump:
    """Feeds one queue's messages to a function until the queue is empty."""

    account: AwsAccount
    url: str
    invoke: Invoke

    def run(self) -> int:
        """How many invocations it took."""
        arn, invocations = self.account.arn(self.url), 0
        while messages := self.account.receive(self.url):
            answer = self.invoke(sqs_event(messages, arn))
            failed = {failure["itemIdentifier"] for failure in answer["batchItemFailures"]}
            for message in messages:
                if message["MessageId"] not in failed:
                    self.account.delete(self.url, message)
            invocations += 1
        return invocations
