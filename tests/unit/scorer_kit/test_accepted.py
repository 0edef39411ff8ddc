"""accept_any: the expected value is a list of accepted answers, and one is enough."""

import pytest

from evalbook.domain.outcome import Code
from tests.unit.scorers.grading import grade, outcome, refused

VERSIONS = {
    "exact_match": ({}, "b", ["a", "b"]),
    "edit_similarity": ({"threshold": 1}, "b", ["a", "b"]),
    "token_overlap": ({"threshold": 1}, "b", ["a", "b"]),
    "numeric_tolerance": ({"absolute": 0}, 2, [1, 2]),
    "extracted_number": ({"take": "only", "absolute": 0}, "2", [1, 2]),
}
every_version = pytest.mark.parametrize("name", VERSIONS)


def version(name, **more):
    return {**VERSIONS[name][0], "accept_any": True, **more}


@every_version
def test_one_of_the_accepted_answers_is_enough_and_details_say_which(name):
    _, output, accepted = VERSIONS[name]

    answer = grade(name, version(name), output=output, expected=accepted)

    assert (answer.outcome, answer.details["accepted"]) == ("pass", 1)


@every_version
def test_an_answer_that_is_none_of_them_fails(name):
    _, output, accepted = VERSIONS[name]

    assert outcome(name, version(name), output=output, expected=accepted[:1]) == "fail"


@every_version
def test_a_wrong_type_among_them_is_an_error_even_where_another_one_fits(name):
    _, output, accepted = VERSIONS[name]

    answer = grade(name, version(name), output=output, expected=[*accepted, None])

    assert (answer.outcome, answer.code) == ("error", Code.EXPECTED_WRONG_TYPE)


@every_version
def test_an_empty_list_is_an_error(name):
    answer = grade(name, version(name), output=VERSIONS[name][1], expected=[])

    assert (answer.outcome, answer.code) == ("error", Code.EXPECTED_EMPTY)


@every_version
def test_an_expected_value_that_is_no_list_is_an_error(name):
    _, output, accepted = VERSIONS[name]

    answer = grade(name, version(name), output=output, expected=accepted[1])

    assert (answer.outcome, answer.code) == ("error", Code.EXPECTED_WRONG_TYPE)


@every_version
def test_an_unusable_list_is_an_error_before_a_missing_output_is_unsupported(name):
    assert grade(name, version(name), expected=[]).code == Code.EXPECTED_EMPTY
    assert grade(name, version(name), expected=VERSIONS[name][2]).code == Code.OUTPUT_UNAVAILABLE


@every_version
def test_the_list_may_be_a_parameter_and_expected_path_leads_to_it(name):
    _, output, accepted = VERSIONS[name]
    parameters = version(name, expected={"answers": accepted}, expected_path="/answers")

    assert outcome(name, parameters, output=output) == "pass"


@every_version
def test_a_list_given_as_parameter_is_checked_when_the_version_is_created(name):
    assert refused(name, version(name, expected=[])) == {"/expected"}
    assert refused(name, version(name, expected="b")) == {"/expected"}
    assert refused(name, version(name, expected=[*VERSIONS[name][2], True, None])) == {"/expected/2", "/expected/3"}


@every_version
def test_without_accept_any_a_list_is_no_answer(name):
    _, output, accepted = VERSIONS[name]

    assert outcome(name, VERSIONS[name][0], output=output, expected=accepted) == "error"


def test_the_best_score_counts_and_of_equals_the_first():
    answer = grade(
        "edit_similarity", {"threshold": 1, "accept_any": True}, output="abcd", expected=["x", "abxx", "abyy", ""]
    )

    assert (answer.outcome, answer.score, answer.details["accepted"]) == ("fail", 0.5, 1)


def test_json_values_are_accepted_too():
    parameters = {"compare": "json", "accept_any": True}

    assert grade("exact_match", parameters, output=[1], expected=[{}, [1.0], None]).details["accepted"] == 1


def test_an_explanation_says_how_many_there_are_and_quotes_none():
    answer = grade("exact_match", {"accept_any": True}, output="Oslo", expected=["Bergen", "Oslo"])

    assert answer.explanation == "Of 2 accepted values the best is 1. The output equals the expected value."
