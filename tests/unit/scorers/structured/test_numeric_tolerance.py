"""numeric_tolerance: the output number is within a tolerance of the expected number."""

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbook.domain.outcome import Code
from tests.unit.json_values import numbers
from tests.unit.scorers.grading import grade, outcome, refused
from tests.unit.scorers.hostile import SOME, Input, case_text, large_values
from tests.unit.scorers.structured.hostile_numbers import NUMBERS

EXAMPLES = [
    ({"absolute": 0.1}, {"output": 1234.56, "expected": 1234.5}, "pass"),
    ({"absolute": 0.01}, {"output": 1234.56, "expected": 1234.5}, "fail"),
    ({"relative": 0.01}, {"output": 1234.56, "expected": 1234.5}, "pass"),
    ({"absolute": 0, "relative": 0.01}, {"output": 1234.56, "expected": 1234.5}, "pass"),
    ({"absolute": 0, "output_path": "/n", "expected": 1234}, {"output": {"n": 1234.0}}, "pass"),
]
NOTES = """
Where both are given, either suffices.

- One of `absolute` and `relative` is required. 0 asks for equal numbers.
- The arithmetic is decimal and exact on the numbers as written: 1.1 is within 0.1 of 1.0, which it is not in floating
  point.
- The relative tolerance is a share of the *expected* number, so it is not symmetric. With 0 expected only the
  absolute tolerance, or equality, passes.
"""
SHOWN = [
    ({"absolute": 0.1}, {"output": 1.1, "expected": 1.0}),
    ({"relative": 0.05}, {"output": 0.001, "expected": 0}),
]


TOLERANCES: tuple[dict[str, Any], ...] = ({"absolute": 0}, {"absolute": 1e300, "relative": 1e-300}, {"relative": 1e308})


def hostile_inputs() -> Iterator[Input]:
    for tolerance in TOLERANCES:
        for output in NUMBERS:
            for expected in NUMBERS[::2]:
                both = case_text(output=output, expected=expected)
                yield Input(f"{output[:9]} by {expected[:9]}", tolerance, both)
    for title, value in large_values(SOME):
        both = case_text(output=value, expected="1")
        yield Input(title, TOLERANCES[0], both, frozenset({"fail"}))


def within(output, expected, **tolerances):
    return outcome("numeric_tolerance", tolerances, output=output, expected=expected) == "pass"


@pytest.mark.parametrize(
    ("output", "expected", "absolute"),
    [(1.1, 1.0, 0.1), (0.3, 0.1, 0.2), (-1, 1, 2), (10**30 + 1, 10**30, 1), (5, 5, 0), (1e3, 1000, 0)],
)
def test_a_difference_up_to_the_absolute_tolerance_passes(output, expected, absolute):
    assert within(output, expected, absolute=absolute)


@pytest.mark.parametrize(
    ("output", "expected", "absolute"),
    [
        (Decimal("1.1000000000000000000000001"), 1, 0.1),
        (10**30 + 2, 10**30, 1),
        (2**53 + 1, 2**53, 0),
        (0.30000000000000004, 0.3, 0),
        (-5, 5, 9),
    ],
)
def test_a_difference_beyond_the_absolute_tolerance_fails(output, expected, absolute):
    assert not within(output, expected, absolute=absolute)


@pytest.mark.parametrize(("output", "passes"), [(110, True), (90, True), (111, False), (89, False), (-100, False)])
def test_the_relative_tolerance_is_a_share_of_the_expected_number(output, passes):
    assert within(output, 100, relative=0.1) == passes


def test_the_relative_tolerance_is_not_a_share_of_the_output():
    assert within(90, 100, relative=0.1)
    assert not within(100, 90, relative=0.1)


def test_the_share_is_of_the_expected_numbers_size():
    assert within(-100, -110, relative=0.1)


def test_with_an_expected_zero_only_zero_is_within_a_relative_tolerance():
    assert within(0, 0, relative=0.001)
    assert within(Decimal("-0.0"), 0, relative=0)
    assert not within(Decimal("1E-400"), 0, relative=1_000)


def test_with_an_expected_zero_the_absolute_tolerance_still_counts():
    assert within(0.5, 0, relative=0.1, absolute=0.5)


def test_either_tolerance_suffices():
    assert within(11, 10, absolute=0, relative=0.1)
    assert within(11, 10, absolute=1, relative=0)
    assert not within(11, 10, absolute=0.5, relative=0.05)


def test_numbers_at_both_ends_of_the_bounds_are_compared_exactly():
    huge, tiny = Decimal("1E+399"), Decimal("1E-400")

    assert within(huge, 10**399, absolute=0)
    assert not within(huge, 10**399 - 1, absolute=Decimal("0.9"))
    assert within(tiny, Decimal("2E-400"), absolute=tiny)
    assert not within(huge, tiny, absolute=Decimal("9E+398"))


