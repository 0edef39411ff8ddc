"""What the evaluation service and a project's authors do with a running stack: versions, batches, results, letters."""

import json
import time
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from devstack.stack import Stack
from evalbook.adapters.dynamodb.versions import DynamoDbVersions
from evalbook.domain.versions import ScorerKey, VersionState
from tests.fakes.batches import ORGANIZATION, PROJECT, version

PATIENCE = 60.0
QUIET = 0.5
"""Seconds without a further result after which none is expected."""


class Exchange:
    """Sends to a stack's queues and keeps what its results queue gave, by run."""

    def __init__(self, stack: Stack) -> None:
        self._stack = stack
        self._sqs = stack.client("sqs")
        self._dynamodb = stack.client("dynamodb")
        self._table = stack.outputs["RegistryTableName"]
        self._results: dict[str, list[dict[str, Any]]] = {}

    def store(
        self,
        name: str,
        implementation: str,
        parameters: Mapping[str, Any],
        number: int = 1,
        *,
        state: VersionState = VersionState.ACTIVE,
        time_limit_ms: int = 2_000,
    ) -> None:
        """Store a version of a scorer."""
        made = version(
            number,
            implementation=implementation,
            parameters=parameters,
            state=state,
            time_limit_ms=time_limit_ms,
            scorer=ScorerKey(ORGANIZATION, PROJECT, name),
        )
        DynamoDbVersions(self._dynamodb, self._table).put(made)

    def activate(self, name: str, number: int) -> None:
        """Make a version the active one."""
        key = {"pk": {"S": f"ORG#{ORGANIZATION}#PROJECT#{PROJECT}"}, "sk": {"S": f"SCORER#{name}"}}
        self._dynamodb.put_item(TableName=self._table, Item={**key, "active": {"N": str(number)}})

    def keep(self, key: str, cases: bytes) -> dict[str, Any]:
        """Put cases into the bodies bucket; a reference to them without their count."""
        self._stack.client("s3").put_object(Bucket=self._stack.outputs["BodiesBucketName"], Key=key, Body=cases)
        return {"key": key, "sha256": sha256(cases).hexdigest()}

    def send(self, queue: str, *bodies: bytes) -> None:
        """Send messages to a queue, such as `Text` or `TextExhausted`."""
        url = self._stack.outputs[f"{queue}QueueUrl"]
        for start in range(0, len(bodies), 10):
            entries = [
                {"Id": str(n), "MessageBody": body.decode()} for n, body in enumerate(bodies[start : start + 10])
            ]
            if failed := self._sqs.send_message_batch(QueueUrl=url, Entries=entries).get("Failed"):
                raise RuntimeError(f"the queue did not take {len(failed)} messages")

    def results(self, run_id: str, count: int) -> list[dict[str, Any]]:
        """The results of a run, all that came once *count* were there and no more followed."""
        return self.results_of_runs({run_id: count})[run_id]

    def results_of_runs(self, counts: Mapping[str, int]) -> dict[str, list[dict[str, Any]]]:
        """The results of some runs, all that came once each run had as many as *counts* says and no more followed."""
        last = time.monotonic()
        while True:
            found = {run_id: self._results.get(run_id, []) for run_id in counts}
            missing = any(len(found[run_id]) < count for run_id, count in counts.items())
            if time.monotonic() - last > (PATIENCE if missing else QUIET):
                return found
            for message in self._take("ResultsQueueUrl"):
                batch = json.loads(message["Body"])
                self._results.setdefault(batch["run_id"], []).extend(batch["results"])
                last = time.monotonic()

    def letters(self, family: str, count: int, *, given_up: bool = False) -> list[tuple[str, str]]:
        """The bodies of dead letters, each with its reason: of messages that were given up, or of all others."""
        found: list[tuple[str, str]] = []
        end = time.monotonic() + PATIENCE
        while len(found) < count and time.monotonic() < end:
            for letter in self._take(f"{family}DeadQueueUrl"):
                reason = letter["MessageAttributes"]["reason"]["StringValue"]
                if reason.startswith("given up") == given_up:
                    found.append((letter["Body"], reason))
        return found

    def _take(self, output: str) -> Sequence[dict[str, Any]]:
        url = self._stack.outputs[output]
        messages = self._sqs.receive_message(
            QueueUrl=url, MaxNumberOfMessages=10, WaitTimeSeconds=1, MessageAttributeNames=["All"]
        ).get("Messages", [])
        for message in messages:
            self._sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
        return list(messages)
