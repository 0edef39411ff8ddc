"""Every step of a call in the ledger, with its condition and the money that moves with it.

    RESERVED ──▶ SENT ──▶ SETTLED          SENT is written before the request leaves
    RESERVED ──▶ RELEASED ──▶ RESERVED     certainly not charged, so it may be reserved again
    SENT ──▶ RESERVED, RELEASED            the answer says that it was certainly not charged
    SENT ──▶ IN_DOUBT ──▶ SETTLED          charged in full until a late answer says how much it was

Each function takes the call as it is stored and gives the `CallStep` to write, or says how the call stands. A step is
made from one revision of the call and holds for no other, so a store has to compare nothing but the revision.
"""

from dataclasses import dataclass, replace
from typing import TypeGuard

from evalbook.budgets.calls import (
    HOLDING,
    Call,
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
    Released,
    Settled,
    Settlement,
)
from evalbook.budgets.model import (
    NOTHING,
    BudgetKey,
    EpochMs,
    Money,
    charged,
    corrected,
    doubted,
    freed,
    held,
)


@dataclass(frozen=True, slots=True)
class CallStep:
    """A call's next image, the image that it replaces and the money that moves with it."""

    before: Call | None
    after: Call
    money: Money = NOTHING

    @property
    def outcome(self) -> CallStatus:
        """How the call stands for whoever has taken the step."""
        match self.after.state:
            case CallState.SETTLED:
                return Settled(self.after)
            case CallState.IN_DOUBT:
                return InDoubt(self.after)
            case CallState.RELEASED:
                return Released(self.after)
            case _:
                return Held(self.after.claim, self.after)


def standing(call: Call | None, now: EpochMs) -> CallStatus:
    """How a call stands for somebody who holds no valid claim on it."""
    if call is None:
        return NotHeld(None)
    match call.state:
        case CallState.SETTLED:
            return Settled(call)
        case CallState.IN_DOUBT:
            return InDoubt(call)
        case CallState.RELEASED:
            return Released(call)
        case _:
            return NotHeld(call) if _is_orphan(call, now) else InProgress(call.ownership.until)


def reserve(
    budget: BudgetKey, request: CallRequest, found: Call | None, ownership: Ownership, now: EpochMs
) -> CallStep | CallStatus:
    """A delivery wants to make the call, which may have been delivered before.

    Only a call that holds no money and was not charged takes money. A reservation of the same owner is given to it
    again, one whose owner's time is up changes hands. A sent call changes hands too, as an uncertain one: whether it
    may be sent again is for `send` to say.
    """
    if found is None:
        return CallStep(None, Call(request, budget, ownership), held(request.estimate))
    if (found.budget, found.request.request_digest) != (budget, request.request_digest):
        return Conflict(request.request_id)
    if found.state is CallState.RELEASED:
        again = replace(found, request=request)
        return CallStep(found, _owned(again, ownership, CallState.RESERVED), held(request.estimate))
    return _taken_over(found, ownership, now) if found.state in HOLDING else standing(found, now)


def send(call: Call | None, claim: Claim, now: EpochMs, until: EpochMs, *, replays: bool) -> CallStep | CallStatus:
    """A request is about to leave. A sent call leaves again only where the gateway *replays* and charges once."""
    if not _holds(call, claim):
        return standing(call, now)
    sendable = call.state is CallState.RESERVED or (call.state is CallState.SENT and replays)
    if not sendable or _is_orphan(call, now):
        return NotHeld(call)
    sent = replace(
        call,
        sends=call.sends + 1,
        sent_at=now,
        uncertain=call.state is CallState.SENT,
        ownership=replace(call.ownership, until=until),
    )
    return CallStep(call, _next(sent, CallState.SENT))


def put_back(call: Call | None, claim: Claim, now: EpochMs) -> CallStep | CallStatus:
    """The request was certainly not charged and may be sent again; an uncertain call stays SENT."""
    if not _holds(call, claim):
        return standing(call, now)
    if call.state is CallState.SENT and not call.uncertain:
        return CallStep(call, _next(replace(call, sent_at=None), CallState.RESERVED))
    return Held(claim, call)


def release(call: Call | None, claim: Claim, now: EpochMs) -> CallStep | CallStatus:
    """The call is given up without a charge; an uncertain call may have been charged, so it goes IN_DOUBT."""
    if not _holds(call, claim):
        return standing(call, now)
    return _given_up(call, charged_perhaps=call.state is CallState.SENT and call.uncertain)


def doubt(call: Call | None, claim: Claim, now: EpochMs) -> CallStep | CallStatus:
    """The request left and its outcome is unknown: it counts in full."""
    if not _holds(call, claim):
        return standing(call, now)
    return _given_up(call, charged_perhaps=call.state is CallState.SENT)


def settle(call: Call | None, settlement: Settlement) -> CallStep | CallStatus:
    """An answer has come, whoever brings it: it is charged once, at any time after the call was sent."""
    if call is not None and call.settlement is not None:
        same = call.settlement.charge.amount == settlement.charge.amount
        return Settled(call) if same else Conflict(call.request.request_id)
    if call is None or call.state not in {CallState.SENT, CallState.IN_DOUBT}:
        return NotHeld(call)
    money = charged if call.state is CallState.SENT else corrected
    after = _next(replace(call, settlement=settlement), CallState.SETTLED)
    return CallStep(call, after, money(call.request.estimate, settlement.charge.amount))


def sweep(call: Call | None, before: EpochMs) -> CallStep | None:
    """What becomes of a call whose owner's time was up *before* that instant: orphans are freed or charged in full."""
    if call is None or call.state not in HOLDING or call.ownership.until >= before:
        return None
    return _given_up(call, charged_perhaps=call.state is CallState.SENT)


def _taken_over(found: Call, ownership: Ownership, now: EpochMs) -> CallStep | CallStatus:
    if _is_orphan(found, now):
        return CallStep(found, _owned(found, ownership, found.state))
    if found.state is CallState.RESERVED and found.ownership.owner == ownership.owner:
        return Held(found.claim, found)
    return InProgress(found.ownership.until)


def _holds(call: Call | None, claim: Claim) -> TypeGuard[Call]:
    return call is not None and call.claim == claim and call.state in HOLDING


def _given_up(call: Call, *, charged_perhaps: bool) -> CallStep:
    if charged_perhaps:
        return CallStep(call, _next(call, CallState.IN_DOUBT), doubted(call.request.estimate))
    return CallStep(call, _next(call, CallState.RELEASED), freed(call.request.estimate))


def _owned(call: Call, ownership: Ownership, state: CallState) -> Call:
    taken = replace(call, ownership=ownership, attempt=call.attempt + 1, uncertain=state is CallState.SENT)
    return _next(taken, state)


def _next(call: Call, state: CallState) -> Call:
    return replace(call, state=state, revision=call.revision + 1)


def _is_orphan(call: Call, now: EpochMs) -> bool:
    return call.ownership.until <= now
