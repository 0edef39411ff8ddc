"""Why the registry does not do what was asked, each reason with a stable code."""

from collections.abc import Iterable
from enum import StrEnum

from evalbook.domain.errors import EvalBookError, Problem


class DeclineReason(StrEnum):
    """The stable code of a refusal."""

    SCORER_NOT_FOUND = "SCORER_NOT_FOUND"
    VERSION_NOT_FOUND = "VERSION_NOT_FOUND"
    RUBRIC_NOT_FOUND = "RUBRIC_NOT_FOUND"
    RUN_NOT_FOUND = "RUN_NOT_FOUND"
    BUDGET_NOT_FOUND = "BUDGET_NOT_FOUND"
    BUDGET_TAKEN = "BUDGET_TAKEN"
    CALIBRATION_NOT_FOUND = "CALIBRATION_NOT_FOUND"
    BUDGET_CLOSED = "BUDGET_CLOSED"
    NAME_TAKEN = "NAME_TAKEN"
    FIXTURES_FROZEN = "FIXTURES_FROZEN"
    FIXTURES_CHANGED = "FIXTURES_CHANGED"
    FIXTURES_MISSING = "FIXTURES_MISSING"
    FIXTURES_DISAGREE = "FIXTURES_DISAGREE"
    FIXTURES_UNFINISHED = "FIXTURES_UNFINISHED"
    NOT_FOR_JUDGES = "NOT_FOR_JUDGES"
    ONLY_FOR_JUDGES = "ONLY_FOR_JUDGES"
    ACTION_NOT_FOUND = "ACTION_NOT_FOUND"
    ACTION_NOT_OPEN = "ACTION_NOT_OPEN"
    SELF_DECISION = "SELF_DECISION"
    ALREADY_ACTIVE = "ALREADY_ACTIVE"
    NONE_ACTIVE = "NONE_ACTIVE"
    NO_GATEWAY = "NO_GATEWAY"
    RATE_LIMITED = "RATE_LIMITED"
    IDEMPOTENCY_KEY_REUSED = "IDEMPOTENCY_KEY_REUSED"
    IDEMPOTENCY_KEY_IN_USE = "IDEMPOTENCY_KEY_IN_USE"


class Declined(EvalBookError):
    """The registry is in no state to do what was asked; `problems` says where, if there is a place."""

    def __init__(self, reason: DeclineReason, message: str, problems: Iterable[Problem] = ()) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.problems = tuple(problems)
