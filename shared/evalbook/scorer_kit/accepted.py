"""Several accepted answers: with `accept_any` the expected value is a list, and one of its elements is enough."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from pydantic import Field

from evalbook.domain.case import Case
from evalbook.domain.errors import Problem
from evalbook.domain.implementation import ScoreFunction
from evalbook.domain.outcome import Code, EarlyOutcome, Grade, Outcome, errored
from evalbook.domain.parameters import ReadsExpected
from evalbook.jsonio.pointer import is_pointer
from evalbook.jsonio.values import ABSENT, Json, kind_of
from evalbook.scorer_kit.reading import ARRAY, JsonKind, Read, expected_problems, expected_reader, given_expected

T = TypeVar("T")

Prepare = Callable[[Json], T]
"""Prepares one expected value for the comparison; raises `EarlyOutcome` (an error) where it would decide nothing."""

Compare = Callable[[Json, T], Grade]
"""Grades an output against one prepared expected value."""

_NONE_ACCEPTED = errored(Code.EXPECTED_EMPTY, "The expected list of accepted values is empty.")


class AcceptsAny(ReadsExpected):
    """Parameters of a scorer that can take one of several answers."""

    accept_any: bool = Field(
        False,  # noqa: FBT003
        description="The expected value is a list of accepted values, and one is enough; all are checked first.",
    )


def unprepared(value: Json) -> Json:
    """Return *value* itself: for scorers that prepare nothing."""
    return value


def scored_against(
    parameters: AcceptsAny, kind: JsonKind, output_of: Read, compare: Compare[T], prepare: Prepare[T]
) -> ScoreFunction:
    """Return a function that grades a case's output against its expected value, or the best of its accepted ones.

    The expected side is read and checked first (an error comes before all else). Of several accepted values the one
    with the best verdict, then the best score, then the lowest index stands; `details` say which, as `accepted`.
    """
    if not parameters.accept_any:
        expected_of = _once(parameters, expected_reader(parameters, kind), prepare)

        def score(case: Case) -> Grade:
            expected = expected_of(case)
            return compare(output_of(case), expected)

        return score

    listed_of = _once(parameters, expected_reader(parameters, ARRAY), lambda listed: _prepared(listed, kind, prepare))

    def best(case: Case) -> Grade:
        accepted, output = listed_of(case), output_of(case)
        grades = [compare(output, expected) for expected in accepted]
        index = max(range(len(grades)), key=lambda one: (*_rank(grades[one]), -one))
        details = {"accepted": index, **(grades[index].details or {})}
        return grades[index]._replace(
            explanation=f"Of {len(grades)} accepted values the best is {index}. {grades[index].explanation}",
            details=details,
        )

    return best


def accepted_problems(raw: Mapping[str, Json], kind: JsonKind, prepare: Prepare[Any] = unprepared) -> Iterator[Problem]:
    """Name what is wrong with the parameter `expected` among *raw* parameters, for `Parameters.problems`."""
    value, path = given_expected(raw), raw.get("expected_path", "")
    several = raw.get("accept_any") is True
    yield from expected_problems(raw, ARRAY if several else kind)
    if value is ABSENT or type(path) is not str or not is_pointer(path):
        return
    if not several:
        yield from _refusals(value, f"/expected{path}", kind, prepare) if type(value) in kind.types else ()
    elif value == []:
        yield Problem(f"/expected{path}", "is an empty array: no value is accepted")
    elif type(value) is list:
        for index, one in enumerate(value):
            yield from _refusals(one, f"/expected{path}/{index}", kind, prepare)


def _refusals(value: Json, pointer: str, kind: JsonKind, prepare: Prepare[Any]) -> Iterator[Problem]:
    if type(value) not in kind.types:
        yield Problem(pointer, f"is {kind_of(value)}, not {kind.words}")
        return
    try:
        prepare(value)
    except EarlyOutcome as ending:
        yield Problem(pointer, ending.grade.explanation)


def _once(parameters: ReadsExpected, read: Read, prepare: Prepare[T]) -> Callable[[Case], T]:
    """Read and prepare the expected value: once where it is a parameter, per case where it comes with the case."""
    if parameters.expected is ABSENT:
        return lambda case: prepare(read(case))
    fixed = prepare(read(Case("")))
    return lambda _: fixed


def _prepared(listed: list[Json], kind: JsonKind, prepare: Prepare[T]) -> list[T]:
    if not listed:
        raise EarlyOutcome(_NONE_ACCEPTED)
    for index, value in enumerate(listed):
        if type(value) not in kind.types:
            message = f"Accepted value {index} is {kind_of(value)}, not {kind.words}."
            raise EarlyOutcome(errored(Code.EXPECTED_WRONG_TYPE, message))
    return [prepare(value) for value in listed]


def _rank(grade: Grade) -> tuple[bool, float]:
    return grade.outcome is Outcome.PASS, grade.score or 0.0
