"""token_overlap: the output shares enough tokens with the expected text."""

import json
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbook.domain.outcome import Code
from tests.unit.scorers.grading import grade, outcome, refused
from tests.unit.scorers.hostile import Input, case_text, long_texts

EXAMPLES = [
    ({"threshold": 0.8}, {"output": "the old town", "expected": "old town"}, "pass"),
    ({"threshold": 0.81}, {"output": "the old town", "expected": "old town"}, "fail"),
    (
        {"threshold": 1, "normalization": "squad"},
        {"output": "The Old-Town!", "expected": "a oldtown"},
        "pass",
    ),
    ({"threshold": 0.5}, {"output": "Oslo", "expected": " \t"}, "error"),
    (
        {"threshold": 1, "accept_any": True},
        {"output": "King Harald V", "expected": ["Harald", "King Harald V", "Harald V"]},
        "pass",
    ),
]
NOTES = """
Tokens are counted: one that occurs twice on one side and once on the other is shared once. Precision is the share of
the output's tokens, recall that of the expected ones, F1 their harmonic mean: 2·shared / (output + expected).

- `squad` lower-cases both texts, removes ASCII punctuation and the articles *a*, *an*, *the*, as the published
  evaluation of SQuAD 1.1 does: with `metric` `f1` and `accept_any` the score is its F1.
- An expected text without tokens is an error (`EXPECTED_EMPTY`), also where only the normalisation empties it. An
  output without tokens has the score 0.
- The comparison is exact: 2/3 is below 0.6667.
"""


def hostile_inputs() -> Iterator[Input]:
    texts = dict(long_texts())
    for number, (title, text) in enumerate(texts.items()):
        for other in list(texts.values())[number % 2 :: 2]:
            both = case_text(output=json.dumps(text), expected=json.dumps(other + " x"))
            yield Input(f"{title} by {other[:3]!r}", {"threshold": 0.5, "normalization": "squad"}, both)
    many = json.dumps([f"{n} the end." for n in range(2_000)])
    both = case_text(output=json.dumps("an end " * 3_000), expected=many)
    yield Input("2,000 accepted texts", {"threshold": 0.5, "accept_any": True}, both)


WORDS = st.lists(st.sampled_from(["a", "b", "c", "the", "B", "c."]), max_size=8)


@given(output=WORDS, expected=WORDS.filter(bool), metric=st.sampled_from(["precision", "recall", "f1"]))
def test_the_score_is_that_of_the_multisets(output, expected, metric):
    left, right = Counter(output), Counter(expected)
    shared = sum(min(left[word], right[word]) for word in left)
    precision, recall = shared / len(output) if output else 0, shared / len(expected)
    wanted = {
        "precision": precision,
        "recall": recall,
        "f1": 2 * precision * recall / (precision + recall) if shared else 0,
    }

    answer = grade(
        "token_overlap", {"threshold": 1, "metric": metric}, output=" ".join(output), expected=" ".join(expected)
    )

    assert answer.score == pytest.approx(wanted[metric])


def test_a_token_counts_as_often_as_it_occurs_on_both_sides():
    assert grade("token_overlap", {"threshold": 1}, output="a a a", expected="a a b").score == pytest.approx(2 / 3)


def test_without_normalization_case_and_punctuation_count():
    assert grade("token_overlap", {"threshold": 1}, output="Oslo.", expected="oslo").score == 0


def test_the_comparison_is_exact():
    assert outcome("token_overlap", {"threshold": 0.6666}, output="a b", expected="a") == "pass"
    assert outcome("token_overlap", {"threshold": 0.6667}, output="a b", expected="a") == "fail"


def test_an_empty_output_has_the_score_0():
    answer = grade("token_overlap", {"threshold": 0.01, "metric": "precision"}, output="", expected="a")

    assert (answer.outcome, answer.score) == ("fail", 0)


def test_an_expected_text_that_the_normalization_empties_decides_nothing():
    answer = grade("token_overlap", {"threshold": 0.5, "normalization": "squad"}, output="x", expected="The ...")

    assert (answer.outcome, answer.code) == ("error", Code.EXPECTED_EMPTY)


def test_the_best_of_the_accepted_texts_counts():
    answer = grade("token_overlap", {"threshold": 0.9, "accept_any": True}, output="a b", expected=["c", "a", "a b c"])

    assert (answer.outcome, answer.score) == ("fail", pytest.approx(0.8))
    assert answer.details["accepted"] == 2


@pytest.mark.parametrize(
    ("parameters", "pointers"),
    [
        ({}, {"/threshold"}),
        ({"threshold": 0}, {"/threshold"}),
        ({"threshold": 1.01}, {"/threshold"}),
        ({"threshold": 1, "metric": "rouge"}, {"/metric"}),
        ({"threshold": 1, "expected": ""}, {"/expected"}),
        ({"threshold": 1, "expected": 5}, {"/expected"}),
        (
            {"threshold": 1, "normalization": "squad", "expected": {"x": "a the"}, "expected_path": "/x"},
            {"/expected/x"},
        ),
        ({"threshold": 1, "accept_any": True, "expected": ["a", 1, ""]}, {"/expected/1", "/expected/2"}),
    ],
)
def test_a_version_that_decides_nothing_is_refused(parameters, pointers):
    assert refused("token_overlap", parameters) == pointers


@pytest.mark.parametrize(
    ("output", "tokens"),
    [
        ("The Eiffel Tower!", ["eiffel", "tower"]),
        ("a.b.c", ["abc"]),
        ("U.S. and the U.K.", ["us", "and", "uk"]),
        ("an-other", ["another"]),
        ("the theatre", ["theatre"]),
        ("\u00c9T\u00c9 \u2014 \u00ab5\u00bb", ["\u00e9t\u00e9", "\u2014", "\u00ab5\u00bb"]),
    ],
)
def test_answers_are_normalised_as_for_squad(output, tokens):
    parameters = {"threshold": 1, "normalization": "squad"}

    assert grade("token_overlap", parameters, output=output, expected=" ".join(tokens)).score == 1
