"""A judge run of calls is reserved whole or not at all, however much of it was delivered before."""

from collections.abc import Mapping
from dataclasses import dataclass

from evalbook.budgets.calls import Call, CallRequest, CallState, CallStatus, Conflict, InProgress, Ownership
from evalbook.budgets.model import NOTHING, Admission, BudgetKey, EpochMs, MicroDollars, Money
from evalbook.budgets.transitions import CallStep, reserve

MAX_CALLS = 90
"""A transaction takes 100 writes; a few are left for the budget."""


@dataclass(frozen=True, slots=True)
class Order:
    """The calls to be reserved together, the budget that pays and who will make them."""

    budget: BudgetKey
    calls: tuple[CallRequest, ...]
    ownership: Ownership

    def __post_init__(self) -> None:
        """Refuse what one transaction cannot write."""
        if len({call.request_id for call in self.calls}) != len(self.calls):
            raise ValueError("a judge run cannot hold a call twice")
        if not 1 <= len(self.calls) <= MAX_CALLS:
            raise ValueError(f"a judge run holds 1 to {MAX_CALLS} calls")

    @property
    def request_ids(self) -> tuple[str, ...]:
        """The logical ids in their order."""
        return tuple(call.request_id for call in self.calls)


@dataclass(frozen=True, slots=True)
class Admitted:
    """Every call of a judge run is reserved, or needs no reservation any more; in the order of the judge run.

    `Held` calls are to be made, `Settled` ones are answered, `InDoubt` ones are lost and charged.
    """

    calls: tuple[CallStatus, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be written for a judge run, and how its calls stand once it is.

    `needs` is None where no call takes money.
    """

    parts: tuple[CallStep | CallStatus, ...]
    needs: MicroDollars | None
    money: Money

    @property
    def steps(self) -> tuple[CallStep, ...]:
        """The calls that change."""
        return tuple(part for part in self.parts if isinstance(part, CallStep))

    @property
    def admitted(self) -> Admitted:
        """The answer, once the plan is written."""
        return Admitted(tuple(part.outcome if isinstance(part, CallStep) else part for part in self.parts))

    def admission(self, now: EpochMs) -> Admission | None:
        """The condition that the paying budget has to meet."""
        return None if self.needs is None else Admission(self.needs, now)


def plan(order: Order, found: Mapping[str, Call], now: EpochMs) -> Plan | InProgress | Conflict:
    """What to write for *order*, given those of its calls that exist; or why nothing may be written."""
    parts = [reserve(order.budget, call, found.get(call.request_id), order.ownership, now) for call in order.calls]
    conflicts = [part for part in parts if isinstance(part, Conflict)]
    waits = [part for part in parts if isinstance(part, InProgress)]
    if conflicts:
        return conflicts[0]
    if waits:
        return max(waits, key=lambda wait: wait.until)
    taking = [part for part in parts if isinstance(part, CallStep) and _takes_money(part)]
    needs = sum(step.after.request.estimate for step in taking) if taking else None
    money = sum((step.money for step in taking), NOTHING)
    return Plan(tuple(parts), needs, money)


def _takes_money(step: CallStep) -> bool:
    return step.before is None or step.before.state is CallState.RELEASED
