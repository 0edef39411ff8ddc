"""regex: the output matches a pattern, anywhere, as a whole, or nowhere."""

import pytest

from evalbook.domain.outcome import Code
from tests.unit.scorers.grading import grade, outcome, refused

EXAMPLES = [
    ({"pattern": "[0-9]{4}"}, {"output": "in 1908"}, "pass"),
    ({"pattern": "[0-9]{4}"}, {"output": "in March"}, "fail"),
    ({"pattern": "[0-9]{4}", "mode": "full_match"}, {"output": "1908"}, "pass"),
    ({"pattern": "[0-9]{4}", "mode": "full_match"}, {"output": "in 1908"}, "fail"),
    ({"pattern": "sorry", "mode": "no_match", "flags": ["ignore_case"]}, {"output": "of course"}, "pass"),
    ({"pattern": "sorry", "mode": "no_match", "flags": ["ignore_case"]}, {"output": "Sorry, no"}, "fail"),
]


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
