"""The job behind `evalbook score`: lines that each name an implementation, its parameters and a case."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic_core import to_json

from evalbook.contracts.case import read_case
from evalbook.domain.errors import CaseInvalid, ParametersRefused, Problem
from evalbook.domain.implementation import DEFAULT_TIME_LIMIT_MS, PreparedScorer, read_time_limit
from evalbook.domain.outcome import Code, Grade, errored
from evalbook.jsonio.canonical import canonical_json, plain_json
from evalbook.jsonio.reader import NotStrictJson
from evalbook.jsonio.truncation import cut_body
from evalbook.jsonio.values import Json
from evalbook.services.scoring.guard import guarded
from evalbook.services.scoring.json_lines import case_of, id_of, read_line, unknown_members
from evalbook.services.scoring.prepared import prepared
from evalbook.services.scoring.trace_needs import unfetched
from evalbook.services.scoring.worker import PREPARE_LIMIT_MS, Mark, preparing

LINE_MEMBERS = ("id", "implementation", "parameters", "case", "time_limit_ms")
_NOT_PREPARED = (Problem("", "the version could not be prepared within its bound"),)


@dataclass(frozen=True, slots=True)
class LinesJob:
    """Score lines `{"id", "implementation", "parameters", "case", "time_limit_ms"?}`, one answer a line."""

    lines: tuple[bytes, ...]

    @property
    def size(self) -> int:
        """How many lines there are."""
        return len(self.lines)

    def results(self, begin: int, decided: Mapping[int, Grade], mark: Mark) -> Iterator[tuple[int, bytes]]:
        """Yield each line's number and encoded answer, from line *begin* on."""
        for index in range(begin, len(self.lines)):
            mark(preparing(index), PREPARE_LIMIT_MS)
            line_id: Json = None
            try:
                line = read_line(self.lines[index])
                line_id = id_of(line)
                answer = _graded(_score(line, index, decided, mark))
            except ParametersRefused as refused:
                answer = _refused(refused.problems)
            except CaseInvalid as error:
                answer = _graded(errored(Code.CASE_INVALID, str(error)))
            yield index, b'{"id":%s,%s' % (plain_json(line_id), to_json(answer)[1:])


def _score(line: Mapping[str, Json], index: int, decided: Mapping[int, Grade], mark: Mark) -> Grade:
    if unknown := unknown_members(line, LINE_MEMBERS):
        raise ParametersRefused(unknown)
    if preparing(index) in decided:
        raise ParametersRefused(_NOT_PREPARED)
    scorer, limit = _version_of(line)
    filled = unfetched(case_of(line), scorer.implementation, _parameters_of(line))
    case = read_case(filled.value)
    # What is decided takes no time: to ask for the limit again might make it overdue once more.
    if grade := decided.get(index):
        return grade
    mark(index, limit)
    return filled.grade(guarded(scorer.score, case))


def _version_of(line: Mapping[str, Json]) -> tuple[PreparedScorer, int]:
    limit, problems = 0, tuple[Problem, ...]()
    try:
        limit = read_time_limit(line.get("time_limit_ms", DEFAULT_TIME_LIMIT_MS))
    except ParametersRefused as refused:
        problems = refused.problems
    try:
        scorer = prepared(str(line.get("implementation")), _parameters_of(line))
    except ParametersRefused as refused:
        raise ParametersRefused([*problems, *refused.problems]) from None
    if problems:
        raise ParametersRefused(problems)
    return scorer, limit


def _parameters_of(line: Mapping[str, Json]) -> bytes:
    parameters = line.get("parameters", {})
    if isinstance(parameters, NotStrictJson):
        raise ParametersRefused([Problem("", f"the parameters are not strict JSON: {parameters}")])
    return canonical_json(parameters)


def _graded(grade: Grade) -> dict[str, Any]:
    return {
        "outcome": grade.outcome.value,
        "code": None if grade.code is None else grade.code.value,
        "score": grade.score,
        "explanation": grade.explanation,
        "body": None if grade.details is None else cut_body({"details": grade.details}),
    }


def _refused(problems: tuple[Problem, ...]) -> dict[str, Any]:
    return {"refused": [{"pointer": problem.pointer, "message": problem.message} for problem in problems]}
