"""Scoring from Python, with the verdicts of the command and the service: `evalbook.score`, `evalbook.Suite`.

The same strict reader, the same scorers, the same worker process with the same time limits. Floats stand for the digits
that Python prints for them: 1.1 is within 0.1 of 1.0.
"""

import atexit
import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, Final

from evalbook.adapters.process.forked_worker import ForkedWorker
from evalbook.domain.errors import ParametersRefused, Problem, Refused
from evalbook.domain.implementation import DEFAULT_TIME_LIMIT_MS
from evalbook.jsonio.canonical import plain_json
from evalbook.jsonio.reader import read_json
from evalbook.jsonio.values import Json, kind_of
from evalbook.services.scoring.lines_job import LinesJob
from evalbook.services.suites.suite import SuiteScorer, read_suite

__all__ = ["CaseResult", "ParametersRefused", "Scorer", "Suite", "score"]

_UNLIMITED_SECONDS: Final = 1e9
_LINES_A_JOB: Final = 200


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What a scorer says of one case, as the service does; `score` is 0 to 1, `details` may hold payload."""

    scorer: str
    case_id: str
    outcome: str
    code: str | None
    score: float | None
    explanation: str
    details: Mapping[str, Any] | None = None

    @property
    def passed(self) -> bool:
        """Whether the case passed; one that could not be decided has not."""
        return self.outcome == "pass"


@dataclass(frozen=True, slots=True)
class Scorer:
    """One implementation with its parameters, checked when it is made.

    Raises:
        ParametersRefused: A version with these parameters could not be created; carries every problem.
    """

    implementation: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    time_limit_ms: int = DEFAULT_TIME_LIMIT_MS
    name: str | None = None
    _made: SuiteScorer = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Refuse parameters that no version could have."""
        raw = {
            "name": self.name or self.implementation,
            "implementation": self.implementation,
            "parameters": dict(self.parameters),
            "time_limit_ms": self.time_limit_ms,
        }
        try:
            made = read_suite([read_json(encoded(raw))])[0]
        except Refused as refused:
            problems = (replace(each, pointer=_within_parameters(each.pointer)) for each in refused.problems)
            raise ParametersRefused(problems) from None
        object.__setattr__(self, "_made", made)

    def score(self, **members: Any) -> CaseResult:
        """Return the result for a case with these members: `output`, `expected`, `input`, `trace`, `case_id`, ..."""
        return next(self.score_all([members]))

    def score_all(self, cases: Iterable[Mapping[str, Any]]) -> Iterator[CaseResult]:
        """Yield one result a case, in their order; a case without an id is called by its number, from 1."""
        return (results[0] for results in scored((self._made,), cases))


@dataclass(frozen=True, slots=True)
class Suite:
    """Several scorers, such as those of a file `{scorers: [{name, implementation, parameters}]}`."""

    scorers: tuple[SuiteScorer, ...]

    @classmethod
    def read(cls, document: Any) -> "Suite":
        """Return the suite in *document*, a list of scorers or `{"scorers"}`; raise Refused with every problem."""
        return cls(read_suite(read_json(encoded(document))))

    @classmethod
    def load(cls, path: str | Path) -> "Suite":
        """Return the suite in the JSON file at *path*."""
        return cls(read_suite(read_json(Path(path).read_bytes())))

    def score_all(self, cases: Iterable[Mapping[str, Any]]) -> Iterator[list[CaseResult]]:
        """Yield the results of each case, one a scorer in the suite's order."""
        return scored(self.scorers, cases)


def score(implementation: str, parameters: Mapping[str, Any] | None = None, /, **members: Any) -> CaseResult:
    """Return what *implementation* with *parameters* says of a case with these members.

    Raises:
        ParametersRefused: A version with these parameters could not be created; carries every problem.
        TypeError: A member holds what JSON cannot.
    """
    return _scorer(implementation, encoded(dict(parameters or {}))).score(**members)


def _within_parameters(pointer: str) -> str:
    """Return a pointer into a suite of one scorer as one into its parameters."""
    return pointer.removeprefix("/0").removeprefix("/parameters")


@cache
def _scorer(implementation: str, parameters: bytes) -> Scorer:
    return Scorer(implementation, read_json(parameters))


def scored(scorers: tuple[SuiteScorer, ...], cases: Iterable[Mapping[str, Any]]) -> Iterator[list[CaseResult]]:
    """Yield the results of each case, one a scorer, from the worker process."""
    pending: list[tuple[str, bytes]] = []
    for number, members in enumerate(cases, 1):
        case = {"case_id": str(number), **members}
        pending.append((str(case["case_id"]), encoded(case)))
        if len(pending) * len(scorers) >= _LINES_A_JOB:
            yield from _run(scorers, pending)
            pending = []
    yield from _run(scorers, pending)


def _run(scorers: tuple[SuiteScorer, ...], cases: list[tuple[str, bytes]]) -> Iterator[list[CaseResult]]:
    lines = tuple(scorer.line(0, text) for _, text in cases for scorer in scorers)
    worker, lock = _worker()
    with lock:
        answers = worker.run(LinesJob(lines), seconds_left=_UNLIMITED_SECONDS, survive_crashes=True)
        found = iter([json.loads(answer) for _, answer in answers])
    for case_id, _ in cases:
        yield [_result(scorer.name, case_id, next(found)) for scorer in scorers]


def _result(scorer: str, case_id: str, said: Mapping[str, Any]) -> CaseResult:
    if "refused" in said:
        raise ParametersRefused(Problem(each["pointer"], each["message"]) for each in said["refused"])
    details = (said["body"] or {}).get("details")
    return CaseResult(scorer, case_id, said["outcome"], said["code"], said["score"], said["explanation"], details)


@cache
def _worker() -> tuple[ForkedWorker, Lock]:
    worker = ForkedWorker()
    worker.start()
    atexit.register(worker.close)
    return worker, Lock()


def encoded(value: Any) -> bytes:
    """Return *value* as JSON text, numbers with the digits that Python prints; raise TypeError for what is not JSON."""
    return plain_json(_plain(value))


def _plain(value: Any) -> Json:
    """Return *value* with floats as the decimals that they print as; JSON knows neither NaN nor infinities."""
    if isinstance(value, bool) or value is None or isinstance(value, str | int):
        return value
    if isinstance(value, float | Decimal):
        if not math.isfinite(value):
            raise TypeError("NaN and infinities are not JSON: leave the member out where nothing was recorded")
        return Decimal(repr(value)) if isinstance(value, float) else value
    if isinstance(value, Mapping):
        if not all(isinstance(name, str) for name in value):
            raise TypeError("the names of members must be texts")
        return {name: _plain(member) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(element) for element in value]
    raise TypeError(f"{kind_of(value) if value is None else type(value).__name__} is not JSON: convert it first")
