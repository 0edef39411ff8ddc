"""What can be wrong with a pattern, and how its author hears of it."""

from dataclasses import dataclass
from enum import StrEnum


class Reason(StrEnum):
    """Why a pattern is refused or warned about."""

    EMPTY = "empty"
    INVALID_SYNTAX = "invalid_syntax"
    UNSUPPORTED_SYNTAX = "unsupported_syntax"
    TOO_COMPLEX = "too_complex"
    EXPONENTIAL = "exponential"
    POLYNOMIAL_TOO_FAST = "polynomial_too_fast"
    POLYNOMIAL = "polynomial"


@dataclass(frozen=True, slots=True)
class PatternProblem:
    """One thing that is wrong with a pattern.

    `start` and `end` are offsets in the pattern, the end excluded. `message` names the place and says what to write
    instead; it may quote the pattern. `length` is the number of characters from which a match can take 100 ms, where
    that is known.
    """

    reason: Reason
    start: int
    end: int
    message: str
    length: int | None = None


@dataclass(frozen=True, slots=True)
class PatternCheck:
    """What the checker found: a refusal, or at most a warning."""

    refusal: PatternProblem | None = None
    warning: PatternProblem | None = None


class PatternRefused(Exception):
    """Ends the check early with the problem that it carries."""

    def __init__(self, problem: PatternProblem) -> None:
        super().__init__(problem.message)
        self.problem = problem


def refuse(reason: Reason, start: int, end: int, message: str) -> PatternRefused:
    """Make the exception that ends a check; *message* gets the place put in front."""
    return PatternRefused(PatternProblem(reason, start, end, f"at characters {start} to {end}: {message}"))
