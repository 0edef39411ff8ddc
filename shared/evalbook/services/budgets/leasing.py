"""A worker's leases: reservations are written to a chunk of its own, the budget itself once a chunk."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from evalbook.budgets.leases import Lease, LeaseStep, LeaseTerms, chunk, close, grant, renew
from evalbook.budgets.model import AccountState, Admission, Budget, BudgetKey, BudgetRefusal, EpochMs, refusal
from evalbook.budgets.reservations import Plan
from evalbook.budgets.store import LedgerStore, MoveBudget, MoveLease, WriteLease
from evalbook.domain.errors import StoreUnavailable
from evalbook.services.budgets.accounts import ROUNDS, BudgetAccount, Changed, about_calls, call_writes


@dataclass(frozen=True, slots=True)
class LeaseHolder:
    """Who holds leases, on which terms, and where the ids of new ones come from; an id is never used twice."""

    owner: str
    terms: LeaseTerms
    new_id: Callable[[], str]


class LeasedAccount:
    """Reservations are taken from the worker's lease of the budget; for one worker, not for threads side by side."""

    def __init__(self, store: LedgerStore, holder: LeaseHolder) -> None:
        self._store = store
        self._holder = holder
        self._budgets = BudgetAccount(store)
        self._leases: dict[BudgetKey, str] = {}

    def pay(self, budget: BudgetKey, plan: Plan, now: EpochMs) -> Plan | BudgetRefusal | Changed:
        """Write the plan; the plan as it was written, or why it was not."""
        admission = plan.admission(now)
        if admission is None:
            return self._budgets.pay(budget, plan, now)
        for _ in range(ROUNDS):
            lease_id = self._leases.get(budget)
            if lease_id is not None:
                drawn = plan.under(lease_id)
                rejected = self._store.commit([*call_writes(drawn.steps), MoveLease(lease_id, plan.money, admission)])
                if not rejected:
                    return drawn
                if about_calls(rejected):
                    return Changed()
            refused = self._fill(budget, admission)
            if refused is not None:
                self.give_back()
                return refused
        raise StoreUnavailable("the ledger's lease is busy")

    def give_back(self) -> None:
        """Return every lease: money that this worker does not need now may be needed elsewhere."""
        while self._leases:
            _, lease_id = self._leases.popitem()
            close_lease(self._store, lease_id, lambda _: True)

    def _fill(self, budget_key: BudgetKey, admission: Admission) -> BudgetRefusal | None:
        """Have a lease with enough in it, unless somebody interferes; why the budget refuses, or None."""
        lease = self._open_lease(budget_key)
        missing = replace(admission, needs=max(0, admission.needs - (lease.available if lease else 0)))
        budget = self._store.budget(budget_key)
        if budget is None or refusal(budget, missing) is not None:
            return refusal(budget, admission) or refusal(budget, missing)
        more = replace(missing, needs=chunk(budget, missing.needs, self._holder.terms))
        step = self._step(lease, budget, more)
        if not self._store.commit([WriteLease(step.before, step.after), MoveBudget(budget_key, step.money, more)]):
            self._leases[budget_key] = step.after.lease_id
        return None

    def _step(self, lease: Lease | None, budget: Budget, more: Admission) -> LeaseStep:
        expires_at = min(more.now + self._holder.terms.lifetime, budget.expires_at)
        if lease is not None:
            return renew(lease, more.needs, expires_at)
        return grant(Lease(self._holder.new_id(), budget.key, self._holder.owner, expires_at, more.needs))

    def _open_lease(self, budget: BudgetKey) -> Lease | None:
        lease_id = self._leases.get(budget)
        lease = None if lease_id is None else self._store.lease(lease_id)
        return lease if lease is not None and lease.state is AccountState.OPEN else None


def close_lease(store: LedgerStore, lease_id: str, due: Callable[[Lease], bool]) -> bool:
    """Close a lease if it is open and *due*; whether this call closed it.

    Raises:
        StoreUnavailable: The store did not answer, or the lease is too busy.
    """
    for _ in range(ROUNDS):
        lease = store.lease(lease_id)
        if lease is None or lease.state is AccountState.CLOSED or not due(lease):
            return False
        step = close(lease)
        if not store.commit([WriteLease(step.before, step.after), MoveBudget(lease.budget, step.money)]):
            return True
    raise StoreUnavailable("the lease is busy")
