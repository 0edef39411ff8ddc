"""What crashes leave behind in the ledger is put right on a schedule."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from evalbook.budgets.calls import Call, CallState
from evalbook.budgets.model import EpochMs
from evalbook.budgets.store import LedgerStore
from evalbook.budgets.transitions import sweep
from evalbook.domain.errors import StoreUnavailable
from evalbook.services.budgets.accounts import write_step

_READ_AT_ONCE: Final = 50
_POSTPONED: Final = "postponed"


@dataclass(frozen=True, slots=True)
class SweepRules:
    """How many calls one run takes at most, and how long (ms) after its owner's time each is left alone.

    `grace` covers the difference between clocks and answers that are just coming in.
    """

    clock: Callable[[], EpochMs]
    grace: int
    limit: int


@dataclass(frozen=True, slots=True)
class Swept:
    """What one run did; `postponed` records could not be written and wait for the next."""

    released: int = 0
    in_doubt: int = 0
    postponed: int = 0


class Sweeper:
    """Releases reserved orphans and charges sent ones in full.

    Runs may overlap: what another one has changed in between is left to it.
    """

    def __init__(self, store: LedgerStore, settings: SweepRules) -> None:
        self._store = store
        self._settings = settings

    def run(self) -> Swept:
        """Sweep once.

        Raises:
            StoreUnavailable: The store could not be read.
        """
        before = self._settings.clock() - self._settings.grace
        calls = self._store.overdue_calls(before, self._settings.limit)
        done = Counter(self._calls(calls, before))
        return Swept(
            released=done[CallState.RELEASED],
            in_doubt=done[CallState.IN_DOUBT],
            postponed=done[_POSTPONED],
        )

    def _calls(self, request_ids: Sequence[str], before: EpochMs) -> Iterator[str | None]:
        for start in range(0, len(request_ids), _READ_AT_ONCE):
            found = self._store.calls(request_ids[start : start + _READ_AT_ONCE])
            yield from (self._call(call, before) for call in found.values())

    def _call(self, call: Call, before: EpochMs) -> str | None:
        """The state that the call was brought into, if any."""
        step = sweep(call, before)
        if step is None:
            return None
        try:
            return step.after.state if write_step(self._store, step) else None
        except StoreUnavailable:
            return _POSTPONED
