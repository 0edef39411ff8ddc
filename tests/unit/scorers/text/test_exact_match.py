"""exact_match: the output equals the expected value, as text or as JSON."""

import json
from collections.abc import Iterator
from decimal import Decimal

import pytest
from hypothesis import given

from evalbook.domain.outcome import Code
from evalbook.jsonio.equality import json_equal
from tests.unit.json_values import small_values
from tests.unit.scorers.grading import grade, outcome, refused
from tests.unit.scorers.hostile import FAIL, PASS, Input, case_text, changed, large_values, long_texts, unchanged
from tests.unit.scorers.text.hostile_texts import OPTIONS

EXAMPLES = [
    ({}, {"output": "forty-two", "expected": "forty-two"}, "pass"),
    ({}, {"output": "forty-two", "expected": "forty-one"}, "fail"),
    ({"trim": True, "ignore_case": True}, {"output": " Forty-Two\n", "expected": "forty-two"}, "pass"),
    ({"compare": "json"}, {"output": {"answer": [42, "x"]}, "expected": {"answer": [42.0, "x"]}}, "pass"),
    ({"compare": "json"}, {"output": {"answer": [42, "x"]}, "expected": {"answer": [42, "y"]}}, "fail"),
    ({"output_path": "/a", "expected_path": "/b"}, {"output": {"a": "same"}, "expected": {"b": "same"}}, "pass"),
    ({"expected": "forty-two"}, {"output": "forty-two"}, "pass"),
]
NOTES = """
With `compare` `text` both must be strings. With `json` any values do, equal as RFC 8785 has it: the order of members
and the spelling of numbers do not matter, the order of elements does, and integers are exact at any size.

- Text options change nothing with `json`, also not the strings inside.
- A text that holds JSON is a text: `"5"` does not equal `5`, and `"{}"` does not equal `{}`.
- An empty expected text is a text like any other; an empty output equals it.
- `details` show both texts from the first difference on, or the pointer of the first difference.
- `accept_any` and `parse` are explained [above](#several-accepted-answers); `parse` needs `compare` `json`.
"""
SHOWN = [
    ({"compare": "json"}, {"output": {"total": 2.5, "items": [1, 2]}, "expected": {"items": [1, 2], "total": 2.5}}),
    ({}, {"output": "The answer is 42.", "expected": "The answer is 41."}),
]


def hostile_inputs() -> Iterator[Input]:
    for title, text in long_texts():
        for options in OPTIONS:
            for end, want in (("x", PASS), ("y", FAIL)):
                both = case_text(output=json.dumps(text + "x"), expected=json.dumps(text + end))
                yield Input(f"{title}, {options}, {end}", options, both, want)
    for title, value in large_values():
        for make, want in ((unchanged, PASS), (changed, FAIL)):
            both = case_text(output=unchanged(value), expected=make(value))
            yield Input(f"{title}, {want}", {"compare": "json"}, both, want)


def compared(output, expected, **parameters):
    return outcome("exact_match", parameters, output=output, expected=expected)


def test_equal_texts_pass():
    assert compared("abc", "abc") == "pass"


def test_two_empty_texts_pass():
    assert compared("", "") == "pass"


@pytest.mark.parametrize("output", ["abd", "ab", "abcd", "Abc", " abc", "abc\n", ""])
def test_texts_are_compared_exactly_without_options(output):
    assert compared(output, "abc") == "fail"


@pytest.mark.parametrize(
    ("option", "output", "expected"),
    [
        ("trim", "\u3000 abc\t\n", "abc"),
        ("trim", "abc", "\u00a0abc"),
        ("collapse_whitespace", "a \t\n b", "a b"),
        ("collapse_whitespace", "a\u2003\u2003b", "a\u00a0b"),
        ("ignore_case", "STRASSE", "stra\u00dfe"),
        ("ignore_case", "\u03a3", "\u03c2"),
        ("normalize_unicode", "e\u0301", "\u00e9"),
        ("normalize_unicode", "\u212b", "\u00c5"),
    ],
)
def test_an_option_makes_its_difference_not_count(option, output, expected):
    assert compared(output, expected) == "fail"
    assert compared(output, expected, **{option: True}) == "pass"
    assert compared(output, expected, **{option: False}) == "fail"


@pytest.mark.parametrize(
    ("options", "output", "expected"),
    [
        (["trim"], "a  b", "a b"),
        (["collapse_whitespace"], " a", "a"),
        (["trim", "collapse_whitespace"], "a\x1cb", "a b"),
        (["trim"], "\u200babc", "abc"),
        (["trim", "collapse_whitespace"], "\ufeffabc", "abc"),
        (["ignore_case"], "\u0131", "i"),
        (["ignore_case"], "\u0130", "i"),
        (["ignore_case"], "\u0390", "\u03aa\u0301"),
        (["normalize_unicode"], "\ufb01le", "file"),
        (["normalize_unicode"], "\uff21", "A"),
    ],
)
def test_an_option_makes_no_other_difference_vanish(options, output, expected):
    assert compared(output, expected, **dict.fromkeys(options, True)) == "fail"


def test_white_space_at_an_end_is_collapsed_and_not_removed():
    assert compared("a \n", "a ", collapse_whitespace=True) == "pass"


def test_composed_letters_are_folded_and_composed_again():
    options = {"ignore_case": True, "normalize_unicode": True}

    assert compared("\u0390", "\u03aa\u0301", **options) == "pass"


@pytest.mark.parametrize("output", [5, 5.0, True, None, ["5"], {"a": "5"}])
def test_nothing_is_converted_to_a_text(output):
    answer = grade("exact_match", {}, output=output, expected="5")

    assert answer.outcome == "fail"
    assert answer.explanation.endswith("not a string; nothing is converted.")


