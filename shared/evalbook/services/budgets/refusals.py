"""Refusals are remembered for a few seconds, so that an empty budget is not asked over and over."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from evalbook.budgets.model import BudgetKey, BudgetRefusal, EpochMs, MicroDollars, MightFreeUp


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