@given(numbers, numbers, numbers.map(abs))
def test_the_absolute_tolerance_is_symmetric(left, right, absolute):
    assert within(left, right, absolute=absolute) == within(right, left, absolute=absolute)


@given(st.integers(-99, 99), st.integers(-99, 99), st.integers(0, 99), st.integers(0, 99))
def test_the_verdict_is_that_of_exact_fractions(output, expected, absolute, relative):
    output, expected, absolute, relative = (Decimal(number) / 10 for number in (output, expected, absolute, relative))
    difference = abs(Fraction(output) - Fraction(expected))
    wanted = difference <= Fraction(absolute) or difference <= Fraction(relative) * abs(Fraction(expected))

    assert within(output, expected, absolute=absolute, relative=relative) == wanted


def test_the_explanation_names_the_tolerances_and_the_details_hold_the_difference():
    one = grade("numeric_tolerance", {"absolute": 0.5, "relative": 0}, output=10.25, expected=10)
    both = grade("numeric_tolerance", {"absolute": 0.5, "relative": 1}, output=10.25, expected=10)
    none = grade("numeric_tolerance", {"absolute": 0.1}, output=10.25, expected=10)

    assert one.explanation == "The difference is within the absolute tolerance."
    assert both.explanation == "The difference is within the absolute and the relative tolerance."
    assert none.explanation == "The difference is outside the tolerance."
    assert one.details == both.details == none.details == {"difference": "0.25"}


@pytest.mark.parametrize(
    ("output", "expected", "difference"),
    [
        (1.50, 1, "0.5"),
        (110, 100, "10"),
        (Decimal("1E-12"), 0, "0.000000000001"),
        (Decimal("1E+30"), 0, "1" + "0" * 30),
    ],
)
def test_the_difference_is_spelt_in_digits_whatever_the_literals(output, expected, difference):
    answer = grade("numeric_tolerance", {"absolute": 0}, output=output, expected=expected)

    assert answer.details == {"difference": difference}


def test_equal_numbers_need_no_details():
    answer = grade("numeric_tolerance", {"relative": 0}, output=1.0, expected=1)

    assert (answer.explanation, answer.score, answer.details) == ("The numbers are equal.", 1.0, None)


@pytest.mark.parametrize("output", ["5", "20%", True, False, None, [5], {"n": 5}])
def test_an_output_that_is_no_number_fails(output):
    answer = grade("numeric_tolerance", {"absolute": 100}, output=output, expected=5)

    assert answer.outcome == "fail"
    assert answer.explanation.endswith("not a number; nothing is converted.")


@pytest.mark.parametrize("expected", ["5", True, None, [5], {}])
def test_an_expected_value_that_is_no_number_is_an_error(expected):
    answer = grade("numeric_tolerance", {"absolute": 1}, output="5", expected=expected)

    assert (answer.outcome, answer.code) == ("error", Code.EXPECTED_WRONG_TYPE)


def test_a_missing_expected_value_comes_before_a_missing_output():
    assert grade("numeric_tolerance", {"absolute": 1}).code == Code.EXPECTED_MISSING
    assert grade("numeric_tolerance", {"absolute": 1}, expected=1).code == Code.OUTPUT_UNAVAILABLE


def test_paths_pick_a_part_of_either():
    parameters = {"absolute": 0, "output_path": "/a/1", "expected_path": "/b"}

    assert outcome("numeric_tolerance", parameters, output={"a": [0, 5]}, expected={"b": 5}) == "pass"
    assert outcome("numeric_tolerance", parameters, output={"a": [0]}, expected={"b": 5}) == "fail"
    assert outcome("numeric_tolerance", parameters, output={"a": [0, 5]}, expected={}) == "error"


@pytest.mark.parametrize(
    ("parameters", "pointers"),
    [
        ({}, {""}),
        ({"absolute": None}, {"/absolute"}),
        ({"absolute": 1, "relative": None}, {"/relative"}),
        ({"absolute": -1}, {"/absolute"}),
        ({"relative": -0.1}, {"/relative"}),
        ({"absolute": "0.1"}, {"/absolute"}),
        ({"relative": True}, {"/relative"}),
        (
            {"absolute": -1, "relative": [], "expected": "5", "delta": 1},
            {"/absolute", "/relative", "/expected", "/delta"},
        ),
        ({"absolute": 1, "expected": None}, {"/expected"}),
        ({"absolute": Decimal("1E+400"), "relative": 0, "expected": 10**399}, set()),
    ],
)
def test_a_version_that_could_not_score_is_refused_with_all_its_problems(parameters, pointers):
    assert refused("numeric_tolerance", parameters) == pointers
