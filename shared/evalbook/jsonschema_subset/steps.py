"""A budget of steps for one validation, so that it ends whatever the schema and the value are."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


class StepsExhausted(Exception):  # noqa: N818  (a limit, no fault)
    """The steps that a validation may take are used up."""


@dataclass(slots=True)
class _Budget:
    left: int


_BUDGET: ContextVar[_Budget] = ContextVar("budget")


@contextmanager
def at_most(steps: int) -> Iterator[None]:
    """Let the validation inside take *steps* steps; `StepsExhausted` ends it when it takes more."""
    token = _BUDGET.set(_Budget(steps))
    try:
        yield
    finally:
        _BUDGET.reset(token)


def spend(steps: int = 1) -> None:
    """Count *steps* of the running validation.

    Raises:
        StepsExhausted: No steps are left.
    """
    budget = _BUDGET.get()
    budget.left -= steps
    if budget.left < 0:
        raise StepsExhausted
