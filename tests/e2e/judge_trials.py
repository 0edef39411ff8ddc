"""Many cases before judges at once, each of which meets a fault of its own, and what became of them."""

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from devstack.clients.judging import JudgeRun, JudgingClient
from devstack.stack import Stack
from evalbook.adapters.dynamodb.budgets import DynamoDbLedger
from evalbook.services.budgets.sweeper import Sweeper, SweepRules

SIDE_BY_SIDE = 4
QUIET_SECONDS = 3.0
PATIENCE_SECONDS = 90
AN_HOUR_MS = 3_600_000


def judge(scorer: str, *, limit: int = 50_000_000, **parameters: Any) -> JudgeRun:
    """A run with a judge of two repeats."""
    chosen = {
        "model": "bookbag::judge-rules-1",
        "prompt_template": "Is {{output}} good?",
        "score_type": "binary",
        "repeat_count": 2,
    }
    return JudgeRun(scorer, {**chosen, **parameters}, limit)


@dataclass(frozen=True, slots=True)
class Trial:
    """One case; its text holds its name, by which a fault of the gateway finds it."""

    run: JudgeRun
    name: str

    @property
    def case(self) -> dict[str, str]:
        """The case."""
        return {"case_id": self.name, "output": f"the answer {mark(self.name)}"}


def mark(name: str) -> str:
    """What stands in the text of the case with this name and in no other."""
    return f"[{name}]"


@dataclass
class Court:
    """Sends each case in two messages, a few cases at a time, and sweeps, as the schedule does, when nothing comes."""

    stack: Stack
    client: JudgingClient
    results: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    most_taken: dict[str, float] = field(default_factory=dict)
    """The largest part of each budget that was ever seen reserved or spent."""

    def try_all(self, trials: Sequence[Trial]) -> None:
        """Judge the cases of *trials*; returns when each has a result."""
        waiting, running = list(trials), set[str]()
        last = time.monotonic()
        while waiting or running:
            while waiting and len(running) < SIDE_BY_SIDE:
                running.add(waiting[0].name)
                self._send_twice(waiting.pop(0))
            for case_id in self._received():
                running.discard(case_id)
                last = time.monotonic()
            for run in {trial.run.run_id: trial.run for trial in trials}.values():
                self._look_at(run)
            if time.monotonic() - last > QUIET_SECONDS and self._executions("FAILED"):
                self.sweep()
            assert time.monotonic() - last < PATIENCE_SECONDS, running

    def _send_twice(self, trial: Trial) -> None:
        for _ in range(2):
            self.client.send(trial.run, [trial.case])

    def _received(self) -> Iterator[str]:
        for result in self.client.received():
            self.results.setdefault(result["case_id"], []).append(result)
            yield result["case_id"]

    def sweep(self) -> dict[str, int]:
        """Invoke the sweeper's function; what it did."""
        name = self.stack.physical_id("SweepFunction")
        answer = self.stack.client("lambda").invoke(FunctionName=name, Payload="{}")
        swept: dict[str, int] = json.loads(answer["Payload"].read())
        return swept

    def finish(self) -> None:
        """Let what failed go on until no execution runs, then sweep as if an hour had gone by."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while self.sweep()["resumed"] or self._executions("RUNNING"):
            assert time.monotonic() < deadline
        while list(self._received()):
            pass
        Sweeper(self.ledger, SweepRules(lambda: int(time.time() * 1_000) + AN_HOUR_MS, 0, 500)).run()

    @property
    def ledger(self) -> DynamoDbLedger:
        """The ledger's table."""
        return DynamoDbLedger(self.stack.client("dynamodb"), self.stack.outputs["BudgetsTableName"])

    @contextmanager
    def troubled_tables(self, **every: int) -> Iterator[dict[str, int]]:
        """Tables that throttle and collide while the block runs; how often they did stands in the answer afterwards."""
        tables = [self.stack.outputs[name] for name in ("BudgetsTableName", "ResultsTableName")]
        happened: dict[str, int] = {}
        self.stack.emulator.trouble({"tables": tables, **every})
        try:
            yield happened
        finally:
            happened.update(self.stack.emulator.trouble({}))

    def _executions(self, status: str) -> list[dict[str, Any]]:
        arn = self.stack.outputs["JudgePanelArn"]
        answer = self.stack.client("stepfunctions").list_executions(stateMachineArn=arn, statusFilter=status)
        listed: list[dict[str, Any]] = answer["executions"]
        return listed

    def _look_at(self, run: JudgeRun) -> None:
        budget = self.client.budget(run)
        taken = (budget.reserved + budget.spent) / budget.limit
        self.most_taken[run.scorer] = max(taken, self.most_taken.get(run.scorer, 0))
