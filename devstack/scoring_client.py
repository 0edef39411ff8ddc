"""What the evaluation service does, for demos and tests: send batches to a family's queue, collect their results."""

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final
from uuid import uuid4

from devstack.demo_data import DemoSet, DemoVersion
from devstack.stack import Stack
from evalbook import catalog
from evalbook.adapters.dynamodb_versions import DynamoDbVersions
from evalbook.versions import ScorerKey, ScorerVersion, VersionState, version_digest

ORGANIZATION: Final = "demo"
PROJECT: Final = "demo"
_CASES_A_BATCH: Final = 50
_BATCHES_A_REQUEST: Final = 10
_TIME_LIMIT_MS: Final = 2_000
_PATIENCE_SECONDS: Final = 60


@dataclass(frozen=True, slots=True)
class ScoredSet:
    """The results of one set by case id, and how long they took."""

    results: dict[str, dict[str, Any]]
    seconds: float


class ScoringClient:
    """Talks to a running stack."""

    def __init__(self, stack: Stack) -> None:
        self._sqs = stack.client("sqs")
        self._versions = DynamoDbVersions(stack.client("dynamodb"), stack.outputs["RegistryTableName"])
        self._outputs = stack.outputs

    def score(self, one: DemoSet) -> ScoredSet:
        """Store the set's versions, send its cases, and wait for their results until none came for a minute."""
        for version in one.versions:
            self._store(one.implementation, version)
        run_id = f"run-{uuid4().hex[:12]}"
        family = catalog.families()[one.implementation]
        started = time.monotonic()
        self._send(self._outputs[f"{family.capitalize()}QueueUrl"], _batches(one, run_id))
        results = self._collect(run_id, len(one.cases))
        return ScoredSet(results, time.monotonic() - started)

    def _store(self, name: str, version: DemoVersion) -> None:
        implementation = catalog.find(name)
        if implementation is None:
            raise LookupError(name)
        implementation.prepare(version.parameters)
        key = ScorerKey(ORGANIZATION, PROJECT, version.scorer)
        digest = version_digest(name, version.parameters, _TIME_LIMIT_MS)
        parameters = json.dumps(version.parameters)
        self._versions.put(ScorerVersion(key, 1, name, parameters, _TIME_LIMIT_MS, digest, VersionState.ACTIVE))

    def _send(self, url: str, bodies: Iterator[str]) -> None:
        while group := list(islice(bodies, _BATCHES_A_REQUEST)):
            entries = [{"Id": str(number), "MessageBody": body} for number, body in enumerate(group)]
            failed = self._sqs.send_message_batch(QueueUrl=url, Entries=entries).get("Failed")
            if failed:
                raise RuntimeError(f"the queue did not take {len(failed)} batches")

    def _collect(self, run_id: str, expected: int) -> dict[str, dict[str, Any]]:
        results: dict[str, dict[str, Any]] = {}
        last = time.monotonic()
        while len(results) < expected and time.monotonic() - last < _PATIENCE_SECONDS:
            for result in self._receive(run_id):
                results[result["case_id"]] = result
                last = time.monotonic()
        return results

    def _receive(self, run_id: str) -> Sequence[dict[str, Any]]:
        url = self._outputs["ResultsQueueUrl"]
        messages = self._sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10, WaitTimeSeconds=1).get(
            "Messages", []
        )
        for message in messages:
            self._sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
        batches = [json.loads(message["Body"]) for message in messages]
        return [result for batch in batches if batch["run_id"] == run_id for result in batch["results"]]


def _batches(one: DemoSet, run_id: str) -> Iterator[str]:
    return (batch for version in one.versions for batch in _batches_of(version, run_id))


def _batches_of(version: DemoVersion, run_id: str) -> Iterator[str]:
    cases = iter(version.cases)
    while chunk := list(islice(cases, _CASES_A_BATCH)):
        yield json.dumps(
            {
                "schema_version": 1,
                "organization_id": ORGANIZATION,
                "project_id": PROJECT,
                "run_id": run_id,
                "batch_id": f"batch-{uuid4().hex[:12]}",
                "purpose": "evaluation",
                "scorer": {"name": version.scorer, "version": 1},
                "cases": [case.case for case in chunk],
            }
        )
