"""The labelled documents, from the example's expected value or a parameter: a list of ids, or ids with grades."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from evalbook.domain.case import Case
from evalbook.domain.errors import ParametersRefused, Problem
from evalbook.domain.outcome import Code, EarlyOutcome, errored
from evalbook.domain.parameters import ReadsExpected
from evalbook.jsonio.values import ABSENT, Json, is_number, kind_of
from evalbook.scorer_kit.reading import ARRAY, JsonKind, expected_reader

LIST_OR_GRADES: Final = JsonKind("an array of ids or an object of grades", (list, dict))


@dataclass(frozen=True, slots=True)
class Labels:
    """The distinct ids labelled relevant, what each labelled id gains, and where the labels came from."""

    ids: frozenset[str]
    gains: Mapping[str, int | Decimal]
    source: str

    def __str__(self) -> str:
        return f"{len(self.ids)} distinct relevant ids from {self.source}"


def label_reader(
    parameters: ReadsExpected, kind: JsonKind = ARRAY, relevant_from: int | Decimal = 1
) -> Callable[[Case], Labels]:
    """Return a function that reads a case's labels; it ends the scorer where they are no strings, or no grades.

    An id of a list has the grade 1. Those whose grade is *relevant_from* or more are relevant.

    Raises:
        ParametersRefused: The parameter `expected` holds no such labels, or none with a grade above 0.
    """
    expected_of = expected_reader(parameters, kind)

    def labels_in(case: Case, source: str) -> Labels:
        gains = _gains(expected_of(case))
        return Labels(frozenset(one for one, gain in gains.items() if gain >= relevant_from), gains, source)

    if parameters.expected is ABSENT:
        return lambda case: labels_in(case, "the example's expected value")
    try:
        labels = labels_in(Case(""), "the version's parameter expected")
    except EarlyOutcome as ending:
        raise ParametersRefused([Problem("/expected", ending.grade.explanation)]) from None
    if not any(labels.gains.values()):
        raise ParametersRefused([Problem("/expected", "labels no id: no case could be decided")])
    return lambda _: labels


def _gains(expected: Json) -> dict[str, int | Decimal]:
    """Return what each labelled id gains."""
    if type(expected) is dict:
        for index, grade in enumerate(expected.values()):
            if not is_number(grade) or grade < 0:
                what = "negative" if is_number(grade) else kind_of(grade)
                raise _wrong(f"Expected grade {index} is {what}, not a number from 0 on.")
        return dict(expected)
    for index, label in enumerate(expected):
        if type(label) is not str:
            raise _wrong(f"Expected id {index} is {kind_of(label)}, not a string.")
    return dict.fromkeys(expected, 1)


def _wrong(message: str) -> EarlyOutcome:
    return EarlyOutcome(errored(Code.EXPECTED_WRONG_TYPE, message))
