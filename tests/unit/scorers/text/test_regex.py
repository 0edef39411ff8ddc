"""regex: the output matches a pattern, anywhere, as a whole, or nowhere."""

import json
from collections.abc import Iterator

import pytest

from evalbook.domain.outcome import Code
from tests.unit.scorers.grading import grade, outcome, refused
from tests.unit.scorers.hostile import Input, case_text, long_texts

EXAMPLES = [
    ({"pattern": "[0-9]{4}"}, {"output": "in 1908"}, "pass"),
    ({"pattern": "[0-9]{4}"}, {"output": "in March"}, "fail"),
    ({"pattern": "[0-9]{4}", "mode": "full_match"}, {"output": "1908"}, "pass"),
    ({"pattern": "[0-9]{4}", "mode": "full_match"}, {"output": "in 1908"}, "fail"),
    ({"pattern": "sorry", "mode": "no_match", "flags": ["ignore_case"]}, {"output": "of course"}, "pass"),
    ({"pattern": "sorry", "mode": "no_match", "flags": ["ignore_case"]}, {"output": "Sorry, no"}, "fail"),
]
NOTES = """
The output must be a string.

- `match` looks anywhere, also in the middle of a word. `full_match` leaves nothing out, a line break at the end
  neither; it needs no `^` and `$`.
- Without `multiline`, `^` and `$` are the ends of the text; `$` also stands before a line break at its end. `\\Z`
  does not.
"""
SHOWN = [
    ({"pattern": "[A-Z]{2}-[0-9]{4}"}, {"output": "Order AB-1234 was sent."}),
    ({"pattern": "[A-Z]{2}-[0-9]{4}", "mode": "full_match"}, {"output": "Order AB-1234 was sent."}),
    ({"pattern": "DRAFT", "mode": "no_match", "max_input_chars": 10}, {"output": "The final report."}),
]


# Each takes polynomial time on some text, and less than 100 ms on texts of 1,000 characters.
PATTERNS = (
    r"a*b",
    r"[a-z ]*=",
    r"\s+$",
    r"(?:a|b)+c",
    r"\[[^\]]*\]",
    r"^(?:a b?)+$",
    r"\w+@\w+",
    r"[\[{]+x",
    r"(?i)A+B",
    r"\d+\.\d+",
)


def hostile_inputs() -> Iterator[Input]:
    for title, text in long_texts():
        for pattern in PATTERNS:
            parameters = {"pattern": pattern, "match_timeout_ms": 2_000}
            yield Input(f"{title} by {pattern}", parameters, case_text(output=json.dumps(text)))
    for mode in ("match", "no_match"):
        for timeout in (1, 5, 10):
            parameters = {"pattern": r"\[[^\]]*\]", "mode": mode, "match_timeout_ms": timeout}
            output = json.dumps("[" * 90_000)
            yield Input(f"{mode} in {timeout} ms", parameters, case_text(output=output), frozenset({"timeout"}))


def test_match_finds_the_pattern_anywhere():
    assert outcome("regex", {"pattern": "b+"}, output="abbc") == "pass"


def test_full_match_takes_the_whole_output_and_not_its_first_line():
    assert outcome("regex", {"pattern": "a+", "mode": "full_match"}, output="aa\n") == "fail"
    assert outcome("regex", {"pattern": "a+", "mode": "full_match"}, output="aa") == "pass"


def test_no_match_fails_where_the_pattern_is_found():
    assert outcome("regex", {"pattern": "b", "mode": "no_match"}, output="abc") == "fail"


@pytest.mark.parametrize(
    ("flag", "pattern", "output"),
    [
        ("ignore_case", "OSLO", "oslo"),
        ("multiline", "^b$", "a\nb\nc"),
        ("dot_all", "a.c", "a\nc"),
        ("verbose", "a b  # two letters", "ab"),
    ],
)
def test_each_flag_changes_how_the_pattern_is_read(flag, pattern, output):
    assert outcome("regex", {"pattern": pattern}, output=output) == "fail"
    assert outcome("regex", {"pattern": pattern, "flags": [flag]}, output=output) == "pass"


@pytest.mark.parametrize("mode", ["match", "full_match", "no_match"])
def test_a_stopped_match_is_a_timeout_in_every_mode(mode):
    pattern = "x+$" if mode != "full_match" else "[xy]*x*[xz]*[!?]"
    output = "x" * 60_000 + "."

    found = grade("regex", {"pattern": pattern, "mode": mode, "match_timeout_ms": 1}, output=output)

    assert (found.outcome, found.code) == ("timeout", Code.MATCH_TIME_LIMIT)


def test_an_output_that_is_no_string_fails_in_every_mode():
    for mode in ("match", "full_match", "no_match"):
        assert outcome("regex", {"pattern": "5", "mode": mode}, output=5) == "fail"


def test_an_output_over_the_limit_is_an_error_in_every_mode():
    for mode in ("match", "full_match", "no_match"):
        found = grade("regex", {"pattern": "a", "mode": mode, "max_input_chars": 3}, output="aaaa")

        assert (found.outcome, found.code) == ("error", Code.INPUT_TOO_LONG)


def test_an_empty_pattern_is_refused():
    assert "/pattern" in refused("regex", {"pattern": ""})


def test_a_pattern_that_cannot_be_read_is_refused():
    assert "/pattern" in refused("regex", {"pattern": "(a"})


def test_a_pattern_that_blows_up_is_refused():
    assert "/pattern" in refused("regex", {"pattern": "(a|a)*$"})


def test_every_problem_is_reported_at_once():
    found = refused("regex", {"pattern": "(a", "mode": "start", "flags": ["fast"], "match_timeout_ms": 0, "more": 1})

    assert set(found) == {"/pattern", "/mode", "/flags/0", "/match_timeout_ms", "/more"}
