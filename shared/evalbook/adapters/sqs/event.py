"""The SQS event that Lambda hands to a function, and the answer that names what is to be delivered again."""

from collections.abc import Iterable
from typing import Any

from evalbook.services.scoring.ports import Message


def messages_of(event: dict[str, Any]) -> list[Message]:
    """The messages that the event delivers."""
    return [
        Message(
            record["messageId"],
            record["body"].encode("utf-8", "surrogatepass"),
            int(record.get("attributes", {}).get("ApproximateReceiveCount", 1)),
        )
        for record in event.get("Records", [])
    ]


def queue_arn_of(event: dict[str, Any]) -> str:
    """The queue that the event comes from; an event has one source."""
    return str(event["Records"][0]["eventSourceARN"])


def batch_item_failures(message_ids: Iterable[str]) -> dict[str, Any]:
    """The answer after which Lambda deletes all messages but these."""
    return {"batchItemFailures": [{"itemIdentifier": message_id} for message_id in message_ids]}
