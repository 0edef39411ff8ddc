"""edit_similarity: the normalised Levenshtein similarity meets the threshold."""

import json
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from evalbook.domain.outcome import Code
from tests.unit.json_values import texts
from tests.unit.scorers.grading import grade, outcome, refused
from tests.unit.scorers.hostile import SOME, Input, case_text, long_texts
from tests.unit.scorers.text.hostile_texts import OPTIONS

EXAMPLES = [
    ({"threshold": 0.9}, {"output": "the quick brown fox", "expected": "the quick brown fix"}, "pass"),
    ({"threshold": 0.95}, {"output": "the quick brown fox", "expected": "the quick brown fix"}, "fail"),
    ({"threshold": 1, "trim": True}, {"output": " the quick brown fox", "expected": "the quick brown fox"}, "pass"),
    ({"threshold": 0.5, "expected": "the quick brown fox"}, {"output": "lorem ipsum"}, "fail"),
    ({"threshold": 1, "max_input_chars": 5}, {"output": "the quick", "expected": "quick"}, "error"),
]
NOTES = """
The similarity is 1 - distance / length, where the distance is Levenshtein's (insertions, deletions and substitutions
of code points) and the length that of the longer text; two empty texts have similarity 1.

- The comparison is exact: 9 of 10 characters meet 0.9.
- A threshold of 0 passes any text. It still fails an output that is no text.
- Code points are counted, not what a reader sees as one character: *é* as *e* with an accent is two.
  `normalize_unicode` makes one of them.
- `max_input_chars` counts before the text options.
"""
SHOWN = [
    ({"threshold": 0.8}, {"output": "kitten", "expected": "sitting"}),
]


def hostile_inputs() -> Iterator[Input]:
    found = dict(long_texts(SOME))
    for one, text in found.items():
        for other in list(found.values())[::2]:
            both = case_text(output=json.dumps(text), expected=json.dumps(other))
            yield Input(f"{one} against {other[:3]!r}", {"threshold": 0.5}, both)
    for threshold in (0, 0.5, 0.999999):
        for options in ({}, *OPTIONS):
            both = case_text(output=json.dumps("ab" * 50_000), expected=json.dumps("ba" * 50_000))
            parameters = {"threshold": threshold, **options}
            yield Input(f"100,000 by 100,000, {parameters}", parameters, both)
    longer = {"threshold": 0.5, "max_input_chars": 1_000_000}
    both = case_text(output=json.dumps("ab" * 250_000), expected=json.dumps("bca" * 160_000))
    yield Input("500,000 by 480,000", longer, both)


def similarity(output, expected, threshold=0, **parameters):
    return grade("edit_similarity", {"threshold": threshold, **parameters}, output=output, expected=expected)


@pytest.mark.parametrize(
    ("output", "expected", "score"),
    [
        ("kitten", "sitting", 1 - 3 / 7),
        ("abc", "abc", 1.0),
        ("abc", "xyz", 0.0),
        ("", "abc", 0.0),
        ("abc", "", 0.0),
        ("ab", "ba", 0.0),
        ("\U0001f600a", "\U0001f600b", 0.5),
    ],
)
def test_the_score_is_one_minus_the_distance_over_the_longer_length(output, expected, score):
    assert similarity(output, expected).score == pytest.approx(score, abs=1e-15)


@pytest.mark.parametrize("threshold", [0, 0.5, 1])
def test_two_empty_texts_have_similarity_one(threshold):
    answer = similarity("", "", threshold)

    assert (answer.outcome, answer.score) == ("pass", 1.0)


def test_the_threshold_is_inclusive():
    assert similarity("abcde", "abcdx", 0.8).outcome == "pass"
    assert similarity("abcde", "abcdx", 0.81).outcome == "fail"


def test_the_threshold_is_compared_exactly_and_not_in_binary():
    # In doubles 1 - 9 / 10 is below 0.1.
    assert similarity("aaaaaaaaaa", "axxxxxxxxx", 0.1).outcome == "pass"
    assert similarity("aaaaaaaaaa", "axxxxxxxxx", Decimal("0.1000000000000000000000001")).outcome == "fail"


def test_any_texts_pass_a_threshold_of_zero():
    assert similarity("abc", "xyz", 0).outcome == "pass"


@given(st.text("ab\u00e9\U0001f600", max_size=8), st.text("ab\u00e9\U0001f600", max_size=8))
def test_the_score_is_the_librarys_normalised_similarity(output, expected):
    assert similarity(output, expected).score == pytest.approx(Levenshtein.normalized_similarity(output, expected))


@given(st.text("ab", max_size=8), st.text("ab", max_size=8), st.integers(0, 20))
def test_a_case_passes_exactly_where_the_exact_similarity_meets_the_threshold(output, expected, twentieths):
    longer = max(len(output), len(expected))
    exact = 1 - Fraction(Levenshtein.distance(output, expected), longer) if longer else Fraction(1)

    passes = similarity(output, expected, Decimal(twentieths) / 20).outcome == "pass"

    assert passes == (exact >= Fraction(twentieths, 20))


