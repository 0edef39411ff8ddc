"""AI budgets: what one holds, what moves between its counters and when a refusal is final.

All amounts are integer micro-dollars, all instants integer milliseconds since the epoch.
`available == limit - reserved - spent` holds after every move, because each move's three parts add up to nothing.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Self

MicroDollars = int
EpochMs = int


class AccountState(StrEnum):
    """Whether reservations are taken; a closed account never opens again."""

    OPEN = "OPEN"
    CLOSED = "CLOSED"


@dataclass(frozen=True, slots=True)
class BudgetKey:
    """A budget of one project of one organization."""

    organization_id: str
    project_id: str
    budget_id: str


@dataclass(frozen=True, slots=True)
class Money:
    """One move of money: what is added to each counter of a budget."""

    available: MicroDollars = 0
    reserved: MicroDollars = 0
    spent: MicroDollars = 0
    overrun: MicroDollars = 0

    def __add__(self, other: "Money") -> "Money":
        """Both moves as one."""
        return Money(
            self.available + other.available,
            self.reserved + other.reserved,
            self.spent + other.spent,
            self.overrun + other.overrun,
        )


NOTHING = Money()


def held(estimate: MicroDollars) -> Money:
    """A call is reserved."""
    return Money(available=-estimate, reserved=estimate)


def freed(estimate: MicroDollars) -> Money:
    """A reservation is given back whole."""
    return Money(available=estimate, reserved=-estimate)


def doubted(estimate: MicroDollars) -> Money:
    """A call that may have been charged counts as spent in full."""
    return Money(reserved=-estimate, spent=estimate)


def charged(estimate: MicroDollars, actual: MicroDollars) -> Money:
    """A reserved call has cost *actual*, which may be more than was reserved."""
    return Money(estimate - actual, -estimate, actual, max(0, actual - estimate))


def corrected(estimate: MicroDollars, actual: MicroDollars) -> Money:
    """A call that was charged in full while in doubt has cost *actual*."""
    return Money(estimate - actual, 0, actual - estimate, max(0, actual - estimate))


@dataclass(frozen=True, slots=True)
class Budget:
    """A limit on what model calls may cost, and what has become of it.

    `overrun` is by how much single calls have cost more than their estimates, in total; `available` may fall below
    zero by no more than that.
    """

    key: BudgetKey
    limit: MicroDollars
    purpose: str
    expires_at: EpochMs
    available: MicroDollars
    reserved: MicroDollars = 0
    spent: MicroDollars = 0
    overrun: MicroDollars = 0
    state: AccountState = AccountState.OPEN

    @classmethod
    def opened(cls, key: BudgetKey, limit: MicroDollars, purpose: str, expires_at: EpochMs) -> Self:
        """A budget of which nothing is spent yet.

        Raises:
            ValueError: The limit is negative.
        """
        if limit < 0:
            raise ValueError("a budget's limit cannot be negative")
        return cls(key, limit, purpose, expires_at, available=limit)

    def has_terms_of(self, other: "Budget") -> bool:
        """Whether both were opened with the same terms, whatever has happened since."""
        return (self.key, self.limit, self.purpose, self.expires_at) == (
            other.key,
            other.limit,
            other.purpose,
            other.expires_at,
        )

    def moved(self, money: Money) -> Self:
        """The budget after a move."""
        return replace(
            self,
            available=self.available + money.available,
            reserved=self.reserved + money.reserved,
            spent=self.spent + money.spent,
            overrun=self.overrun + money.overrun,
        )

    def closed(self) -> Self:
        """The budget that takes no reservations any more; what is reserved is still settled or released."""
        return replace(self, state=AccountState.CLOSED)


@dataclass(frozen=True, slots=True)
class Admission:
    """The condition of a reservation: at *now* the budget is open, has not expired and has *needs* available."""

    needs: MicroDollars
    now: EpochMs


@dataclass(frozen=True, slots=True)
class BudgetExhausted:
    """The budget cannot pay, and nothing that is still reserved could change that: final."""


@dataclass(frozen=True, slots=True)
class MightFreeUp:
    """The budget cannot pay now, but reserved money may come back: ask again after `retry_after` milliseconds."""

    retry_after: int = 0


@dataclass(frozen=True, slots=True)
class BudgetClosed:
    """The budget was closed or has expired: final."""


@dataclass(frozen=True, slots=True)
class BudgetUnknown:
    """The project has no such budget."""


BudgetRefusal = BudgetExhausted | MightFreeUp | BudgetClosed | BudgetUnknown


def refusal(budget: Budget | None, admission: Admission) -> BudgetRefusal | None:
    """Why the budget does not admit a reservation; None where it does.

    A refusal is `BudgetExhausted` only when not even all reserved money (RESERVED and SENT calls) could pay.
    Calls in doubt are spent, so they free nothing.
    """
    if budget is None:
        return BudgetUnknown()
    if budget.state is AccountState.CLOSED or budget.expires_at <= admission.now:
        return BudgetClosed()
    if budget.available >= admission.needs:
        return None
    return MightFreeUp() if budget.available + budget.reserved >= admission.needs else BudgetExhausted()
