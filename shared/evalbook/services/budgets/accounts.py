"""Where a call's money comes from and goes to: the budget itself, or the lease that the call was reserved under."""

from collections.abc import Iterable, Sequence
from typing import Final, Protocol

from evalbook.budgets.model import NOTHING, Budget, BudgetKey, BudgetRefusal, EpochMs, refusal
from evalbook.budgets.reservations import Plan
from evalbook.budgets.store import LedgerStore, MoveBudget, MoveLease, Rejected, WriteCall
from evalbook.budgets.transitions import Step

ROUNDS: Final = 8
"""How often a step is made anew from a record that somebody else keeps changing."""


class Changed:
    """A record was changed by somebody else in between: look again."""


class Account(Protocol):
    """What pays for a judge run of calls."""

    def pay(self, budget: BudgetKey, plan: Plan, now: EpochMs) -> Plan | BudgetRefusal | Changed:
        """Write the plan; the plan as it was written, or why it was not.

        Raises:
            StoreUnavailable: The store did not answer.
        """

    def give_back(self) -> None:
        """Return what the account holds for later.

        Raises:
            StoreUnavailable: The store did not answer.
        """


class BudgetAccount:
    """Every reservation is a write of the budget itself."""

    def __init__(self, store: LedgerStore) -> None:
        self._store = store

    def pay(self, budget: BudgetKey, plan: Plan, now: EpochMs) -> Plan | BudgetRefusal | Changed:
        """Write the plan; the plan as it was written, or why it was not."""
        admission = plan.admission(now)
        money = [MoveBudget(budget, plan.money, admission)] if admission else []
        rejected = self._store.commit([*call_writes(plan.steps), *money])
        if not rejected:
            return plan
        if admission is None or about_calls(rejected):
            return Changed()
        return refusal(rejected_budget(rejected), admission) or Changed()

    def give_back(self) -> None:
        """Nothing is held for later."""


def call_writes(steps: Iterable[Step]) -> list[WriteCall]:
    """The writes of the steps' calls, without their money."""
    return [WriteCall(step.before, step.after) for step in steps]


def about_calls(rejected: Sequence[Rejected]) -> bool:
    """Whether a call stood in the way."""
    return any(isinstance(one.write, WriteCall) for one in rejected)


def rejected_budget(rejected: Sequence[Rejected]) -> Budget | None:
    """The budget as it was when it stood in the way."""
    return next((one.record for one in rejected if isinstance(one.record, Budget)), None)


def write_step(store: LedgerStore, step: Step) -> bool:
    """Write one call's step with its money; False where somebody else has changed the call in between.

    A closed lease never opens again and leaves its calls to the budget, so the second transaction need not look at it.
    """
    calls = call_writes([step])
    if step.money == NOTHING:
        return not store.commit(calls)
    lease_id = step.after.lease_id
    if lease_id is not None:
        rejected = store.commit([*calls, MoveLease(lease_id, step.money)])
        if not rejected or about_calls(rejected):
            return not rejected
    return not store.commit([*calls, MoveBudget(step.after.budget, step.money)])
