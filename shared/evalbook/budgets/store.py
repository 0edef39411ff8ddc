"""What the ledger writes, under which conditions, and the store that it writes to.

`holds` and `applied` say what a write means. A store that keeps its records elsewhere spells the same conditions in its
own language.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from evalbook.budgets.calls import Call
from evalbook.budgets.model import Admission, Budget, BudgetKey, EpochMs, Money, refusal

Record = Budget | Call


@dataclass(frozen=True, slots=True)
class OpenBudget:
    """Store a budget; its key must be unused."""

    budget: Budget


@dataclass(frozen=True, slots=True)
class CloseBudget:
    """Take no more reservations from a budget, which must exist."""

    key: BudgetKey


@dataclass(frozen=True, slots=True)
class WriteCall:
    """Store a call's next image; the stored one must be the revision of `before`, or missing where that is None."""

    before: Call | None
    after: Call


@dataclass(frozen=True, slots=True)
class MoveBudget:
    """Move a budget's money; the budget must exist, and admit the reservation where it is one."""

    key: BudgetKey
    money: Money
    admission: Admission | None = None


Write = OpenBudget | CloseBudget | WriteCall | MoveBudget


@dataclass(frozen=True, slots=True)
class Rejected:
    """A write whose condition did not hold, and the record as it was then, where the store says."""

    write: Write
    record: Record | None


class LedgerStore(Protocol):
    """Where the ledger's records are kept. Every method raises StoreUnavailable when the store does not answer."""

    def budget(self, key: BudgetKey) -> Budget | None:
        """The budget as it is now, or None."""

    def calls(self, request_ids: Sequence[str]) -> Mapping[str, Call]:
        """Those of the calls that exist, as they are now, by logical id."""

    def commit(self, writes: Sequence[Write]) -> Sequence[Rejected]:
        """Make all writes at once where every condition holds, and none otherwise; the writes that stood in the way.

        No two writes are for the same record. StoreUnavailable leaves open whether they were made.
        """

    def overdue_calls(self, before: EpochMs, limit: int) -> Sequence[str]:
        """At most *limit* calls that hold money and whose owner's time was up before that instant; perhaps outdated."""


def holds(write: Write, record: Record | None) -> bool:
    """Whether the write's condition holds for the record as it is."""
    match write, record:
        case OpenBudget(), _:
            return record is None
        case WriteCall(before), (Call() | None):
            return _revision(before) == _revision(record)
        case CloseBudget(), _:
            return record is not None
        case MoveBudget(admission=admission), (Budget() | None):
            return record is not None and (admission is None or refusal(record, admission) is None)
        case _:
            return False


def applied(write: Write, record: Record | None) -> Record:
    """The record after a write whose condition holds."""
    match write, record:
        case OpenBudget(budget), _:
            return budget
        case WriteCall(_, after), _:
            return after
        case CloseBudget(), Budget():
            return record.closed()
        case MoveBudget(money=money), Budget():
            return record.moved(money)
        case _:
            raise AssertionError("the write's condition does not hold")


def _revision(record: Call | None) -> int | None:
    return None if record is None else record.revision
