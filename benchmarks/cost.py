"""What a thousand judged cases cost beside the model's tokens: transitions and Lambda milliseconds a case, in dollars.

The steps are the real ones over moto in this process, so their milliseconds hold the work and no network; asking also
waits for the model, for as long as is assumed below.
"""

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median
from typing import Final

TRANSITION: Final = 0.025 / 1_000
REQUEST: Final = 0.20 / 1_000_000
GIGABYTE_SECOND: Final = 0.0000133334  # arm64
WRITE_UNIT: Final = 0.625 / 1_000_000
READ_UNIT: Final = 0.125 / 1_000_000
PUT: Final = 0.005 / 1_000
GET: Final = 0.0004 / 1_000

MEMORY_GB: Final = {"prepare": 0.5, "ask": 0.25, "aggregate": 0.5, "publish": 0.5}
MODEL_SECONDS: Final = (3.0, 60.0)
REPEATS: Final = (1, 3, 10)
CASES: Final = 5


@dataclass(frozen=True, slots=True)
class Case:
    """What one case with so many repeats takes, apart from its model's tokens."""

    repeats: int
    milliseconds: Mapping[str, float]
    """One invocation of each step, without waiting for the model."""

    @property
    def transitions(self) -> int:
        """Five states and the end; for each repeat its Ask and the end of its iteration."""
        return 6 + 2 * self.repeats

    def lambda_milliseconds(self, model_seconds: float) -> float:
        """All invocations together."""
        once = sum(self.milliseconds[step] for step in ("prepare", "aggregate", "publish"))
        return once + self.repeats * (self.milliseconds["ask"] + 1_000 * model_seconds)

    def dollars(self, model_seconds: float) -> float:
        """Step Functions, Lambda, DynamoDB and S3, for one case."""
        seconds = {step: spent / 1_000 for step, spent in self.milliseconds.items()}
        asking = self.repeats * (seconds.pop("ask") + model_seconds) * MEMORY_GB["ask"]
        computing = asking + sum(spent * MEMORY_GB[step] for step, spent in seconds.items())
        # A transaction costs twice: reserving all calls and their budget, settling each with its budget.
        writes = 2 * (self.repeats + 1) + self.repeats * (1 + 2 * 2) + 2 + self.repeats
        reads = 6 + 6 * self.repeats
        puts, gets = 4 + 2 * self.repeats, 4 + 4 * self.repeats
        return (
            self.transitions * TRANSITION
            + (3 + self.repeats) * REQUEST
            + computing * GIGABYTE_SECOND
            + writes * WRITE_UNIT
            + reads * READ_UNIT
            + puts * PUT
            + gets * GET
        )


def main() -> None:
    print("| repeats | transitions | Lambda ms, own work | " + "model takes | Lambda ms | $ per 1,000 cases |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: |")
    for repeats in REPEATS:
        case = Case(repeats, measured(repeats))
        for seconds in MODEL_SECONDS:
            print(
                f"| {repeats} | {case.transitions} | {case.lambda_milliseconds(0):.0f} | {seconds:.0f} s "
                f"| {case.lambda_milliseconds(seconds):,.0f} | {1_000 * case.dollars(seconds):.2f} |"
            )


def measured(repeats: int) -> Mapping[str, float]:
    """The median milliseconds of each step."""
    from benchmarks.cost_judge_run import judge_run_steps  # noqa: PLC0415  (only where it is measured)

    spent: dict[str, list[float]] = {step: [] for step in MEMORY_GB}
    with judge_run_steps(os.environ, repeats) as steps:
        for case in range(CASES):
            event = steps.entry(case)
            event["prepared"] = _timed(spent["prepare"], steps.prepare, {**event, "attempt": 0})
            for repeat in range(repeats):
                asked = {**event, "repeat": repeat, "deadline_at": event["prepared"]["deadline_at"]}
                _timed(spent["ask"], steps.ask, asked)
            _timed(spent["aggregate"], steps.aggregate, event)
            _timed(spent["publish"], steps.publish, event)
    return {step: median(times) for step, times in spent.items()}


def _timed(spent, step, event):
    started = time.perf_counter()
    answer = step(event)
    spent.append((time.perf_counter() - started) * 1_000)
    return answer
