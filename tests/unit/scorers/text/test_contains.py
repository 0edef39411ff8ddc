"""contains: the output text contains every (or any) listed text, or the expected value."""

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
    ({}, {"output": "the quick brown fox", "expected": "quick"}, "pass"),
    ({"texts": ["quick", "fox"]}, {"output": "the quick brown fox"}, "pass"),
    ({"texts": ["quick", "dog"]}, {"output": "the quick brown fox"}, "fail"),
    ({"texts": ["quick", "dog"], "mode": "any"}, {"output": "the quick brown fox"}, "pass"),
    ({"texts": ["cat", "dog"], "mode": "any"}, {"output": "the quick brown fox"}, "fail"),
    ({}, {"output": "the quick brown fox", "expected": ["quick", "fox"]}, "pass"),
    ({"output_path": "/text", "ignore_case": True, "texts": ["FOX"]}, {"output": {"text": "a fox"}}, "pass"),
]
NOTES = """
Without `texts` the listed texts are the expected value: a string or an array of strings.

- With `texts` no expected value is needed, and the case's is not looked at.
- Texts are looked for as characters, not as words: `art` is in `start`, unless `whole_words` is set.
- An expected text that is empty after the options, or an empty array, is an error (`EXPECTED_EMPTY`).
- An output that is an array of texts fails; pick an element with `output_path`.
- `position` `start` or `end` asks for the text at the very beginning or end of the output, after the text options.
- `whole_words` finds a text only where neither of its ends stands inside a word, that is between two letters, marks,
  numbers or underscores: `art` is in `the art.` and not in `start`; `C++` is in `C++11`.
"""
SHOWN = [
    (
        {"texts": ["Oslo", "Bergen", "Tromsø"], "ignore_case": True},
        {"output": "The train runs from OSLO to Trondheim."},
    ),
]


def hostile_inputs() -> Iterator[Input]:
    yield from listing(PASS, FAIL)


def test_all_listed_texts_must_occur_by_default():
    assert outcome("contains", {"texts": ["a", "b"]}, output="ab") == "pass"
    assert outcome("contains", {"texts": ["a", "b"]}, output="a") == "fail"


def test_one_listed_text_is_enough_in_mode_any():
    assert outcome("contains", {"texts": ["a", "b"], "mode": "any"}, output="b") == "pass"
    assert outcome("contains", {"texts": ["a", "b"], "mode": "any"}, output="c") == "fail"


def test_the_listed_text_is_looked_for_in_the_output_and_not_the_other_way_round():
    assert outcome("contains", {"texts": ["long text"]}, output="text") == "fail"


def test_a_listed_text_is_no_pattern():
    assert outcome("contains", {"texts": ["a.b"]}, output="acb") == "fail"


@pytest.mark.parametrize("expected", ["b", ["b"], ["a", "b"]])
def test_the_expected_value_is_a_text_or_a_list_of_texts(expected):
    assert outcome("contains", {}, output="abc", expected=expected) == "pass"


def test_listed_texts_win_over_the_expected_value():
    assert outcome("contains", {"texts": ["a"]}, output="a", expected=5) == "pass"


def test_a_given_expected_value_wins_over_the_examples():
    parameters = {"expected": {"all": ["a", "b"]}, "expected_path": "/all"}

    assert outcome("contains", parameters, output="ab", expected="z") == "pass"


@pytest.mark.parametrize(
    ("option", "output", "text"),
    [
        ("trim", "abc", " b "),
        ("collapse_whitespace", "a\n\nb", "a b"),
        ("ignore_case", "STRASSE", "stra\u00dfe"),
        ("normalize_unicode", "un cafe\u0301 noir", "caf\u00e9"),
    ],
)
def test_an_option_applies_to_both_sides(option, output, text):
    assert outcome("contains", {"texts": [text]}, output=output) == "fail"
    assert outcome("contains", {"texts": [text], option: True}, output=output) == "pass"
    assert outcome("contains", {option: True}, output=output, expected=[text]) == "pass"


def test_case_is_folded_without_a_locale():
    parameters = {"texts": ["\u0131\u015f\u0131k"], "ignore_case": True}

    assert outcome("contains", parameters, output="I\u015f\u0131k") == "fail"


