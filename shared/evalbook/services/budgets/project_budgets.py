"""Opening and reading a project's AI budgets."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from evalbook.budgets.model import Budget, BudgetKey, EpochMs, MicroDollars
from evalbook.domain.errors import Problem, Refused
from evalbook.domain.records import Project
from evalbook.domain.refusals import Declined, DeclineReason
from evalbook.services.budgets.ledger import BudgetLedger

_MAX_AHEAD_MS: Final = 366 * 24 * 3_600_000
_EXPIRY: Final = "/expires_at"


@dataclass(frozen=True, slots=True)
class BudgetTerms:
    """What a budget is opened with: its limit, what it pays for, and when it expires."""

    limit: MicroDollars
    purpose: str
    expires_at: EpochMs


@dataclass(frozen=True, slots=True)
class ProjectBudgets:
    """The budgets of all projects; *clock* gives milliseconds since the epoch."""

    ledger: BudgetLedger
    clock: Callable[[], EpochMs]
    new_id: Callable[[], str]

    def open(self, project: Project, budget_id: str | None, terms: BudgetTerms) -> Budget:
        """Open a budget, under an id that is drawn where none is given; as it is now where it was opened before.

        Raises:
            Refused: It would have expired already, or expire too late.
            Declined: BUDGET_TAKEN, where the project has a budget of this id with other terms.
        """
        ahead = terms.expires_at - self.clock()
        if ahead <= 0:
            raise Refused([Problem(_EXPIRY, "must be in the future")])
        if ahead > _MAX_AHEAD_MS:
            raise Refused([Problem(_EXPIRY, "must be at most 366 days ahead")])
        key = _key(project, self.new_id() if budget_id is None else budget_id)
        opened = self.ledger.create_budget(Budget.opened(key, terms.limit, terms.purpose, terms.expires_at))
        if opened is None:
            raise Declined(DeclineReason.BUDGET_TAKEN, "The project has a budget of this id with other terms.")
        return opened

    def get(self, project: Project, budget_id: str) -> Budget:
        """The budget as it is now.

        Raises:
            Declined: BUDGET_NOT_FOUND.
        """
        found = self.ledger.budget(_key(project, budget_id))
        if found is None:
            raise Declined(DeclineReason.BUDGET_NOT_FOUND, "The project has no budget of this id.")
        return found


def _key(project: Project, budget_id: str) -> BudgetKey:
    return BudgetKey(project.organization_id, project.project_id, budget_id)
