"""What the evaluation service does, for demos and tests: send batches to a family's queue, collect their results."""

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final
from uuid import uuid4

from devstack.demo.data import DemoSet, DemoVersion
from devstack.stack import Stack
from evalbook.adapters.http.registry_client import HttpRegistry
from evalbook.services.scoring import catalog

ORGANIZATION: Final = "demo"
PROJECT: Final = "demo"
_CASES_A_BATCH: Final = 50
_BATCHES_A_REQUEST: Final = 10
_CASES_TRIED: Final = 10
_SCOPES: Final = "scorer.write sandbox.run"
_PATIENCE_SECONDS: Final = 60


@dataclass(frozen=True, slots=True)
class ScoredSet:
    """The results of one set by case id, and how long they took."""

    results: dict[str, dict[str, Any]]
    seconds: float


class ScoringClient:
    """Talks to a running stack."""

    def __init__(self, stack: Stack) -> None:
        self._stack = stack
        self._sqs = stack.client("sqs")
        self._outputs = stack.outputs

    def score(self, one: DemoSet) -> ScoredSet:
        """Create the set's versions, send its cases, and wait for their results until none came for a minute."""
        claims = {"sub": "demo", "org": ORGANIZATION, "projects": PROJECT, "scope": _SCOPES}
        with HttpRegistry(self._stack.api_url, self._stack.issuer.token(claims), None) as api:
            for version in one.versions:
                self._create(api, one.implementation, version)
        run_id = f"run-{uuid4().hex[:12]}"
        family = catalog.families()[one.implementation]
        started = time.monotonic()
        self._send(self._outputs[f"{family.capitalize()}QueueUrl"], _batches(one, run_id))
        results = self._collect(run_id, len(one.cases))
        return ScoredSet(results, time.monotonic() - started)

    def _create(self, api: HttpRegistry, implementation: str, version: DemoVersion) -> None:
        """Create a version as an author does: try it on some cases, make fixtures of them, activate it."""
        path, tried = f"/scorers/{version.scorer}/versions", version.cases[:_CASES_TRIED]
        api.post("/scorers", {"name": version.scorer})
        made = api.post(path, {"implementation": implementation, "parameters": version.parameters})
        chosen = {"name": version.scorer, "version": made["version"]}
        run = api.post("/sandbox/runs", {"scorer": chosen, "cases": [case.case for case in tried]})
        fixtures = [
            {"case": case.case, "outcome": result["outcome"]}
            for case, result in zip(tried, run["results"], strict=True)
            if case.label is None or case.agrees(result)
        ]
        api.put(f"{path}/{made['version']}/fixtures", {"fixtures": fixtures})
        api.post(f"{path}/{made['version']}/activation", None)

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
                "scorer": {"name": version.scorer, "version": "active"},
                "cases": [case.case for case in chunk],
            }
        )