@given(st.lists(texts.filter(bool), min_size=1, max_size=3), texts, st.sampled_from(["all", "any"]))
def test_the_verdict_is_that_of_the_language_itself(listed, output, mode):
    wanted = {"all": all, "any": any}[mode](text in output for text in listed)

    assert outcome("contains", {"texts": listed, "mode": mode}, output=output) == ("pass" if wanted else "fail")


def test_a_fail_names_the_missing_texts_by_their_indexes():
    answer = grade("contains", {"texts": ["canary", "b", "canaries"]}, output="b")

    assert answer.explanation == "2 of 3 listed texts do not occur in the output: 0, 2."


def test_many_missing_texts_are_counted_and_the_first_ten_named():
    answer = grade("contains", {"texts": ["x"] * 12}, output="b")

    assert answer.explanation.endswith(": 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more.")


def test_a_pass_in_mode_any_names_the_first_text_that_occurs():
    answer = grade("contains", {"texts": ["x", "b", "a"], "mode": "any"}, output="ab")

    assert answer.explanation == "The output contains listed text 1."


@pytest.mark.parametrize("output", [5, True, None, ["a"], {"a": "a"}])
def test_an_output_that_is_no_text_fails(output):
    answer = grade("contains", {"texts": ["a"]}, output=output)

    assert answer.outcome == "fail"
    assert "not a string" in answer.explanation


@pytest.mark.parametrize(
    ("expected", "code"),
    [
        (5, Code.EXPECTED_WRONG_TYPE),
        (None, Code.EXPECTED_WRONG_TYPE),
        ({}, Code.EXPECTED_WRONG_TYPE),
        (["a", 5], Code.EXPECTED_WRONG_TYPE),
        ([], Code.EXPECTED_EMPTY),
        ("", Code.EXPECTED_EMPTY),
        (["a", ""], Code.EXPECTED_EMPTY),
    ],
)
def test_an_expected_value_that_lists_no_texts_is_an_error(expected, code):
    answer = grade("contains", {}, output=5, expected=expected)

    assert (answer.outcome, answer.code) == ("error", code)


def test_an_expected_text_that_the_options_empty_is_an_error():
    answer = grade("contains", {"trim": True}, output="a", expected=["a", " "])

    assert (answer.code, answer.explanation) == (
        Code.EXPECTED_EMPTY,
        "Expected text 1 is empty: it would be found in anything.",
    )


def test_without_texts_and_expected_value_the_case_is_an_error_even_without_output():
    assert grade("contains", {}).code == Code.EXPECTED_MISSING


def test_without_output_the_case_is_unsupported():
    assert grade("contains", {"texts": ["a"]}).code == Code.OUTPUT_UNAVAILABLE


def test_an_output_path_that_leads_nowhere_fails():
    assert outcome("contains", {"texts": ["a"], "output_path": "/a"}, output="a") == "fail"


@pytest.mark.parametrize(
    ("parameters", "pointers"),
    [
        ({"texts": []}, {"/texts"}),
        ({"texts": None}, {"/texts"}),
        ({"texts": "a"}, {"/texts"}),
        ({"texts": ["a", ""]}, {"/texts/1"}),
        ({"texts": ["a", 5]}, {"/texts/1"}),
        ({"texts": ["a", " "], "trim": True}, {"/texts/1"}),
        ({"texts": ["a", " "]}, set()),
        ({"texts": ["a"], "expected": "a"}, {"/expected"}),
        ({"expected": 5}, {"/expected"}),
        ({"expected": ""}, {"/expected"}),
        ({"expected": " ", "trim": True}, {"/expected"}),
        ({"expected": []}, {"/expected"}),
        ({"expected": ["a", 5, ""]}, {"/expected/1", "/expected/2"}),
        ({"expected": {"b/c": ["a", None]}, "expected_path": "/b~1c"}, {"/expected/b~1c/1"}),
        ({"expected": {}, "expected_path": "/a"}, {"/expected_path"}),
        ({"expected": [""], "expected_path": "a", "mode": "none"}, {"/expected_path", "/mode"}),
        ({"texts": [""], "mode": "none", "trim": "yes", "x": 1}, {"/texts/0", "/mode", "/trim", "/x"}),
    ],
)
def test_a_version_that_could_not_score_is_refused_with_all_its_problems(parameters, pointers):
    assert refused("contains", parameters) == pointers
