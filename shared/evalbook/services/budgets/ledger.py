"""The AI-budget ledger: model calls are reserved, sent, settled or given back, each once, whoever asks how often.

A step whose answer was lost may be taken again with the same claim: it never moves money twice. StoreUnavailable leaves
open whether the step was written, and no request may leave on it.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from evalbook.budgets.calls import (
    Call,
    CallState,
    CallStatus,
    Claim,
    Conflict,
    Held,
    InProgress,
    Settlement,
)
from evalbook.budgets.model import Budget, BudgetKey, BudgetRefusal, EpochMs, MicroDollars, MightFreeUp
from evalbook.budgets.reservations import Admitted, Order, Plan, plan
from evalbook.budgets.store import CloseBudget, LedgerStore, OpenBudget
from evalbook.budgets.transitions import CallStep, doubt, put_back, release, send, settle
from evalbook.domain.errors import StoreUnavailable
from evalbook.services.budgets.accounts import ROUNDS, Changed, pay, write_step

Reservation = Admitted | BudgetRefusal | InProgress | Conflict


@dataclass(frozen=True, slots=True)
class LedgerSettings:
    """How a ledger behaves.

    `replays` says that the gateway answers a repeated request from memory and charges it once. `clock` gives the time
    in milliseconds since the epoch, `refusal_hold` for how many milliseconds a refusal is believed.
    """

    replays: bool
    clock: Callable[[], EpochMs]
    refusal_hold: Callable[[], int]


@dataclass(frozen=True, slots=True)
class _Remembered:
    needs: MicroDollars
    until: EpochMs
    refusal: BudgetRefusal


class Refusals:
    """The latest refusal of each budget. *hold* says for how many milliseconds one is believed: 1,000 to 5,000."""

    def __init__(self, hold: Callable[[], int]) -> None:
        self._hold = hold
        self._remembered: dict[BudgetKey, _Remembered] = {}

    def recall(self, budget: BudgetKey, needs: MicroDollars, now: EpochMs) -> BudgetRefusal | None:
        """Why the budget would refuse so much, as far as is remembered."""
        known = self._remembered.get(budget)
        if known is None or known.until <= now or known.needs > needs:
            return None
        if isinstance(known.refusal, MightFreeUp):
            return replace(known.refusal, retry_after=known.until - now)
        return known.refusal

    def remember(self, budget: BudgetKey, needs: MicroDollars, now: EpochMs, refusal: BudgetRefusal) -> None:
        """Keep the refusal, and none that is out of date."""
        current = {key: known for key, known in self._remembered.items() if known.until > now}
        self._remembered = {**current, budget: _Remembered(needs, now + self._hold(), refusal)}

    def forget(self, budget: BudgetKey) -> None:
        """Money may have come back."""
        self._remembered.pop(budget, None)


class BudgetLedger:
    """The ledger as one worker uses it. Every method raises StoreUnavailable when the store does not answer."""

    def __init__(self, store: LedgerStore, settings: LedgerSettings) -> None:
        self._store = store
        self._replays = settings.replays
        self._clock = settings.clock
        self._refusals = Refusals(settings.refusal_hold)

    def create_budget(self, budget: Budget) -> Budget | None:
        """Open a budget; as it is now where it was opened before, None where its key has other terms."""
        if not self._store.commit([OpenBudget(budget)]):
            return budget
        found = self._store.budget(budget.key)
        return found if found is not None and found.has_terms_of(budget) else None

    def close_budget(self, key: BudgetKey) -> bool:
        """Take no more reservations from a budget; return whether there is one."""
        return not self._store.commit([CloseBudget(key)])

    def budget(self, key: BudgetKey) -> Budget | None:
        """The budget as it is now, or None."""
        return self._store.budget(key)

    def call(self, request_id: str) -> Call | None:
        """The call as it is now, or None."""
        return self._store.calls([request_id]).get(request_id)

    def reserve(self, order: Order) -> Reservation:
        """Reserve a whole judge run of calls or none of them; what is reserved or answered already is not paid again.

        `Exhausted`, `BudgetClosed` and `BudgetUnknown` are final, `MightFreeUp` and `InProgress` are to be asked again.
        """
        now = self._clock()
        most = sum(call.estimate for call in order.calls)
        known = self._refusals.recall(order.budget, most, now)
        # A judge run is nearly always new: that is assumed before it is looked up, unless a refusal is likely.
        found = {} if known is None else self._store.calls(order.request_ids)
        for _ in range(ROUNDS):
            planned = plan(order, found, now)
            if not isinstance(planned, Plan):
                return planned
            if not planned.steps:
                return planned.admitted
            known = None if planned.needs is None else self._refusals.recall(order.budget, planned.needs, now)
            if known is not None:
                return known
            paid = pay(self._store, order.budget, planned, now)
            if isinstance(paid, Plan):
                return Admitted(tuple(self._sendable(one) for one in paid.admitted.calls))
            if not isinstance(paid, Changed) and planned.needs is not None:
                self._refusals.remember(order.budget, planned.needs, now, paid)
            found = self._store.calls(order.request_ids)
        raise StoreUnavailable("the ledger is busy")

    def mark_sent(self, claim: Claim, until: EpochMs) -> CallStatus:
        """Write down that the request leaves now: it may leave on `Held`, and on nothing else.

        Until then nobody else may take the call over.
        """
        return self._take(claim.request_id, lambda call: send(call, claim, self._clock(), until, replays=self._replays))

    def put_back(self, claim: Claim) -> CallStatus:
        """The answer says that the request was not charged and may be sent again: `Held` with the claim for that."""
        return self._take(claim.request_id, lambda call: put_back(call, claim, self._clock()))

    def release(self, claim: Claim) -> CallStatus:
        """Give a call up that was certainly not charged; `InDoubt` where an earlier request of it may have been."""
        return self._take(claim.request_id, lambda call: release(call, claim, self._clock()))

    def release_unsent(self, call: Call | None) -> None:
        """Give a reservation back that nobody will send any more; a sent call is left to the sweeper."""
        if call is not None and call.state is CallState.RESERVED:
            self.release(call.claim)

    def doubt(self, claim: Claim) -> CallStatus:
        """Give a call up that may have been charged: it counts in full until an answer comes after all."""
        return self._take(claim.request_id, lambda call: doubt(call, claim, self._clock()))

    def settle(self, request_id: str, settlement: Settlement) -> CallStatus:
        """Charge what the call has cost and keep where its answer is stored; `Settled` with what was charged first.

        `Conflict` where it was charged another amount before, `NotHeld` where it was never sent: both are faults.
        """
        return self._take(request_id, lambda call: settle(call, settlement))

    def _sendable(self, standing: CallStatus) -> CallStatus:
        """A sent call whose owner has gone may be sent again where the gateway replays, and is lost where not."""
        if isinstance(standing, Held) and standing.call.state is CallState.SENT and not self._replays:
            return self.doubt(standing.claim)
        return standing

    def _take(self, request_id: str, rule: Callable[[Call | None], CallStep | CallStatus]) -> CallStatus:
        for _ in range(ROUNDS):
            step = rule(self.call(request_id))
            if not isinstance(step, CallStep):
                return step
            if write_step(self._store, step):
                if step.money.available > 0:
                    self._refusals.forget(step.after.budget)
                return step.outcome
        raise StoreUnavailable("the ledger is busy")
