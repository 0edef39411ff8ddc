"""The first step of a judge run: plan it once, reserve all its calls at once, fix the case's deadline."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from evalbook.budgets.calls import CallRequest, Conflict, InProgress, Ownership
from evalbook.budgets.model import BudgetExhausted, BudgetKey, BudgetUnknown, EpochMs, MightFreeUp
from evalbook.budgets.reservations import Admitted, Order
from evalbook.domain.outcome import Code, Grade, Outcome, errored
from evalbook.jsonio.values import Json
from evalbook.judges.version import read_parameters
from evalbook.services.budgets.ledger import BudgetLedger, Reservation
from evalbook.services.judging.circuit_breaker import refused_by_stop
from evalbook.services.judging.planner import Planner
from evalbook.services.judging.ports import (
    BodyRef,
    LedgerFault,
    LedgerFaults,
    RecordKind,
)
from evalbook.services.judging.records import JudgeRunJob, JudgeRunPlan, StoredRef
from evalbook.services.judging.stores import OWNERSHIP_MARGIN_MS, JudgeRunStores

_MAX_WAIT_SECONDS: Final = 60
_MAX_DOUBLINGS: Final = 6

_UNKNOWN: Final = errored(Code.BUDGET_EXHAUSTED, "The project has no AI budget of the id that the batch names.")
_CONFLICT: Final = errored(Code.GATEWAY_IDEMPOTENCY_CONFLICT, Code.GATEWAY_IDEMPOTENCY_CONFLICT.meaning)


@dataclass(frozen=True, slots=True)
class PrepareJudgeRun:
    """Plans, reserves and sets the deadline.

    *clock* gives milliseconds since the epoch, *draw* a part of [0, 1), and *faults* hears of our own faults.
    """

    stores: JudgeRunStores
    planner: Planner
    ledger: BudgetLedger
    clock: Callable[[], EpochMs]
    draw: Callable[[], float]
    faults: LedgerFaults

    def run(self, judge_run_id: str, job_ref: BodyRef, attempt: int) -> dict[str, Json]:
        """What comes next: `ready` to ask, `waiting` for money to come back, or `decided` without asking.

        Raises:
            Retryable: A store or a service did not answer; the step may be taken again.
            Unreadable: The case is no longer there.
        """
        if self.stores.records.find(judge_run_id, RecordKind.RESULT) is not None:
            return _next("decided", attempt)
        job = self.stores.job(job_ref)
        plan = self._plan(judge_run_id, job)
        if isinstance(plan, Grade):
            return self._decided(judge_run_id, job, plan, attempt)
        budget = job.budget
        if budget is None:
            return self._decided(judge_run_id, job, _UNKNOWN, attempt)
        limit = read_parameters(plan.parameters).time_limit_ms
        reserved = self.ledger.reserve(self._order(judge_run_id, budget, plan, limit))
        return self._reserved(judge_run_id, job, reserved, attempt) or {
            **_next("ready", attempt),
            "deadline_at": self.clock() + limit,
            "repeats": list(range(len(plan.calls))),
        }

    def _plan(self, judge_run_id: str, job: JudgeRunJob) -> JudgeRunPlan | Grade:
        """The plan that was kept first: another one would have other boundaries, so other bytes for the same call."""
        kept = self.stores.plan(judge_run_id)
        if kept is not None:
            return kept
        plan = refused_by_stop(self.stores.records, job, self.clock()) or self.planner.plan(judge_run_id, job)
        if isinstance(plan, Grade):
            return plan
        ref = StoredRef.of(self.stores.bodies.put(judge_run_id, plan.model_dump_json().encode()))
        return self.stores.read_plan(
            self.stores.records.keep(judge_run_id, RecordKind.PLAN, ref.model_dump_json().encode())
        )

    def _order(self, judge_run_id: str, budget: BudgetKey, plan: JudgeRunPlan, limit_ms: int) -> Order:
        until = self.clock() + limit_ms + OWNERSHIP_MARGIN_MS
        calls = tuple(CallRequest(call.logical_id, call.request.sha256, call.estimate) for call in plan.calls)
        return Order(budget, calls, Ownership(judge_run_id, until))

    def _reserved(
        self, judge_run_id: str, job: JudgeRunJob, reserved: Reservation, attempt: int
    ) -> dict[str, Json] | None:
        match reserved:
            case Admitted():
                return None
            case MightFreeUp(retry_after):
                return self._waiting(retry_after, attempt)
            case InProgress(until):
                return self._waiting(until - self.clock(), attempt)
            case Conflict():
                self.faults(LedgerFault.OTHER_REQUEST, judge_run_id)
                return self._decided(judge_run_id, job, _CONFLICT, attempt)
            case BudgetUnknown():
                return self._decided(judge_run_id, job, _UNKNOWN, attempt)
            case BudgetExhausted() | _:
                return self._decided(judge_run_id, job, exhausted(job.exhausted), attempt)

    def _waiting(self, milliseconds: int, attempt: int) -> dict[str, Json]:
        """Wait as long as is known to be needed, and a random time more that grows from one time to the next."""
        known = min(max(0, -(-milliseconds // 1_000)), _MAX_WAIT_SECONDS)
        spread = int(self.draw() * min(_MAX_WAIT_SECONDS, 2 ** min(attempt, _MAX_DOUBLINGS)))
        return {**_next("waiting", attempt + 1), "wait_seconds": max(1, known + spread)}

    def _decided(self, judge_run_id: str, job: JudgeRunJob, grade: Grade, attempt: int) -> dict[str, Json]:
        self.stores.records.keep(judge_run_id, RecordKind.RESULT, job.writer().encode(job.identity, grade))
        return _next("decided", attempt)


def exhausted(outcome: Outcome) -> Grade:
    """The grade of a case that the budget cannot pay for; *outcome* is what that means in this kind of run."""
    return Grade(outcome, Code.BUDGET_EXHAUSTED.meaning, Code.BUDGET_EXHAUSTED)


def _next(state: str, attempt: int) -> dict[str, Json]:
    return {"state": state, "attempt": attempt, "wait_seconds": 1, "deadline_at": 0, "repeats": []}
