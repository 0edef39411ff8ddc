"""The events folder: one real payload a trigger."""

import json
from pathlib import Path
from typing import Any

EVENTS = Path(__file__).parent.parent.parent / "events"


def read_event(name: str, queue_arn: str | None = None) -> dict[str, Any]:
    """The event, as if it came from the queue *queue_arn*."""
    event: dict[str, Any] = json.loads((EVENTS / name).read_text(encoding="utf-8"))
    for record in event["Records"]:
        record["eventSourceARN"] = queue_arn or record["eventSourceARN"]
    return event


def bodies_of(event: dict[str, Any]) -> list[bytes]:
    return [record["body"].encode() for record in event["Records"]]


def referred_cases() -> bytes:
    """The object that sqs_score_batch_ref.json names `run-1/cases.json`."""
    return (EVENTS / "bodies" / "cases.json").read_bytes()
