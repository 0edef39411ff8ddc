"""Outcomes, codes, grades and errors."""

import pickle

import pytest

from evalbook.domain.errors import Problem, Refused
from evalbook.domain.outcome import (
    Code,
    EarlyOutcome,
    Grade,
    Outcome,
    errored,
    failed,
    inconclusive,
    passed,
    timed_out,
    unsupported,
)
from evalbook.jsonio.values import ABSENT, is_number, kind_of


def test_there_are_eight_outcomes():
    assert {outcome.value for outcome in Outcome} == {
        "pass",
        "fail",
        "inconclusive",
        "abstained",
        "error",
        "timeout",
        "unsupported",
        "skipped",
    }


def test_a_codes_value_is_its_name():
    assert [code.value for code in Code] == [code.name for code in Code]


def test_every_code_has_a_meaning_of_one_sentence():
    assert [code for code in Code if not code.meaning.endswith(".") or ". " in code.meaning] == []


def test_a_code_survives_the_way_to_another_process():
    assert pickle.loads(pickle.dumps(Code.TIME_LIMIT)) is Code.TIME_LIMIT


@pytest.mark.parametrize(
    ("grade", "outcome", "code", "score"),
    [
        (passed("Yes."), Outcome.PASS, None, 1.0),
        (failed("No."), Outcome.FAIL, None, 0.0),
        (failed("No.", score=0.5), Outcome.FAIL, None, 0.5),
        (errored(Code.CASE_INVALID, "Bad."), Outcome.ERROR, Code.CASE_INVALID, None),
        (unsupported(Code.TRACE_UNAVAILABLE, "None."), Outcome.UNSUPPORTED, Code.TRACE_UNAVAILABLE, None),
        (inconclusive(Code.NO_CITATIONS, "None."), Outcome.INCONCLUSIVE, Code.NO_CITATIONS, None),
        (timed_out(Code.TIME_LIMIT, "Late."), Outcome.TIMEOUT, Code.TIME_LIMIT, None),
    ],
)
def test_a_grade_is_made_with_its_outcome_code_and_score(grade, outcome, code, score):
    assert (grade.outcome, grade.code, grade.score) == (outcome, code, score)


def test_an_early_end_says_its_outcome_and_no_payload():
    grade = Grade(Outcome.FAIL, "explained")

    assert str(EarlyOutcome(grade)) == "fail"


def test_a_refusal_lists_its_problems_in_the_order_of_their_pointers():
    refused = Refused([Problem("/b", "is bad"), Problem("", "is worse")])

    assert str(refused) == "(whole): is worse; /b: is bad"


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (None, "null"),
        (True, "a boolean"),
        (1, "a number"),
        (1.5, "a number"),
        ("", "a string"),
        ([], "an array"),
        ({}, "an object"),
        (ABSENT, "something that is not JSON"),
    ],
)
def test_each_kind_of_value_has_a_name(value, kind):
    assert kind_of(value) == kind


def test_a_boolean_is_no_number():
    assert [is_number(value) for value in (1, 1.5, True, "1", None)] == [True, True, False, False, False]
