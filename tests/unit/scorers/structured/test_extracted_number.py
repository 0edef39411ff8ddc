"""extracted_number: the number that the output text states is within a tolerance of the expected number."""

import json
from collections.abc import Iterator

import pytest

from evalbook.domain.outcome import Code
from tests.unit.scorers.grading import grade, outcome, refused
from tests.unit.scorers.hostile import Input, case_text, long_texts
from tests.unit.scorers.structured.hostile_numbers import NUMBERS

EXAMPLES = [
    ({"take": "last", "absolute": 0}, {"output": "3 boxes of 14 make 42.", "expected": 42}, "pass"),
    ({"take": "first", "absolute": 0}, {"output": "3 boxes of 14 make 42.", "expected": 42}, "fail"),
    ({"take": "only", "absolute": 0}, {"output": "It is 41 or 42.", "expected": 42}, "fail"),
    ({"take": "only", "relative": 0.01}, {"output": "About $1,250,000.", "expected": 1250001}, "pass"),
    (
        {"take": "pattern", "pattern": "Answer: (.+)", "absolute": 0},
        {"output": "2 + 2\nAnswer: 4", "expected": 4},
        "pass",
    ),
    ({"take": "only", "absolute": 0}, {"output": "none", "expected": 0}, "fail"),
]
NOTES = """
The output is a text, and the number is taken out of it because the version says so. An output that is a number fails:
`numeric_tolerance` reads those.

- `only` fails where the text states several numbers, and says how many. `pattern` takes what the group captured in
  the first match; that must be a number and nothing else, but white space around it.
- Numbers are digits 0 to 9, grouped as `thousands` says or not at all, with a fraction after `decimal`. Groups that
  are not threes are no number, neither whole nor in parts: `1,23` and `12,34,567` are none. Nothing is guessed:
  `1.234,5` is a number where `thousands` is `.` and `decimal` is `,`, and only there.
- A sign, a sign of currency in front, an exponent (`1.5e3`), a unit (`5kg`) and a percent sign may stand beside it.
  `45%` is 45, or 0.45 with `percent` `fraction`. Digits inside a word (`H2O`, `v1.2`) are no number.
- Of a range, `3-4`, both ends are numbers and neither is negative. A fraction such as `3/4`, a date or a time are
  several.
"""


def hostile_inputs() -> Iterator[Input]:
    takes = (
        {"take": "only"},
        {"take": "last"},
        {"take": "pattern", "pattern": "([a-z 0-9]*)=", "match_timeout_ms": 2_000},
    )
    units = ("1,", "1,234,", "$", "$-", "- ", "9e", "1e9", "1 %", ".1", "a1", "1a", "\u2212\u20ac1", ",,1", "1.1.1 ")
    for number, take in enumerate(takes):
        parameters = {**take, "absolute": 1, "max_input_chars": 1_000_000}
        for title, text in (*long_texts(), *((f"{unit} again and again", unit * 20_000) for unit in units)):
            yield Input(f"{title}, {number}", parameters, case_text(output=json.dumps(text), expected="1"))
    for one in NUMBERS:
        for other in NUMBERS[::2]:
            both = case_text(output=json.dumps(f"it is {one} now"), expected=other)
            yield Input(f"{one[:9]} by {other[:9]}", {"take": "only", "absolute": 1e300, "relative": 1e-300}, both)


def number_in(output, **parameters):
    """The number that is taken from the output, as plain digits; the outcome where none is."""
    answer = grade("extracted_number", {"take": "only", "absolute": 0, **parameters}, output=output, expected=10**90)
    return (answer.details or {}).get("number")


@pytest.mark.parametrize(
    ("output", "number"),
    [
        ("42", "42"),
        ("It is 42.", "42"),
        ("(42)", "42"),
        ("**42**", "42"),
        ("\\boxed{42}", "42"),
        ("-42", "-42"),
        ("\u221242", "-42"),
        ("+42", "42"),
        ("- 42", "42"),
        ("$42", "42"),
        ("-$42", "-42"),
        ("$-42", "-42"),
        ("\u20ac 1,234.50", "1234.50"),
        ("US$5", "5"),
        ("1,234,567", "1234567"),
        ("1234567", "1234567"),
        ("1.50", "1.50"),
        (".5", "0.5"),
        ("-.5", "-0.5"),
        ("5kg", "5"),
        ("the 3rd", "3"),
        ("1.5e3", "1500"),
        ("2E-2", "0.02"),
        ("45%", "45"),
        ("007", "7"),
        ("top-5", "5"),
        ("so x=7, then", "7"),
    ],
)
def test_a_stated_number_is_found(output, number):
    assert float(number_in(output)) == float(number)


