"""The state of one validation: how many steps are left, and what is worked out once for a value."""

from contextlib import AbstractContextManager
from contextvars import ContextVar
from dataclasses import dataclass, field

from evalbook.domain.outcome import EarlyOutcome
from evalbook.jsonio.canonical import canonical_json
from evalbook.jsonio.values import Json


class StepsExhausted(Exception):
    """The steps that a validation may take are used up."""


@dataclass(slots=True)
class ValidationRun:
    """One validation; `interrupted` holds what ended the matching of a pattern, where that cannot be raised."""

    steps: int
    interrupted: list[EarlyOutcome] = field(default_factory=list)
    # Each value is kept beside its spelling: an identity is a value's own only as long as it lives.
    _spellings: dict[int, tuple[Json, bytes]] = field(default_factory=dict)

    def spelling(self, value: Json) -> bytes:
        """The canonical spelling of *value*, worked out once for each container."""
        if type(value) not in (dict, list):
            return canonical_json(value)
        known = self._spellings.get(id(value))
        if known is None:
            known = self._spellings[id(value)] = value, canonical_json(value)
        return known[1]


_RUN: ContextVar[ValidationRun] = ContextVar("run")


class _Running:
    """A validation from entering to leaving; a context manager by hand takes a third of the time of a generated one."""

    __slots__ = ("_run", "_token")

    def __init__(self, steps: int) -> None:
        self._run = ValidationRun(steps)

    def __enter__(self) -> ValidationRun:
        self._token = _RUN.set(self._run)
        return self._run

    def __exit__(self, *_: object) -> None:
        _RUN.reset(self._token)


def running(steps: int) -> AbstractContextManager[ValidationRun]:
    """Validate inside, in at most *steps* steps; `StepsExhausted` ends it when it takes more."""
    return _Running(steps)


def current() -> ValidationRun:
    """The validation that is running."""
    return _RUN.get()


def spend(steps: int = 1) -> None:
    """Count *steps* of the validation that is running.

    Raises:
        StepsExhausted: No steps are left.
    """
    run = _RUN.get()
    run.steps -= steps
    if run.steps < 0:
        raise StepsExhausted
