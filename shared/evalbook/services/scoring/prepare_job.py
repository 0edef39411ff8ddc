"""The job of checking a parameter set: it prepares the version, in the scoring process and under its time limit."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pydantic_core import from_json, to_json

from evalbook.domain.errors import ParametersRefused, Problem
from evalbook.domain.outcome import Grade
from evalbook.services.scoring.prepared import prepared, stored_parameters
from evalbook.services.scoring.worker import PREPARE_LIMIT_MS, Mark, Worker, preparing

_NOT_PREPARED: Final = Problem("", "the version could not be prepared within its bound")
_SECONDS: Final = PREPARE_LIMIT_MS / 1_000 + 5


@dataclass(frozen=True, slots=True)
class PrepareJob:
    """Prepare one version: what is wrong with its parameters (JSON text), or worth knowing, and what it stores."""

    implementation: str
    parameters: bytes

    @property
    def size(self) -> int:
        """One item: the version."""
        return 1

    def results(self, begin: int, decided: Mapping[int, Grade], mark: Mark) -> Iterator[tuple[int, bytes]]:
        """Yield `{"refused": [...]}` or `{"warnings": [...], "stored": "..."}`: lists of problems, JSON text."""
        yield begin, to_json(self._answer(decided, mark))

    def _answer(self, decided: Mapping[int, Grade], mark: Mark) -> dict[str, Any]:
        if decided:
            return {"refused": as_json([_NOT_PREPARED])}
        mark(preparing(0), PREPARE_LIMIT_MS)
        try:
            warnings = as_json(prepared(self.implementation, self.parameters).warnings)
            return {"warnings": warnings, "stored": stored_parameters(self.implementation, self.parameters).decode()}
        except ParametersRefused as refused:
            return {"refused": as_json(refused.problems)}


@dataclass(frozen=True, slots=True)
class CheckedParameters:
    """Parameters that a version can be created with: as it stores them (JSON text), and the warnings about them."""

    stored: bytes
    warnings: list[dict[str, str]]


def check_parameters(worker: Worker, implementation: str, parameters: bytes) -> CheckedParameters:
    """Return what a version with these *parameters* stores, and its warnings, each `{"pointer", "message"}`.

    Raises:
        ParametersRefused: A version with these parameters cannot be created.
    """
    job = PrepareJob(implementation, parameters)
    answers = [answer for _, answer in worker.run(job, seconds_left=_SECONDS, survive_crashes=True)]
    found: dict[str, Any] = from_json(answers[0]) if answers else {"refused": as_json([_NOT_PREPARED])}
    if "refused" in found:
        raise ParametersRefused(Problem(each["pointer"], each["message"]) for each in found["refused"])
    return CheckedParameters(found["stored"].encode(), found["warnings"])


def as_json(problems: Iterable[Problem]) -> list[dict[str, str]]:
    """Problems as JSON objects."""
    return [{"pointer": problem.pointer, "message": problem.message} for problem in problems]