@pytest.mark.parametrize(
    "output",
    [
        "",
        "forty-two",
        "1,23",
        "12,34,567",
        "1234,567",
        "0,123",
        "1,2345",
        "1.2.3",
        "1,234,56",
        "1.234,567",
        "H2O",
        "v1.2",
        "x_7",
        "\u0661\u0662",
        "1e999",
        "9" * 401,
    ],
)
def test_what_is_not_grouped_as_declared_or_stands_in_a_word_is_no_number(output):
    answer = grade("extracted_number", {"take": "last", "absolute": 0}, output=output, expected=1)

    assert (answer.outcome, answer.explanation) == (
        "fail",
        "The output text states no number in the declared notation.",
    )


def test_the_declared_marks_are_the_ones_that_count():
    assert number_in("1.234,5", thousands=".", decimal=",") == "1234.5"
    assert number_in("3.14", thousands=".", decimal=",") is None
    assert number_in("12 345,6", thousands=" ", decimal=",") == "12345.6"


def test_a_percentage_is_a_fraction_only_where_the_version_says_so():
    assert number_in("It rose by 45 %.", percent="fraction") == "0.45"
    assert number_in("It rose by 0.45.", percent="fraction") == "0.45"


@pytest.mark.parametrize(("output", "count"), [("41 or 42", 2), ("3-4", 2), ("3/4", 2), ("2026-01-05", 3)])
def test_several_numbers_fail_under_only_with_their_count(output, count):
    answer = grade("extracted_number", {"take": "only", "absolute": 100}, output=output, expected=4)

    assert answer.outcome == "fail"
    assert answer.explanation == f"The output text states {count} numbers; exactly one is taken."


def test_a_pattern_takes_its_group_of_the_first_match():
    parameters = {"take": "pattern", "pattern": r"= *(\S*)", "absolute": 0}

    assert outcome("extracted_number", parameters, output="a = 5, b = 6", expected=5) == "fail"
    assert outcome("extracted_number", parameters, output="a = 5 , b = 6", expected=5) == "pass"
    assert outcome("extracted_number", parameters, output="a: 5", expected=5) == "fail"


def test_a_group_that_took_no_part_fails():
    assert (
        outcome("extracted_number", {"take": "pattern", "pattern": "x|(5)", "absolute": 0}, output="x", expected=5)
        == "fail"
    )


def test_numbers_are_compared_exactly():
    assert outcome("extracted_number", {"take": "only", "absolute": 0.1}, output="1.1", expected=1.0) == "pass"
    assert (
        outcome("extracted_number", {"take": "only", "absolute": 0.1}, output="1.10000000000000000001", expected=1)
        == "fail"
    )


def test_an_output_that_is_a_number_is_not_text():
    assert outcome("extracted_number", {"take": "only", "absolute": 0}, output=42, expected=42) == "fail"


def test_one_of_several_accepted_numbers_is_enough():
    answer = grade(
        "extracted_number", {"take": "last", "absolute": 0, "accept_any": True}, output="1 2", expected=[1, 2]
    )

    assert (answer.outcome, answer.details["accepted"]) == ("pass", 1)


def test_a_text_over_the_limit_is_an_error():
    parameters = {"take": "only", "absolute": 0, "max_input_chars": 3}

    assert grade("extracted_number", parameters, output="1234", expected=1).code == Code.INPUT_TOO_LONG


@pytest.mark.parametrize(
    ("parameters", "pointers"),
    [
        ({"absolute": 0}, {"/take"}),
        ({"take": "any", "absolute": 0}, {"/take"}),
        ({"take": "only"}, {""}),
        ({"take": "only", "absolute": -1}, {"/absolute"}),
        ({"take": "only", "relative": None}, {"/relative"}),
        ({"take": "pattern", "absolute": 0}, {"/pattern"}),
        ({"take": "pattern", "absolute": 0, "pattern": "[0-9]+"}, {"/pattern"}),
        ({"take": "pattern", "absolute": 0, "pattern": "(a)(b)"}, {"/pattern"}),
        ({"take": "pattern", "absolute": 0, "pattern": "(a"}, {"/pattern"}),
        ({"take": "last", "absolute": 0, "pattern": "(a)"}, {"/pattern"}),
        ({"take": "only", "absolute": 0, "thousands": "."}, {"/decimal"}),
        ({"take": "only", "absolute": 0, "thousands": ""}, {"/thousands"}),
        ({"take": "only", "absolute": 0, "decimal": "5"}, {"/decimal"}),
        ({"take": "only", "absolute": 0, "decimal": "-"}, {"/decimal"}),
        ({"take": "only", "absolute": 0, "percent": True}, {"/percent"}),
        ({"take": "only", "absolute": 0, "expected": "4"}, {"/expected"}),
    ],
)
def test_a_version_that_says_too_little_or_contradicts_itself_is_refused(parameters, pointers):
    assert refused("extracted_number", parameters) == pointers
