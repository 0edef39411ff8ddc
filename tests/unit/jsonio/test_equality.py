"""Equality of JSON values by type, members and mathematical value."""

from decimal import Decimal

import pytest
from hypothesis import given

from evalbook.jsonio.equality import first_difference, json_equal, same_booleans
from evalbook.jsonio.pointer import resolve
from evalbook.jsonio.values import ABSENT
from tests.unit.json_values import small_values, values


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (1, Decimal("1.0")),
        (0, Decimal("-0.0")),
        (10**30, Decimal("1E+30")),
        ({"a": 1, "b": [2]}, {"b": [Decimal("2.00")], "a": 1}),
        ([[], {}, None, True, "a"], [[], {}, None, True, "a"]),
    ],
)
def test_values_of_the_same_mathematical_content_are_equal(left, right):
    assert json_equal(left, right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (1, True),
        (0, False),
        (Decimal("1.0"), True),
        ([1], [True]),
        ({"a": [{"b": 0}]}, {"a": [{"b": False}]}),
        (None, False),
        ("1", 1),
        ("", None),
        ([], {}),
        ([1, 2], [2, 1]),
        ([1], [1, 1]),
        ({"a": None}, {}),
        (2**53, 2**53 + 1),
        (Decimal("0.1"), Decimal("0.1000000000000000000000000001")),
        ("\u00e9", "e\u0301"),
    ],
)
def test_values_that_only_look_alike_differ(left, right):
    assert not json_equal(left, right)
    assert not json_equal(right, left)


@given(values)
def test_every_value_equals_itself(value):
    assert json_equal(value, value)


@given(small_values, small_values)
def test_equality_goes_both_ways(left, right):
    assert json_equal(left, right) == json_equal(right, left)


@given(small_values | values, small_values | values)
def test_equality_is_what_looking_at_each_boolean_says(left, right):
    assert json_equal(left, right) == (left == right and same_booleans(left, right))


@given(values)
def test_a_value_whose_members_stand_in_another_order_is_equal(value):
    def turned(part):
        if isinstance(part, dict):
            return {name: turned(member) for name, member in reversed(part.items())}
        return [turned(each) for each in part] if isinstance(part, list) else part

    assert json_equal(value, turned(value))


@given(small_values, small_values, small_values)
def test_values_that_equal_a_third_equal_each_other(left, middle, right):
    both = json_equal(left, middle) and json_equal(middle, right)

    assert not both or json_equal(left, right)


@given(small_values, small_values)
def test_a_difference_is_found_exactly_where_values_differ(left, right):
    assert (first_difference(left, right) is None) == json_equal(left, right)


@given(small_values, small_values)
def test_the_place_of_the_first_difference_holds_different_values(left, right):
    found = first_difference(left, right)

    if found is not None:
        tokens = tuple(map(str, found[0]))
        assert not json_equal([resolve(left, tokens)], [resolve(right, tokens)])


@pytest.mark.parametrize(
    ("left", "right", "place", "what"),
    [
        (1, "1", (), "a number where a string is expected"),
        (1, True, (), "a number where a boolean is expected"),
        (1, 2, (), "two numbers that differ"),
        ("a", "b", (), "two strings that differ"),
        (True, False, (), "two booleans that differ"),
        ({"a": 1}, {}, ("a",), "a member that is not expected"),
        ({}, {"b": 1, "a": 1}, ("a",), "an expected member is missing"),
        ({"a": [0, {"b": 1}]}, {"a": [0, {"b": 2}]}, ("a", 1, "b"), "two numbers that differ"),
        ([1, 2], [1], (1,), "2 elements where 1 are expected"),
        ([1], [1, 2], (1,), "1 elements where 2 are expected"),
        ([[1], 2], [[True], 3], (0, 0), "a number where a boolean is expected"),
    ],
)
def test_the_first_difference_says_where_and_what(left, right, place, what):
    assert first_difference(left, right) == (place, what)


def test_the_first_difference_does_not_depend_on_the_order_of_members():
    right = {"a": 1, "b": 2}

    assert first_difference({"b": 0, "a": 0}, right) == first_difference({"a": 0, "b": 0}, right)


def test_absent_is_not_null():
    assert not json_equal(ABSENT, None)