@pytest.mark.parametrize("expected", [5, False, None, ["5"], {}])
def test_an_expected_value_that_is_no_text_is_an_error(expected):
    answer = grade("exact_match", {}, output="5", expected=expected)

    assert (answer.outcome, answer.code) == ("error", Code.EXPECTED_WRONG_TYPE)


def test_json_objects_are_equal_in_any_order_of_members():
    assert compared({"a": 1, "b": [2]}, {"b": [2], "a": 1}, compare="json") == "pass"


@pytest.mark.parametrize(
    ("output", "expected"),
    [(1, 1.0), (0, Decimal("-0.0")), (10**30, Decimal("1E+30")), (None, None), ([], []), ("a", "a"), (True, True)],
)
def test_equal_json_values_pass(output, expected):
    assert compared(output, expected, compare="json") == "pass"


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        (1, True),
        ([0], [False]),
        (1, "1"),
        (None, False),
        ([1, 2], [2, 1]),
        ({}, {"a": None}),
        ('{"a": 1}', {"a": 1}),
        (2**53, 2**53 + 1),
        (10**399, 10**399 + 1),
    ],
)
def test_different_json_values_fail(output, expected):
    assert compared(output, expected, compare="json") == "fail"


def test_text_options_do_not_touch_json_values():
    assert compared(" A", "a", compare="json", trim=True, ignore_case=True) == "fail"


@given(small_values, small_values)
def test_json_values_pass_exactly_where_they_are_equal(output, expected):
    assert (compared(output, expected, compare="json") == "pass") == json_equal(output, expected)


def test_a_fail_says_where_texts_first_differ_and_shows_them_in_the_details_only():
    answer = grade("exact_match", {}, output="canary one", expected="canary two!")

    assert answer.explanation == ("The texts differ, first at character 7; the output has 10, the expected text 11.")
    assert answer.details == {
        "output": {"from": 7, "text": "one", "length": 10},
        "expected": {"from": 7, "text": "two!", "length": 11},
    }


@pytest.mark.parametrize(
    ("output", "expected", "at"), [("", "a", 0), ("a", "", 0), ("ab", "a", 1), ("x" * 999 + "a", "x" * 999 + "b", 999)]
)
def test_texts_differ_first_where_the_shorter_ends_or_before(output, expected, at):
    assert f"first at character {at};" in grade("exact_match", {}, output=output, expected=expected).explanation


def test_a_long_text_is_shown_in_part():
    answer = grade("exact_match", {}, output="a" + "b" * 500, expected="a")

    assert answer.details["output"] == {"from": 1, "text": "b" * 80, "length": 501}


def test_a_fail_says_how_deep_json_values_first_differ_and_the_place_in_the_details_only():
    answer = grade("exact_match", {"compare": "json"}, output={"a/b": [1]}, expected={"a/b": [True]})

    assert answer.explanation == ("The values differ, first 2 levels down: a number where a boolean is expected.")
    assert answer.details == {"pointer": "/a~1b/0"}


def test_json_values_of_other_types_differ_at_the_top():
    answer = grade("exact_match", {"compare": "json"}, output="a", expected=["a"])

    assert answer.explanation == "The values differ, first at the top: a string where an array is expected."


def test_paths_pick_a_part_of_either():
    parameters = {"output_path": "/a/0", "expected_path": "/b~1c"}

    assert outcome("exact_match", parameters, output={"a": ["x"]}, expected={"b/c": "x"}) == "pass"


def test_an_output_path_that_leads_nowhere_fails():
    answer = grade("exact_match", {"output_path": "/a"}, output={}, expected="x")

    assert (answer.outcome, answer.explanation) == ("fail", "The recorded output has no value at output_path.")


def test_an_expected_path_that_leads_nowhere_is_an_error():
    answer = grade("exact_match", {"expected_path": "/a"}, output="x", expected={"b": "x"})

    assert (answer.outcome, answer.code) == ("error", Code.EXPECTED_MISSING)


def test_a_given_expected_value_wins_over_the_examples():
    parameters = {"expected": {"a": "x"}, "expected_path": "/a"}

    assert outcome("exact_match", parameters, output="x", expected={"a": "y"}) == "pass"


def test_a_given_null_is_an_expected_value():
    assert outcome("exact_match", {"compare": "json", "expected": None}, output=None, expected=1) == "pass"


def test_a_missing_expected_value_comes_before_a_missing_output():
    assert grade("exact_match", {}).code == Code.EXPECTED_MISSING


def test_a_missing_output_comes_before_nothing_else():
    answer = grade("exact_match", {"output_path": "/a"}, expected="x")

    assert (answer.outcome, answer.code) == ("unsupported", Code.OUTPUT_UNAVAILABLE)


def test_an_expected_value_of_the_wrong_type_comes_before_an_output_of_the_wrong_type():
    assert outcome("exact_match", {}, output=1, expected=2) == "error"


@pytest.mark.parametrize(
    ("parameters", "pointers"),
    [
        ({"compare": "fuzzy"}, {"/compare"}),
        ({"expected": 5}, {"/expected"}),
        ({"expected": {}, "expected_path": "/a"}, {"/expected_path"}),
        ({"expected": 5, "expected_path": "a"}, {"/expected_path"}),
        ({"expected": 5, "expected_path": 5}, {"/expected_path"}),
        ({"trim": 1, "expected": [], "case": True}, {"/trim", "/expected", "/case"}),
        ({"compare": "json", "expected": 5}, set()),
    ],
)
def test_a_version_that_could_not_score_is_refused_with_all_its_problems(parameters, pointers):
    assert refused("exact_match", parameters) == pointers
