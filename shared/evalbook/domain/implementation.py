"""What a deterministic scorer is: parameters, needs, a preparation done once a version, a pure function of the case."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, Generic, TypeVar

from evalbook.domain.case import Case
from evalbook.domain.errors import ParametersRefused, Problem
from evalbook.domain.outcome import EarlyOutcome, Grade
from evalbook.domain.parameters import Parameters
from evalbook.jsonio.values import Json, is_number

P = TypeVar("P", bound=Parameters)

ScoreFunction = Callable[[Case], Grade]

DEFAULT_TIME_LIMIT_MS: Final = 2_000
MAX_TIME_LIMIT_MS: Final = 60_000


class Need(StrEnum):
    """A part of the case that a scorer reads."""

    OUTPUT = "output"
    EXPECTED = "expected"
    TRACE = "trace"


@dataclass(frozen=True, slots=True)
class PreparedScorer:
    """A version ready to score: all work that does not depend on the case is done."""

    implementation: str
    warnings: tuple[Problem, ...]
    function: ScoreFunction

    def score(self, case: Case) -> Grade:
        """Grade *case*; the same case gives the same grade."""
        try:
            return self.function(case)
        except EarlyOutcome as ending:
            return ending.grade


@dataclass(frozen=True, slots=True)
class Implementation(Generic[P]):
    """One implementation as the catalog publishes it."""

    name: str
    family: str
    summary: str
    needs: tuple[Need, ...]
    parameters: type[P]
    preparation: Callable[[P], ScoreFunction]

    def prepare(self, raw: Json) -> PreparedScorer:
        """Validate the parameters *raw* as they were sent and do all per-version work.

        Raises:
            ParametersRefused: A version with these parameters cannot be created; carries every problem.
        """
        parameters = self.parameters.read(raw)
        return PreparedScorer(self.name, tuple(parameters.warnings()), self.preparation(parameters))

    def parameters_schema(self) -> dict[str, Any]:
        """Return the parameters as a JSON Schema (draft 2020-12)."""
        return {"$schema": "https://json-schema.org/draft/2020-12/schema", **self.parameters.published_schema()}


def scorer(
    *, parameters: type[P], needs: Iterable[Need]
) -> Callable[[Callable[[P], ScoreFunction]], Implementation[P]]:
    """Turn a preparation, a function from parameters to a score function, into an `Implementation`.

    Its name is the function's, which is also its module's; its family is the package; its summary the docstring's
    first line.
    """

    def implementation(preparation: Callable[[P], ScoreFunction]) -> Implementation[P]:
        family = preparation.__module__.split(".")[-2]
        summary = (preparation.__doc__ or "").strip().partition("\n")[0]
        return Implementation(preparation.__name__, family, summary, tuple(needs), parameters, preparation)

    return implementation


def read_time_limit(value: Json, *, maximum: int = MAX_TIME_LIMIT_MS) -> int:
    """Check a version's time limit, in milliseconds.

    Raises:
        ParametersRefused: It is no whole number between 1 and *maximum*.
    """
    if not is_number(value) or value != int(value) or not 1 <= value <= maximum:
        raise ParametersRefused([Problem("/time_limit_ms", f"must be a whole number from 1 to {maximum}")])
    return int(value)
