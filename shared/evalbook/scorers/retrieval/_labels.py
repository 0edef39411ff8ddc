"""The labelled relevant ids: the example's expected value or a parameter."""

from collections.abc import Callable
from dataclasses import dataclass

from evalbook.domain.case import Case
from evalbook.domain.errors import ParametersRefused, Problem
from evalbook.domain.outcome import Code, EarlyOutcome, errored
from evalbook.domain.parameters import ReadsExpected
from evalbook.jsonio.values import ABSENT, Json, kind_of
from evalbook.scorer_kit.reading import ARRAY, expected_reader


@dataclass(frozen=True, slots=True)
class Labels:
    """The distinct ids labelled relevant, and where they came from."""

    ids: frozenset[str]
    source: str

    def __str__(self) -> str:
        return f"{len(self.ids)} distinct relevant ids from {self.source}"


def label_reader(parameters: ReadsExpected) -> Callable[[Case], Labels]:
    """A function that reads a case's labels; it ends the scorer where the expected value is no list of strings.

    Raises:
        ParametersRefused: The parameter `expected` is no list of strings, or an empty one.
    """
    expected_of = expected_reader(parameters, ARRAY)
    if parameters.expected is ABSENT:
        return lambda case: Labels(_distinct(expected_of(case)), "the example's expected value")
    try:
        labels = Labels(_distinct(expected_of(Case(""))), "the version's parameter expected")
    except EarlyOutcome as ending:
        raise ParametersRefused([Problem("/expected", ending.grade.explanation)]) from None
    if not labels.ids:
        raise ParametersRefused([Problem("/expected", "labels no id: no case could be decided")])
    return lambda _: labels


def _distinct(expected: list[Json]) -> frozenset[str]:
    for index, label in enumerate(expected):
        if type(label) is not str:
            message = f"Expected id {index} is {kind_of(label)}, not a string."
            raise EarlyOutcome(errored(Code.EXPECTED_WRONG_TYPE, message))
    return frozenset(expected)
