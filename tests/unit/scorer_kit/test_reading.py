"""Reading the parts of a case, and what is wrong with an expected value that a version gives."""

import pytest

from evalbook.domain.case import Case
from evalbook.domain.errors import ParametersRefused
from evalbook.domain.outcome import Code, EarlyOutcome
from evalbook.domain.parameters import ReadsExpected
from evalbook.jsonio.values import ABSENT
from evalbook.scorer_kit.reading import (
    ANYTHING,
    ARRAY,
    NUMBER,
    OBJECT,
    STRING,
    expected_reader,
    given_expected,
    output_reader,
    within_length,
)

KINDS = [STRING, NUMBER, OBJECT, ARRAY]
ONE_OF_EACH = {"a string": "a", "a number": 1, "an object": {}, "an array": [], "null": None, "a boolean": True}


def ending_of(read, case):
    with pytest.raises(EarlyOutcome) as caught:
        read(case)
    return caught.value.grade


@pytest.mark.parametrize("words", ONE_OF_EACH)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.words)
def test_an_output_is_read_only_where_it_is_of_the_kind(kind, words):
    read, case = output_reader(ReadsExpected(), kind), Case("a", output=ONE_OF_EACH[words])

    if kind.words == words:
        assert read(case) is case.output
    else:
        assert ending_of(read, case).explanation == f"The output is {words}, not {kind.words}; nothing is converted."


@pytest.mark.parametrize("words", ONE_OF_EACH)
def test_an_output_of_any_kind_can_be_asked_for(words):
    assert output_reader(ReadsExpected(), ANYTHING)(Case("a", output=ONE_OF_EACH[words])) is ONE_OF_EACH[words]


def test_an_output_path_into_a_scalar_leads_nowhere():
    read = output_reader(ReadsExpected(output_path="/a"), STRING)

    assert ending_of(read, Case("a", output="text")).outcome == "fail"


def test_null_is_an_output_and_absent_is_none():
    read = output_reader(ReadsExpected(), STRING)

    assert ending_of(read, Case("a", output=None)).outcome == "fail"
    assert ending_of(read, Case("a")).code == Code.OUTPUT_UNAVAILABLE


def test_an_expected_value_is_read_from_the_example():
    read = expected_reader(ReadsExpected(expected_path="/a"), NUMBER)

    assert read(Case("a", expected={"a": 5})) == 5
    assert ending_of(read, Case("a", expected={"a": True})).code == Code.EXPECTED_WRONG_TYPE
    assert ending_of(read, Case("a", expected={})).code == Code.EXPECTED_MISSING
    assert ending_of(read, Case("a")).code == Code.EXPECTED_MISSING


def test_a_given_expected_value_is_read_whatever_the_example_says():
    read = expected_reader(ReadsExpected(expected=[{"a": 5}], expected_path="/0/a"), NUMBER)

    assert read(Case("a", expected="other")) == 5


@pytest.mark.parametrize(
    ("parameters", "problem"),
    [
        ({"expected": "5"}, "/expected: is a string, not a number, where it is compared"),
        ({"expected": {}, "expected_path": "/a"}, "/expected_path: leads nowhere in the parameter expected"),
    ],
)
def test_a_given_expected_value_that_does_not_fit_is_refused(parameters, problem):
    with pytest.raises(ParametersRefused) as caught:
        expected_reader(ReadsExpected(**parameters), NUMBER)

    assert str(caught.value) == problem


@pytest.mark.parametrize("raw", [{}, {"expected_path": ""}, {"expected": {"a": 1}, "expected_path": 5}])
def test_without_a_value_at_a_path_nothing_is_given(raw):
    assert given_expected(raw) is ABSENT


def test_a_text_is_as_long_as_allowed():
    assert within_length("abc", 3, "output") == "abc"
    with pytest.raises(EarlyOutcome):
        within_length("abcd", 3, "output")
