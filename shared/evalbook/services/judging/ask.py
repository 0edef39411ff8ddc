"""Asking once: one repeat of a judge run is sent, answered, kept and settled, each once, however often tried."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from evalbook.budgets.calls import (
    CallRequest,
    CallState,
    CallStatus,
    Claim,
    Conflict,
    Held,
    InDoubt,
    InProgress,
    NotHeld,
    Ownership,
)
from evalbook.budgets.model import BudgetClosed, BudgetExhausted, BudgetUnknown, EpochMs
from evalbook.budgets.reservations import Admitted, Order
from evalbook.domain.errors import EvalBookError, Unreadable
from evalbook.domain.outcome import Code
from evalbook.jsonio.values import Json
from evalbook.judges.estimate import charge
from evalbook.services.budgets.ledger import BudgetLedger, Reservation
from evalbook.services.judging.circuit_breaker import trip
from evalbook.services.judging.gateway import (
    ChargeStatus,
    CompletionReply,
    CompletionRequest,
    Gateway,
    GatewayFailure,
    GatewayFault,
)
from evalbook.services.judging.ports import BodyRef, LedgerFault, LedgerFaults, NotNow, answer_name
from evalbook.services.judging.records import JudgeRunJob, JudgeRunPlan, PlannedCall, StoredAnswer, StoredCharge
from evalbook.services.judging.replies import hold_reply
from evalbook.services.judging.stores import OWNERSHIP_MARGIN_MS, SENT_MARGIN_MS, JudgeRunStores

_LATE: Final = StoredAnswer(code=Code.TIME_LIMIT)
_EXHAUSTED: Final = StoredAnswer(code=Code.BUDGET_EXHAUSTED)
_CONFLICT: Final = StoredAnswer(code=Code.GATEWAY_IDEMPOTENCY_CONFLICT)
_IN_DOUBT: Final = StoredAnswer(code=Code.GATEWAY_OUTCOME_UNKNOWN, charge=ChargeStatus.UNCERTAIN)


class _NotSendable(EvalBookError):
    def __init__(self, standing: CallStatus) -> None:
        super().__init__("the ledger does not let the request leave")
        self.standing = standing


@dataclass(frozen=True, slots=True)
class AskRequest:
    """One repeat: whose, which, and until when (milliseconds since the epoch)."""

    judge_run_id: str
    job: BodyRef
    repeat: int
    deadline_at: EpochMs


@dataclass(frozen=True, slots=True)
class AskJudgeRun:
    """Asks the gateway once for one repeat; *clock* gives milliseconds since the epoch, *faults* hears of our own."""

    stores: JudgeRunStores
    gateway: Gateway
    ledger: BudgetLedger
    clock: Callable[[], EpochMs]
    faults: LedgerFaults

    def run(self, asked: AskRequest) -> dict[str, Json]:
        """The repeat and the code of its failure, null where there is a reply; the reply itself is kept.

        Raises:
            Retryable: The step may be taken again; the ledger sees to it that nothing is charged twice.
        """
        plan = self.stores.plan(asked.judge_run_id)
        if plan is None:
            raise NotNow("the judge run has no plan")
        call = plan.calls[asked.repeat]
        kept = self.stores.records.find(asked.judge_run_id, answer_name(asked.repeat))
        if kept is not None:
            answer = StoredAnswer.model_validate_json(kept)
            self._account(call, answer)
            return _said(asked, answer.code)
        answer_now = self._answer(asked, plan, call)
        if answer_now is None:
            return _said(asked, Code.GATEWAY_OUTCOME_UNKNOWN)
        text = answer_now.model_dump_json().encode()
        first = self.stores.records.keep(asked.judge_run_id, answer_name(asked.repeat), text)
        self._account(call, answer_now)
        if answer_now.stops_run and answer_now.code is not None:
            trip(self.stores.records, self.stores.job(asked.job), answer_now.code, self.clock())
        return _said(asked, StoredAnswer.model_validate_json(first).code)

    def _answer(self, asked: AskRequest, plan: JudgeRunPlan, call: PlannedCall) -> StoredAnswer | None:
        """What comes of asking; None where somebody else is still at it, who will say."""
        if self.clock() >= asked.deadline_at:
            return _LATE
        job = self.stores.job(asked.job)
        if job.budget is None:
            return _EXHAUSTED
        ownership = Ownership(asked.judge_run_id, asked.deadline_at + OWNERSHIP_MARGIN_MS)
        request = CallRequest(call.logical_id, call.request.sha256, call.estimate)
        reserved = self.ledger.reserve(Order(job.budget, (request,), ownership))
        if isinstance(reserved, Conflict):
            self.faults(LedgerFault.OTHER_REQUEST, call.logical_id)
        standing = reserved.calls[0] if isinstance(reserved, Admitted) else None
        if isinstance(standing, Held):
            return self._sent(asked, _Sending(self.ledger, standing, asked.deadline_at), plan, call, job)
        return _standing_answer(reserved if standing is None else standing)

    def _sent(
        self, asked: AskRequest, sending: "_Sending", plan: JudgeRunPlan, call: PlannedCall, job: JudgeRunJob
    ) -> StoredAnswer | None:
        try:
            body = self.stores.bodies.read(call.request.ref)
        except Unreadable:
            return StoredAnswer(code=Code.SCORING_FAILED)
        request = CompletionRequest(
            job.organization_id, job.budget_id or "", call.logical_id, body, frozenset(plan.served_names)
        )
        before = sending.held.call.state is CallState.SENT
        try:
            reply = self.gateway.complete(
                request, deadline=asked.deadline_at / 1_000, on_sent=sending.on_sent, sent_before=before
            )
        except _NotSendable as kept_back:
            return _standing_answer(kept_back.standing)
        except GatewayFailure as failure:
            return _failed(failure.fault, plan, call, sending)
        return self._replied(asked, reply, plan, call, sending)

    def _replied(
        self, asked: AskRequest, reply: CompletionReply, plan: JudgeRunPlan, call: PlannedCall, sending: "_Sending"
    ) -> StoredAnswer:
        usage = reply.report.usage
        return StoredAnswer(
            reply=hold_reply(self.stores.bodies, asked.judge_run_id, reply.message),
            charge=ChargeStatus.CHARGED,
            charged=StoredCharge.of(charge(call.estimate, plan.price, reply.report)),
            revision=sending.held.claim.revision,
            input_tokens=usage.input_tokens if usage else None,
            output_tokens=usage.output_tokens if usage else None,
            served_model=reply.served_model,
        )

    def _account(self, call: PlannedCall, answer: StoredAnswer) -> None:
        """Tell the ledger what the answer has cost; a claim that is void by now changes nothing."""
        settlement = answer.settlement()
        if settlement is not None:
            fault = _fault(self.ledger.settle(call.logical_id, settlement))
            if fault is None and settlement.charge.amount > call.estimate:
                fault = LedgerFault.OVERRUN
            if fault is not None:
                self.faults(fault, call.logical_id)
        elif answer.revision is not None:
            claim = Claim(call.logical_id, answer.revision)
            (self.ledger.doubt if answer.charge is ChargeStatus.UNCERTAIN else self.ledger.release)(claim)
        else:
            self.ledger.release_unsent(self.ledger.call(call.logical_id))


@dataclass(slots=True)
class _Sending:
    """The ledger's side of sending a request: nothing leaves that is not written down as sent."""

    ledger: BudgetLedger
    held: Held
    deadline_at: EpochMs

    def on_sent(self, attempt: int, in_doubt: bool) -> None:  # noqa: FBT001  (the port's signature)
        """Write the next sending down, after an earlier one that certainly cost nothing was put back."""
        if attempt > 1 and not in_doubt:
            self._take(self.ledger.put_back(self.held.claim))
        self._take(self.ledger.mark_sent(self.held.claim, self.deadline_at + SENT_MARGIN_MS))

    def _take(self, standing: CallStatus) -> None:
        if not isinstance(standing, Held):
            raise _NotSendable(standing)
        self.held = standing


