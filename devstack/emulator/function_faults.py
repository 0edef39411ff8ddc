"""Faults of the functions on the local stack: a function's process ends hard, or its handler raises, around its work.

Tests lay a fault down for one key, and the first matching invocation takes it: see `faulty_handler`, which wraps the
handlers of a stack that was started as faulty.
"""

from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final, Literal

from devstack.emulator.faulty_handler import SEPARATOR

Way = Literal["killed", "failed"]
Moment = Literal["before", "during", "after"]
_NAME: Final = "{key}{separator}{number}"


@dataclass(frozen=True, slots=True)
class FunctionFault:
    """How one invocation goes wrong, and when as seen from its work; one is killed `during` its work only."""

    way: Way
    moment: Moment


class FunctionFaults:
    """The faults that wait for an invocation, as files in the folder *book*."""

    def __init__(self, book: Path) -> None:
        self._book = book
        self._numbers = count()

    def add(self, function: str, key: str, *faults: FunctionFault) -> None:
        """Let the next invocations of *function* (by its physical name) about judge run *key* go wrong, one each."""
        place = self._book / function
        place.mkdir(parents=True, exist_ok=True)
        for fault in faults:
            name = _NAME.format(key=key, separator=SEPARATOR, number=next(self._numbers))
            unseen = place / f".{name}"
            unseen.write_text(f"{fault.way} {fault.moment}", encoding="ascii")
            unseen.rename(place / name)

    @property
    def waiting(self) -> int:
        """How many faults nobody has taken yet."""
        return sum(SEPARATOR in each.name for each in self._book.glob("*/*"))
