"""position and whole_words: where contains and not_contains find a text."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.scorers.grading import outcome, refused

WORDS = {"whole_words": True}


def found(text, output, **options):
    """Whether contains finds the text; not_contains says the opposite, or this fails."""
    verdicts = {
        name: outcome(name, {"texts": [text], **options}, output=output) for name in ("contains", "not_contains")
    }
    assert set(verdicts.values()) == {"pass", "fail"}
    return verdicts["contains"] == "pass"


@pytest.mark.parametrize(("position", "places"), [("anywhere", [1, 1, 1]), ("start", [1, 0, 0]), ("end", [0, 0, 1])])
def test_position_says_where(position, places):
    outputs = ["yes and no", "well, yes then", "no, yes"]

    assert [found("yes", output, position=position) for output in outputs] == list(map(bool, places))


@pytest.mark.parametrize(
    ("text", "output", "whole"),
    [
        ("art", "the start", False),
        ("art", "the art.", True),
        ("art", "start with art", True),
        ("art", "art_1", False),
        ("art", "art-1", True),
        ("art", "art", True),
        ("caf", "caf\u00e9", False),
        ("cafe", "cafe\u0301", False),
        (", sir", "yes, sir!", True),
        ("C++", "C++11", True),
        ("old town", "the old town", True),
        ("old town", "cold towns", False),
        ("aa", "aaa aa", True),
    ],
)
def test_a_whole_word_is_not_cut_at_either_end(text, output, whole):
    assert found(text, output, **WORDS) is whole


@given(text=st.text("ab ", min_size=1, max_size=3), output=st.text("ab ", max_size=12))
def test_whole_words_are_those_between_word_boundaries(text, output):
    pattern = rf"(?<![ab])(?=[ab]){re.escape(text)}" if text[0] != " " else re.escape(text)
    pattern += "(?![ab])" if text[-1] != " " else ""

    assert found(text, output, **WORDS) is bool(re.search(pattern, output))


def test_position_and_whole_words_hold_together():
    assert not found("yes", "yesterday", position="start", **WORDS)
    assert found("yes", "yes, sir", position="start", **WORDS)
    assert not found("day", "today", position="end", **WORDS)
    assert found("day", "to day", position="end", **WORDS)


def test_the_text_options_are_applied_first():
    assert found("YES", "  yes", position="start", trim=True, ignore_case=True)


def test_the_expected_value_is_looked_for_in_the_same_way():
    assert outcome("contains", {"position": "end"}, output="a b", expected="b") == "pass"
    assert outcome("contains", {"position": "end"}, output="b a", expected="b") == "fail"


def test_an_unknown_position_is_refused():
    assert refused("contains", {"position": "middle", "whole_words": 1}) == {"/position", "/whole_words"}
