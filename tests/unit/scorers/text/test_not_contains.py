"""not_contains: the output text contains none of the listed texts, nor the expected value."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbook.domain.outcome import Code
from tests.unit.json_values import texts
from tests.unit.scorers.grading import grade, outcome, refused
from tests.unit.scorers.hostile import FAIL, PASS, Input
from tests.unit.scorers.text.hostile_texts import listing

EXAMPLES = [
    ({}, {"output": "the quick brown fox", "expected": "lazy"}, "pass"),
    ({"texts": ["cat", "dog"]}, {"output": "the quick brown fox"}, "pass"),
    ({"texts": ["cat", "fox"]}, {"output": "the quick brown fox"}, "fail"),
    ({}, {"output": "the quick brown fox", "expected": ["lazy", "quick"]}, "fail"),
    ({"texts": ["FOX"], "ignore_case": True}, {"output": "the quick brown fox"}, "fail"),
]
NOTES = """
- An output of the wrong type fails, although it contains nothing: it is no text that was found clean.
- `position` and `whole_words` say what counts as found, as for [`contains`](#contains).
"""
SHOWN = [
    ({"texts": ["as an AI", "I cannot"], "ignore_case": True}, {"output": "As an AI model I would say yes."}),
    ({"texts": ["as an AI"]}, {"output": None}),
]


def hostile_inputs() -> Iterator[Input]:
    yield from listing(FAIL, PASS)


def test_one_listed_text_that_occurs_is_enough_to_fail():
    assert outcome("not_contains", {"texts": ["a", "b"]}, output="xb") == "fail"
    assert outcome("not_contains", {"texts": ["a", "b"]}, output="x") == "pass"


def test_an_empty_output_contains_nothing():
    assert outcome("not_contains", {"texts": ["a"]}, output="") == "pass"


@pytest.mark.parametrize("output", [5, True, None, ["a"], {"b": "c"}])
def test_an_output_that_is_no_text_fails_as_well(output):
    assert outcome("not_contains", {"texts": ["a"]}, output=output) == "fail"


def test_an_output_path_that_leads_nowhere_fails_as_well():
    assert outcome("not_contains", {"texts": ["a"], "output_path": "/x"}, output={}) == "fail"


@pytest.mark.parametrize(
    ("option", "output", "text"),
    [
        ("trim", "abc", " b "),
        ("collapse_whitespace", "a\n\nb", "a b"),
        ("ignore_case", "ABC", "b"),
        ("normalize_unicode", "cafe\u0301", "\u00e9"),
    ],
)
def test_an_option_finds_what_is_hidden_without_it(option, output, text):
    assert outcome("not_contains", {"texts": [text]}, output=output) == "pass"
    assert outcome("not_contains", {"texts": [text], option: True}, output=output) == "fail"


def test_a_fail_names_the_found_texts_by_their_indexes():
    answer = grade("not_contains", {"texts": ["x", "canary", "a"]}, output="a canary")

    assert answer.explanation == "2 of 3 listed texts occur in the output: 1, 2."


@given(st.lists(texts.filter(bool), min_size=1, max_size=3), texts)
def test_it_passes_exactly_where_contains_in_mode_any_fails(listed, output):
    verdicts = {
        outcome("contains", {"texts": listed, "mode": "any"}, output=output),
        outcome("not_contains", {"texts": listed}, output=output),
    }

    assert verdicts == {"pass", "fail"}


@pytest.mark.parametrize(
    ("expected", "code"),
    [(5, Code.EXPECTED_WRONG_TYPE), ([5], Code.EXPECTED_WRONG_TYPE), ([], Code.EXPECTED_EMPTY)],
)
def test_an_expected_value_that_lists_no_texts_is_an_error(expected, code):
    assert grade("not_contains", {}, output="a", expected=expected).code == code


def test_a_missing_expected_value_comes_before_a_missing_output():
    assert grade("not_contains", {}).code == Code.EXPECTED_MISSING
    assert grade("not_contains", {}, expected="a").code == Code.OUTPUT_UNAVAILABLE


@pytest.mark.parametrize(
    ("parameters", "pointers"),
    [({"texts": [""]}, {"/texts/0"}), ({"texts": []}, {"/texts"}), ({"texts": ["a"], "mode": "any"}, {"/mode"})],
)
def test_a_version_that_could_not_score_is_refused(parameters, pointers):
    assert refused("not_contains", parameters) == pointers
