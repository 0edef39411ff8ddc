"""What the evaluation service does with judges: store a version, open a budget, send batches, collect results."""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import uuid4

from devstack.clients.scoring import ORGANIZATION, PROJECT
from devstack.demo.data import JsonObject
from devstack.stack import Stack
from evalbook.adapters.dynamodb.budgets import DynamoDbLedger
from evalbook.adapters.dynamodb.versions import DynamoDbVersions
from evalbook.budgets.model import Budget, BudgetKey
from evalbook.budgets.store import OpenBudget
from evalbook.domain.outcome import Assurance
from evalbook.domain.result import ResultWriter, Run, ScoringVersion
from evalbook.domain.versions import JUDGE, ScorerKey, ScorerVersion, VersionState, version_digest
from evalbook.jsonio.canonical import plain_json
from evalbook.jsonio.reader import read_json
from evalbook.judges.version import read_judge_parameters
from evalbook.services.scoring.batch_job import identify

_CASES_SIDE_BY_SIDE: Final = 2
"""Each asks its repeats side by side, in a process each: starting more of them takes longer than they save."""

_PATIENCE_SECONDS: Final = 60
_HOUR_MS: Final = 3_600_000


@dataclass(frozen=True, slots=True)
class JudgeRun:
    """One evaluation with one judge, and the budget that pays for it."""

    scorer: str
    parameters: JsonObject
    limit: int
    """In micro-dollars."""
    run_id: str = field(default_factory=lambda: f"run-{uuid4().hex[:12]}")

    @property
    def budget(self) -> BudgetKey:
        """The run's own budget."""
        return BudgetKey(ORGANIZATION, PROJECT, f"{self.run_id}-budget")


class JudgingClient:
    """Talks to a running stack."""

    def __init__(self, stack: Stack) -> None:
        self._sqs = stack.client("sqs")
        dynamodb = stack.client("dynamodb")
        self._versions = DynamoDbVersions(dynamodb, stack.outputs["RegistryTableName"])
        self._ledger = DynamoDbLedger(dynamodb, stack.outputs["BudgetsTableName"])
        self._outputs = stack.outputs

    def begin(self, run: JudgeRun) -> None:
        """Store the judge's version 1, where it is new, and open the run's budget."""
        text = json.dumps(run.parameters)
        raw = read_json(text.encode())
        limit_ms = read_judge_parameters(raw).time_limit_ms
        key = ScorerKey(ORGANIZATION, PROJECT, run.scorer)
        digest = version_digest(JUDGE, raw, limit_ms)
        self._versions.put(
            ScorerVersion(key, 1, JUDGE, plain_json(raw).decode(), limit_ms, digest, VersionState.ACTIVE)
        )
        self.open(run)

    def open(self, run: JudgeRun) -> None:
        """Open the run's budget."""
        expires_at = int(time.time() * 1_000) + _HOUR_MS
        self._ledger.commit([OpenBudget(Budget.opened(run.budget, run.limit, "evaluation", expires_at))])

    def judge(self, run: JudgeRun, cases: Sequence[JsonObject]) -> Mapping[str, JsonObject]:
        """Send *cases*, a few at a time; the results that came back, by case id."""
        results: dict[str, JsonObject] = {}
        for start in range(0, len(cases), _CASES_SIDE_BY_SIDE):
            chunk = cases[start : start + _CASES_SIDE_BY_SIDE]
            self.send(run, chunk)
            results |= {result["case_id"]: result for result in self.collect(run, len(chunk))}
        return results

    def send(self, run: JudgeRun, cases: Sequence[JsonObject]) -> None:
        """Send one batch."""
        body = {
            "schema_version": 1,
            "organization_id": ORGANIZATION,
            "project_id": PROJECT,
            "run_id": run.run_id,
            "batch_id": f"batch-{uuid4().hex[:12]}",
            "purpose": "evaluation",
            "scorer": {"name": run.scorer, "version": 1},
            "budget_id": run.budget.budget_id,
            "cases": list(cases),
        }
        self._sqs.send_message(QueueUrl=self._outputs["JudgeQueueUrl"], MessageBody=json.dumps(body))

    def collect(self, run: JudgeRun, expected: int) -> Sequence[JsonObject]:
        """Wait for so many results of *run*, until none came for a minute; duplicates count."""
        results: list[JsonObject] = []
        last = time.monotonic()
        while len(results) < expected and time.monotonic() - last < _PATIENCE_SECONDS:
            for result in self.received():
                if result["run_id"] == run.run_id:
                    results.append(result)
                    last = time.monotonic()
        return results

    def judge_run_id(self, run: JudgeRun, case: JsonObject) -> str:
        """The id of the judge run, and so of the result, of a case of *run*."""
        raw = read_json(json.dumps(run.parameters).encode())
        digest = version_digest(JUDGE, raw, read_judge_parameters(raw).time_limit_ms)
        judge = ScoringVersion(run.scorer, 1, digest, JUDGE)
        value = read_json(json.dumps(case).encode())
        writer = ResultWriter(Run(ORGANIZATION, PROJECT, run.run_id), judge, Assurance.REPORTED)
        return writer.result_id(identify(value, case["case_id"], None))

    def budget(self, run: JudgeRun) -> Budget:
        """The run's budget as it is now."""
        found = self._ledger.budget(run.budget)
        if found is None:
            raise LookupError(run.budget.budget_id)
        return found

    def estimate(self, logical_id: str) -> int:
        """The most that a call could have cost, in micro-dollars, as it was reserved."""
        return self._ledger.calls([logical_id])[logical_id].request.estimate

    def received(self) -> Iterator[JsonObject]:
        """Take the results that are there now, of all runs; waits a second for the first."""
        url = self._outputs["ResultsQueueUrl"]
        answer: dict[str, Any] = self._sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10, WaitTimeSeconds=1)
        for message in answer.get("Messages", []):
            self._sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
            yield from json.loads(message["Body"])["results"]
