"""Which answer stands where several parts of a case cannot be used: error, then unsupported, then fail."""

from collections.abc import Callable
from typing import Final, TypeVar

from evalbook.domain.case import Case
from evalbook.domain.outcome import EarlyOutcome, Outcome

A = TypeVar("A")
B = TypeVar("B")

_GRAVEST_FIRST: Final = (Outcome.ERROR, Outcome.TIMEOUT, Outcome.UNSUPPORTED, Outcome.FAIL, Outcome.INCONCLUSIVE)


def read_both(case: Case, first: Callable[[Case], A], second: Callable[[Case], B]) -> tuple[A, B]:
    """Return what *first* and *second* read from *case*; where both end the scorer, the graver ending stands (G-08).

    Raises:
        Undecided: One of them did, or both.
    """
    try:
        left = first(case)
    except EarlyOutcome as ending:
        raise _graver(ending, _ending_of(case, second)) from None
    return left, second(case)


def _ending_of(case: Case, read: Callable[[Case], object]) -> EarlyOutcome | None:
    try:
        read(case)
    except EarlyOutcome as ending:
        return ending
    return None


def _graver(first: EarlyOutcome, second: EarlyOutcome | None) -> EarlyOutcome:
    if second is None:
        return first
    return min(first, second, key=lambda ending: _GRAVEST_FIRST.index(ending.grade.outcome))
