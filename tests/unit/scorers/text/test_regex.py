"""regex: the output matches a pattern, anywhere, as a whole, or nowhere."""

import json
from collections.abc import Iterator

import pytest

from evalbook.domain.outcome import Code
from evalbook.services.scoring import catalog
from tests.unit.scorers.grading import grade, outcome, refused, version_of
from tests.unit.scorers.hostile import Input, case_text, long_texts

EXAMPLES = [
    ({"pattern": "[0-9]{4}"}, {"output": "in 1908"}, "pass"),
    ({"pattern": "[0-9]{4}"}, {"output": "in March"}, "fail"),
    ({"pattern": "[0-9]{4}", "mode": "full_match"}, {"output": "1908"}, "pass"),
    ({"pattern": "[0-9]{4}", "mode": "full_match"}, {"output": "in 1908"}, "fail"),
    ({"pattern": "sorry", "mode": "no_match", "flags": ["ignore_case"]}, {"output": "of course"}, "pass"),
    ({"pattern": "sorry", "mode": "no_match", "flags": ["ignore_case"]}, {"output": "Sorry, no"}, "fail"),
    ({"pattern": "in ([0-9]+)", "group": 1}, {"output": "in 1908", "expected": "1908"}, "pass"),
    ({"pattern": "[0-9]+", "maximum_matches": 2}, {"output": "1 2 3"}, "fail"),
]
NOTES = """
The output must be a string.

- `match` looks anywhere, also in the middle of a word. `full_match` leaves nothing out, a line break at the end
  neither; it needs no `^` and `$`.
- Without `multiline`, `^` and `$` are the ends of the text; `$` also stands before a line break at its end. `\\Z`
  does not.
- `group` compares what one group of the pattern captured in the first match with the expected value, after the text
  options; `expected`, `expected_path`, `accept_any` and the text options are refused without it. A group that took no
  part in the match fails. Group 0 is the whole match.
- `minimum_matches` and `maximum_matches` count the places where the pattern is found, without overlap, in mode
  `match`. With `maximum_matches` alone it must still be found once; for never use `no_match`.
- Without the flag `ascii`, `\\d`, `\\w`, `\\s`, `\\b` and `ignore_case` cover all of Unicode: `\\d` also matches the
  digits of other scripts. The version is then created with a warning.
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


def warnings_of(**parameters):
    return [problem.message for problem in version_of("regex", parameters).warnings]


def test_ascii_leaves_other_scripts_out():
    assert outcome("regex", {"pattern": r"^\d+$"}, output="\u0661\u0662") == "pass"
    assert outcome("regex", {"pattern": r"^\d+$", "flags": ["ascii"]}, output="\u0661\u0662") == "fail"
    assert outcome("regex", {"pattern": r"^\d+$", "flags": ["ascii"]}, output="12") == "pass"


@pytest.mark.parametrize("pattern", [r"\d", r"\w:", r"a\sb", r"\bart\b", r"[\d.]+", r"\D", "(?i)k"])
def test_classes_of_all_unicode_are_warned_of_until_ascii_is_chosen(pattern):
    assert ["cover all of Unicode" in message for message in warnings_of(pattern=pattern)] == [True]
    assert warnings_of(pattern=pattern, flags=["ascii"]) == []


def test_ignore_case_is_warned_of_too():
    assert warnings_of(pattern="kelvin", flags=["ignore_case"]) == [
        "ignore_case cover all of Unicode; add the flag ascii where only ASCII is meant"
    ]
    assert warnings_of(pattern="kelvin") == []


@pytest.mark.parametrize("pattern", [r"\\d", "[0-9]+", r"\.\n"])
def test_what_only_looks_like_a_class_is_not_warned_of(pattern):
    assert warnings_of(pattern=pattern) == []


def test_a_group_of_the_first_match_is_compared_with_the_expected_text():
    for group in (1, "year"):
        parameters = {"pattern": "in (?P<year>[0-9]{4})", "group": group}

        assert outcome("regex", parameters, output="in 1908, in 1912", expected="1908") == "pass"
        assert outcome("regex", parameters, output="in 1908, in 1912", expected="1912") == "fail"


def test_group_0_is_the_whole_match():
    assert outcome("regex", {"pattern": "[0-9]+", "group": 0}, output="a 5 b", expected="5") == "pass"


def test_text_options_and_accepted_values_hold_for_the_group():
    parameters = {"pattern": "<(.*)>", "group": 1, "trim": True, "ignore_case": True, "accept_any": True}

    answer = grade("regex", parameters, output="< OSLO >", expected=["Bergen", "oslo"])

    assert (answer.outcome, answer.details["accepted"]) == ("pass", 1)


@pytest.mark.parametrize("output", ["b", "c"])
def test_a_group_that_took_no_part_fails_also_where_the_expected_text_is_empty(output):
    assert outcome("regex", {"pattern": "(a)|b", "group": 1}, output=output, expected="") == "fail"


def test_a_group_in_full_match_is_that_of_the_whole_text():
    parameters = {"pattern": "a(b*)", "mode": "full_match", "group": 1}

    assert outcome("regex", parameters, output="abb", expected="bb") == "pass"
    assert outcome("regex", parameters, output="abbc", expected="bb") == "fail"


def test_a_missing_expected_text_is_an_error_before_all_else():
    assert grade("regex", {"pattern": "(a)", "group": 1}).code == Code.EXPECTED_MISSING
    assert grade("regex", {"pattern": "(a)", "group": 1}, output=5, expected=5).code == Code.EXPECTED_WRONG_TYPE


@pytest.mark.parametrize(
    ("bounds", "verdicts"),
    [
        ({"minimum_matches": 2}, ["fail", "fail", "pass", "pass"]),
        ({"maximum_matches": 2}, ["fail", "pass", "pass", "fail"]),
        ({"minimum_matches": 2, "maximum_matches": 2}, ["fail", "fail", "pass", "fail"]),
    ],
)
def test_matches_are_counted_without_overlap(bounds, verdicts):
    outputs = ["", "aa", "aaaa", "aa aa aa"]

    assert [outcome("regex", {"pattern": "aa", **bounds}, output=output) for output in outputs] == verdicts


def test_counts_and_group_hold_together():
    parameters = {"pattern": "([a-z])=", "group": 1, "maximum_matches": 1}

    assert outcome("regex", parameters, output="a=1", expected="a") == "pass"
    assert outcome("regex", parameters, output="a=1 b=2", expected="a") == "fail"


@pytest.mark.parametrize(
    ("more", "pointers"),
    [
        ({"group": 2}, {"/group"}),
        ({"group": "name"}, {"/group"}),
        ({"group": -1}, {"/group"}),
        ({"group": True}, {"/group"}),
        ({"group": None}, {"/group"}),
        ({"group": 1, "mode": "no_match"}, {"/group"}),
        ({"group": 1, "expected": 5}, {"/expected"}),
        ({"expected": "a"}, {"/expected"}),
        ({"ignore_case": True, "accept_any": False}, {"/ignore_case", "/accept_any"}),
        ({"minimum_matches": 0}, {"/minimum_matches"}),
        ({"maximum_matches": 0}, {"/maximum_matches"}),
        ({"minimum_matches": 3, "maximum_matches": 2}, {"/minimum_matches"}),
        ({"minimum_matches": 1, "mode": "full_match"}, {"/minimum_matches"}),
        ({"maximum_matches": None}, {"/maximum_matches"}),
    ],
)
def test_groups_and_counts_that_mean_nothing_are_refused(more, pointers):
    assert refused("regex", {"pattern": "(a)", **more}) == pointers


def test_the_expected_value_is_read_only_where_a_group_is_compared():
    parameters = catalog.find("regex").parameters

    assert parameters.reads_expected({"pattern": "(a)", "group": 1})
    assert not parameters.reads_expected({"pattern": "(a)"})
