"""Tests of which answer stands where several parts of a case cannot be used."""

import pytest

from evalbook.domain.case import Case
from evalbook.domain.outcome import Code, EarlyOutcome, errored, failed, timed_out, unsupported
from evalbook.scorer_kit.precedence import read_both

CASE = Case("case")
ERROR = errored(Code.EXPECTED_MISSING, "")
TIMEOUT = timed_out(Code.MATCH_TIME_LIMIT, "")
UNSUPPORTED = unsupported(Code.TRACE_UNAVAILABLE, "")
FAIL = failed("")


def ending_with(grade):
    def read(_):
        raise EarlyOutcome(grade)

    return read


def ending(first, second):
    with pytest.raises(EarlyOutcome) as caught:
        read_both(CASE, first, second)
    return caught.value.grade


def test_both_values_are_given():
    assert read_both(CASE, lambda case: case.case_id, lambda _: 2) == ("case", 2)


@pytest.mark.parametrize("grade", [ERROR, FAIL])
def test_one_ending_stands_alone(grade):
    assert ending(ending_with(grade), lambda _: 1) is grade
    assert ending(lambda _: 1, ending_with(grade)) is grade


@pytest.mark.parametrize(
    ("graver", "other"), [(ERROR, TIMEOUT), (ERROR, UNSUPPORTED), (TIMEOUT, UNSUPPORTED), (UNSUPPORTED, FAIL)]
)
def test_the_graver_of_two_endings_stands(graver, other):
    assert ending(ending_with(graver), ending_with(other)) is graver
    assert ending(ending_with(other), ending_with(graver)) is graver


def test_the_first_of_two_equals_stands():
    other = unsupported(Code.OUTPUT_UNAVAILABLE, "")

    assert ending(ending_with(UNSUPPORTED), ending_with(other)) is UNSUPPORTED
