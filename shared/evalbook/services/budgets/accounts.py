"""A ledger's writes: a call's step and the move of its budget's money are one transaction."""

from collections.abc import Iterable, Sequence
from typing import Final

from evalbook.budgets.model import NOTHING, Budget, BudgetKey, BudgetRefusal, EpochMs, refusal
from evalbook.budgets.reservations import Plan
from evalbook.budgets.store import LedgerStore, MoveBudget, Rejected, WriteCall
from evalbook.budgets.transitions import CallStep

ROUNDS: Final = 8
"""How often a step is made anew from a record that somebody else keeps changing."""


class Changed:
    """A record was changed by somebody else in between: look again."""


def pay(store: LedgerStore, budget: BudgetKey, plan: Plan, now: EpochMs) -> Plan | BudgetRefusal | Changed:
    """Write a judge run's plan with its money; return the plan as it was written, or why it was not.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    admission = plan.admission(now)
    money = [MoveBudget(budget, plan.money, admission)] if admission else []
    rejected = store.commit([*_call_writes(plan.steps), *money])
    if not rejected:
        return plan
    if admission is None or _about_calls(rejected):
        return Changed()
    return refusal(_rejected_budget(rejected), admission) or Changed()


def write_step(store: LedgerStore, step: CallStep) -> bool:
    """Write one call's step with its money; return False where somebody else has changed the call in between.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    money = [] if step.money == NOTHING else [MoveBudget(step.after.budget, step.money)]
    return not store.commit([*_call_writes([step]), *money])


def _call_writes(steps: Iterable[CallStep]) -> list[WriteCall]:
    return [WriteCall(step.before, step.after) for step in steps]


def _about_calls(rejected: Sequence[Rejected]) -> bool:
    return any(isinstance(one.write, WriteCall) for one in rejected)


def _rejected_budget(rejected: Sequence[Rejected]) -> Budget | None:
    """Return the budget as it was when it stood in the way."""
    return next((one.record for one in rejected if isinstance(one.record, Budget)), None)