@given(texts, texts)
def test_the_score_is_the_same_both_ways_and_with_any_threshold(left, right):
    scores = {similarity(left, right).score, similarity(right, left).score, similarity(left, right, 1).score}

    assert len(scores) == 1


@pytest.mark.parametrize(
    ("option", "output", "expected"),
    [
        ("trim", " abc ", "abc"),
        ("collapse_whitespace", "a  b", "a b"),
        ("ignore_case", "WEISS", "wei\u00df"),
        ("normalize_unicode", "e\u0301", "\u00e9"),
    ],
)
def test_an_option_applies_to_both_sides(option, output, expected):
    assert similarity(output, expected, 1).outcome == "fail"
    assert similarity(output, expected, 1, **{option: True}).outcome == "pass"
    assert similarity(expected, output, 1, **{option: True}).outcome == "pass"


def test_the_explanation_counts_edits_and_characters():
    answer = similarity("canary", "canaries", 0.9)

    assert answer.explanation == ("3 edits over 8 characters, a similarity of 0.6250, which is below the threshold.")
    assert answer.details == {"distance": 3, "length": 8}


@pytest.mark.parametrize(("output", "expected", "name"), [("abcdef", "a", "output"), ("a", "abcdef", "expected text")])
def test_a_text_that_is_too_long_is_an_error(output, expected, name):
    answer = similarity(output, expected, max_input_chars=5)

    assert (answer.outcome, answer.code) == ("error", Code.INPUT_TOO_LONG)
    assert answer.explanation == f"The {name} has 6 characters; the version allows 5."


def test_a_text_of_just_the_length_is_compared():
    assert similarity("abcde", "abcde", max_input_chars=5).outcome == "pass"


def test_a_hundred_thousand_characters_are_allowed_by_default():
    assert similarity("a" * 100_000, "a" * 100_000).outcome == "pass"
    assert similarity("a" * 100_001, "a").code == Code.INPUT_TOO_LONG


def test_the_length_is_that_before_the_options():
    assert similarity("a     ", "a", max_input_chars=5, trim=True).code == Code.INPUT_TOO_LONG


@pytest.mark.parametrize("output", [5, True, None, ["a"], {}])
def test_an_output_that_is_no_text_fails(output):
    answer = similarity(output, "a")

    assert (answer.outcome, answer.score) == ("fail", 0.0)
    assert "not a string" in answer.explanation


@pytest.mark.parametrize("expected", [5, True, None, ["a"], {}])
def test_an_expected_value_that_is_no_text_is_an_error(expected):
    assert similarity("a", expected).code == Code.EXPECTED_WRONG_TYPE


def test_an_expected_text_that_is_too_long_comes_before_a_missing_output():
    parameters = {"threshold": 1, "max_input_chars": 1}

    assert grade("edit_similarity", parameters, expected="ab").code == Code.INPUT_TOO_LONG


def test_a_missing_expected_value_comes_before_a_missing_output():
    assert grade("edit_similarity", {"threshold": 1}).code == Code.EXPECTED_MISSING
    assert grade("edit_similarity", {"threshold": 1}, expected="a").code == Code.OUTPUT_UNAVAILABLE


def test_paths_pick_a_part_of_either():
    parameters = {"threshold": 1, "output_path": "/a", "expected_path": "/b"}

    assert outcome("edit_similarity", parameters, output={"a": "x"}, expected={"b": "x"}) == "pass"
    assert outcome("edit_similarity", parameters, output={}, expected={"b": "x"}) == "fail"


@pytest.mark.parametrize(
    ("parameters", "pointers"),
    [
        ({}, {"/threshold"}),
        ({"threshold": -0.1}, {"/threshold"}),
        ({"threshold": 1.1}, {"/threshold"}),
        ({"threshold": Decimal("1.0000000000000000000001")}, {"/threshold"}),
        ({"threshold": "1"}, {"/threshold"}),
        ({"threshold": True}, {"/threshold"}),
        ({"threshold": None}, {"/threshold"}),
        ({"threshold": 1, "max_input_chars": 0}, {"/max_input_chars"}),
        ({"threshold": 1, "max_input_chars": 1.5}, {"/max_input_chars"}),
        ({"threshold": 1, "max_input_chars": 10.0}, set()),
        ({"threshold": 2, "expected": 5, "trim": None}, {"/threshold", "/expected", "/trim"}),
        ({"threshold": 1, "distance": 3}, {"/distance"}),
    ],
)
def test_a_version_that_could_not_score_is_refused_with_all_its_problems(parameters, pointers):
    assert refused("edit_similarity", parameters) == pointers
