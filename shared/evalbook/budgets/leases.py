"""Leases: chunks of a hot budget that one worker gives out by itself, so that the budget is written once a chunk.

What a lease holds counts as reserved in its budget, also what its calls have spent, until the lease is renewed or
closed: only then is it posted. Calls that are still reserved when their lease closes are the budget's from then on.
"""

from dataclasses import dataclass, replace
from typing import Self

from evalbook.budgets.model import AccountState, Admission, Budget, BudgetKey, EpochMs, MicroDollars, Money


@dataclass(frozen=True, slots=True)
class LeaseTerms:
    """How leases are granted: at most `ceiling` at once, for `lifetime` milliseconds, with `workers` side by side."""

    ceiling: MicroDollars
    workers: int
    lifetime: int


@dataclass(frozen=True, slots=True)
class Lease:
    """A chunk of a budget in the hands of one worker.

    `spent` and `overrun` are what is not posted yet. `spent` may be below zero: the correction of a call that was in
    doubt when the lease was posted last.
    """

    lease_id: str
    budget: BudgetKey
    owner: str
    expires_at: EpochMs
    available: MicroDollars
    reserved: MicroDollars = 0
    spent: MicroDollars = 0
    overrun: MicroDollars = 0
    state: AccountState = AccountState.OPEN
    revision: int = 1

    @property
    def holds(self) -> MicroDollars:
        """What the lease holds of its budget's reserved money; nothing once it is closed."""
        return self.available + self.reserved + self.spent

    def moved(self, money: Money) -> Self:
        """The lease after a move."""
        return replace(
            self,
            available=self.available + money.available,
            reserved=self.reserved + money.reserved,
            spent=self.spent + money.spent,
            overrun=self.overrun + money.overrun,
            revision=self.revision + 1,
        )

    def admits(self, admission: Admission) -> bool:
        """Whether a reservation can be taken from it."""
        is_open = self.state is AccountState.OPEN and self.expires_at > admission.now
        return is_open and self.available >= admission.needs


@dataclass(frozen=True, slots=True)
class LeaseStep:
    """A lease's next image, the image that it replaces and what its budget gives and takes."""

    before: Lease | None
    after: Lease
    money: Money


def chunk(budget: Budget, missing: MicroDollars, terms: LeaseTerms) -> MicroDollars:
    """How much to take from a budget to cover what is *missing*: less as it empties, so that no money sits idle.

    A worker takes at most half of its share of what is left, or just what it needs where that is more.
    """
    share = budget.available // (2 * terms.workers)
    return max(missing, min(terms.ceiling, share))


def grant(lease: Lease) -> LeaseStep:
    """Open a lease over what it has available."""
    return LeaseStep(None, lease, Money(-lease.available, lease.available))


def renew(lease: Lease, more: MicroDollars, expires_at: EpochMs) -> LeaseStep:
    """Give an open lease *more* money and time, and post what its calls have spent."""
    posted = Money(0, -lease.spent, lease.spent, lease.overrun)
    after = replace(
        lease.moved(Money(more, 0, -lease.spent, -lease.overrun)),
        expires_at=expires_at,
    )
    return LeaseStep(lease, after, posted + Money(-more, more))


def close(lease: Lease) -> LeaseStep:
    """Return what is available, post what is spent, and leave the calls that are still reserved to the budget."""
    returned = Money(lease.available, -lease.available - lease.spent, lease.spent, lease.overrun)
    emptied = lease.moved(Money(-lease.available, -lease.reserved, -lease.spent, -lease.overrun))
    return LeaseStep(lease, replace(emptied, state=AccountState.CLOSED), returned)