def _failed(fault: GatewayFault, plan: JudgeRunPlan, call: PlannedCall, sending: _Sending) -> StoredAnswer:
    is_charged, usage = fault.charge is ChargeStatus.CHARGED, fault.report.usage
    return StoredAnswer(
        code=fault.code,
        charge=fault.charge,
        charged=StoredCharge.of(charge(call.estimate, plan.price, fault.report)) if is_charged else None,
        revision=sending.held.claim.revision,
        input_tokens=usage.input_tokens if usage else None,
        output_tokens=usage.output_tokens if usage else None,
        stops_run=fault.stops_run,
    )


def _fault(settled: CallStatus) -> LedgerFault | None:
    match settled:
        case Conflict():
            return LedgerFault.OTHER_CHARGE
        case NotHeld():
            return LedgerFault.NEVER_SENT
        case _:
            return None


def _standing_answer(standing: CallStatus | Reservation) -> StoredAnswer | None:
    match standing:
        case InDoubt():
            return _IN_DOUBT
        case Conflict():
            return _CONFLICT
        case BudgetExhausted() | BudgetClosed() | BudgetUnknown():
            return _EXHAUSTED
        case InProgress():
            return None
        case _:
            raise NotNow("the call cannot be made now")


def _said(asked: AskRequest, code: Code | None) -> dict[str, Json]:
    return {"repeat": asked.repeat, "code": None if code is None else code.value}
