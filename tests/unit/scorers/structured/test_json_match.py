"""json_match: the output has enough of the expected value's leaves, and nothing that it must not have."""

import json
from collections.abc import Iterator
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbook.domain.outcome import Code
from tests.unit.json_values import values
from tests.unit.scorers.grading import grade, outcome, refused
from tests.unit.scorers.hostile import Input, array_text, case_text, large_values

TAKES_ANY_OUTPUT = True
TAKES_ANY_EXPECTED = True
EXAMPLES = [
    (
        {},
        {"output": {"city": "Oslo", "days": [1, 2], "note": "x"}, "expected": {"city": "Oslo", "days": [1, 2]}},
        "pass",
    ),
    ({}, {"output": {"city": "Oslo", "days": [2, 1]}, "expected": {"city": "Oslo", "days": [1, 2]}}, "fail"),
    ({"threshold": 0.5}, {"output": {"a": 1, "b": 0}, "expected": {"a": 1, "b": 2}}, "pass"),
    ({"additional_fields": False}, {"output": {"a": 1, "b": 0}, "expected": {"a": 1}}, "fail"),
    ({}, {"output": {"a": 1}, "expected": {}}, "error"),
    (
        {
            "lists": "any_order",
            "ignore": ["/items/*/id"],
            "tolerance": {"absolute": 0.01},
            "ignore_case": True,
            "weights": [{"path": "/items/*/price", "weight": 2}],
        },
        {
            "output": {"items": [{"id": 9, "name": "tea", "price": 2.005}, {"id": 8, "name": "MILK", "price": 1}]},
            "expected": {"items": [{"id": 1, "name": "Milk", "price": 1}, {"id": 2, "name": "Tea", "price": 2}]},
        },
        "pass",
    ),
]
NOTES = """
Leaves are texts, numbers, booleans, nulls, and empty objects and arrays. The score is the share of the expected
leaves that the output has at the same place, each by its weight. A leaf of another type is not there: nothing is
converted.

| `lists` | an array matches when | counts as missing | counts as forbidden |
| --- | --- | --- | --- |
| `ordered` | it has the expected elements in order | an expected element without one at its index | further elements |
| `any_order` | it has the expected elements, in any order | an expected element without a partner | further elements |
| `subset` | each of its elements is an expected one | | more elements than are expected |
| `superset` | every expected element is in it | an expected element without a partner | |

- Except in `ordered`, elements are paired so that the most weight matches, never one after the other; in `subset` so
  that the least lacks. A partner may match in part. In `subset`, expected elements without a partner do not count.
- Whatever is forbidden fails, however high the score: further elements as above, and with `additional_fields` `false`
  any member that is not expected, at any depth.
- An expected `{}` where additional fields are allowed, an expected `[]` in `superset`, and an `ignore` or `weights`
  that leaves no leaf decide nothing: `EXPECTED_EMPTY`.
- A leaf weighs what the deepest path of `weights` says that leads to it or above it, of two as deep the one with
  fewer `*`, and 1 without one. Weights that are all zero are refused.
- `details` hold up to 20 pointers that differ, those of missing leaves with the indexes of the expected arrays, and
  their `count`. Beyond 250,000 pairs of elements of two arrays, equal ones left out, the case is an error
  (`INPUT_TOO_LONG`).
"""


def hostile_inputs() -> Iterator[Input]:
    for lists in ("ordered", "any_order", "subset", "superset"):
        for title, value in large_values(2_000):
            for end in ("0", "1"):
                both = case_text(output=array_text([value, "0"]), expected=array_text([end, value]))
                yield Input(f"{lists}: {title}, {end}", {"lists": lists}, both)
        for title, value in large_values():
            parameters = {"lists": lists, "tolerance": {"absolute": 1, "relative": 1e-300}, "additional_fields": False}
            both = case_text(output=value, expected=value)
            yield Input(f"{lists}: {title}, near", {**parameters, "ignore": ["/*/*/0", "/1/*"]}, both)
        objects = [array_text(json.dumps({"n": n, "of": start}) for n in range(start, start + 400)) for start in (0, 7)]
        yield Input(f"{lists}: objects", {"lists": lists}, case_text(output=objects[0], expected=objects[1]))


def share(expected, output, **parameters):
    return grade("json_match", {"threshold": 1, **parameters}, output=output, expected=expected).score


@given(value=values)
def test_a_value_matches_itself_or_decides_nothing(value):
    assert outcome("json_match", {}, output=value, expected=value) in {"pass", "error"}
    assert (outcome("json_match", {}, output=value, expected=value) == "error") == (value == {})


@pytest.mark.parametrize(
    ("expected", "output", "wanted"),
    [
        ({"a": 1, "b": 2}, {"a": 1}, 0.5),
        ({"a": 1, "b": {"c": 1, "d": 2}}, {"a": 1, "b": 5}, 1 / 3),
        ({"a": {}, "b": []}, {"a": {"x": 1}, "b": []}, 1),
        ({"a": []}, {"a": {}}, 0),
        ({"a": None}, {}, 0),
        ({"a": None}, {"a": None}, 1),
        ({"a": 1}, {"a": True}, 0),
        ({"a": 1}, {"a": "1"}, 0),
        ({"a": 1}, {"a": 1.0}, 1),
        ([1, 2, 3], [1, 9, 3], 2 / 3),
        ([1, 2], [1], 0.5),
        (5, 5, 1),
        (5, [5], 0),
    ],
)
def test_the_score_is_the_share_of_the_expected_leaves(expected, output, wanted):
    assert share(expected, output) == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("lists", "verdicts"),
    [
        # for the outputs [1, 2], [2, 1], [1], [1, 2, 3], [1, 3], [1, 1], []
        ("ordered", ["pass", "fail", "fail", "fail", "fail", "fail", "fail"]),
        ("any_order", ["pass", "pass", "fail", "fail", "fail", "fail", "fail"]),
        ("subset", ["pass", "pass", "pass", "fail", "fail", "fail", "pass"]),
        ("superset", ["pass", "pass", "fail", "pass", "fail", "fail", "fail"]),
    ],
)
def test_each_way_to_compare_arrays(lists, verdicts):
    outputs = [[1, 2], [2, 1], [1], [1, 2, 3], [1, 3], [1, 1], []]

    assert [outcome("json_match", {"lists": lists}, output=output, expected=[1, 2]) for output in outputs] == verdicts


@pytest.mark.parametrize("lists", ["ordered", "any_order", "subset"])
def test_a_further_element_fails_whatever_the_threshold(lists):
    answer = grade("json_match", {"lists": lists, "threshold": 0.1}, output=[1, 2, 3], expected=[1, 2])

    assert (answer.outcome, answer.score) == ("fail", 1)
    assert answer.details == {"differing": ["/2"], "count": 1}


def test_elements_are_paired_for_the_best_sum_and_not_one_after_the_other():
    expected = [{"a": 1, "b": 1}, {"a": 1, "b": 2}]
    output = [{"a": 1, "b": 2}, {"a": 1, "b": 9}]

    assert share(expected, output, lists="any_order") == 0.75


SMALL = st.fixed_dictionaries({"a": st.integers(0, 2), "b": st.integers(0, 1)})


@given(expected=st.lists(SMALL, min_size=1, max_size=4), output=st.lists(SMALL, max_size=4))
def test_no_other_pairing_has_a_higher_share(expected, output):
    slots = [*output, *[{}] * len(expected)]
    best = max(
        sum(one[name] == other.get(name) for one, other in zip(expected, order, strict=False) for name in one)
        for order in permutations(slots, len(expected))
    )

    assert share(expected, output, lists="superset") == pytest.approx(best / (2 * len(expected)))


@given(expected=st.lists(st.integers(0, 3), min_size=1), output=st.lists(st.integers(0, 3), min_size=1))
def test_arrays_of_numbers_are_multisets_where_order_does_not_count(expected, output):
    left = list(expected)
    shared = sum(1 for one in output if one in left and left.remove(one) is None)

    assert share(expected, output, lists="superset") == pytest.approx(shared / len(expected))
    assert (outcome("json_match", {"lists": "any_order"}, output=output, expected=expected) == "pass") == (
        sorted(output) == sorted(expected)
    )
    assert (outcome("json_match", {"lists": "subset"}, output=output, expected=expected) == "pass") == (
        shared == len(output)
    )


def test_near_numbers_are_paired_optimally_too():
    parameters = {"lists": "any_order", "tolerance": {"absolute": 1}}

    assert outcome("json_match", parameters, output=[2, 3], expected=[1, 2]) == "pass"


def test_a_full_partner_is_preferred_to_a_larger_one_in_a_subset():
    expected = [{"a": 1, "b": 2, "c": 3}, {"a": 1}]

    assert outcome("json_match", {"lists": "subset"}, output=[{"a": 1, "b": 2}], expected=expected) == "pass"


def test_any_other_field_fails_where_none_is_allowed():
    parameters = {"additional_fields": False, "threshold": 0.1}

    answer = grade("json_match", parameters, output={"a": {"b": 1, "x": 1}, "y": 2}, expected={"a": {"b": 1}})

    assert (answer.outcome, answer.score) == ("fail", 1)
    assert answer.details == {"differing": ["/a/x", "/y"], "count": 2}
    assert "x" not in answer.explanation.split()


def test_what_is_ignored_counts_on_neither_side():
    parameters = {"additional_fields": False, "ignore": ["/id", "/items/*/at", "/*/0/seen"]}
    expected = {"id": 1, "items": [{"n": 1, "at": 5, "seen": 1}]}

    assert (
        outcome("json_match", parameters, output={"id": 2, "items": [{"n": 1, "seen": 2}]}, expected=expected) == "pass"
    )
    assert outcome("json_match", parameters, output={"items": [{"n": 2}]}, expected=expected) == "fail"


def test_an_ignored_index_leaves_the_others_where_they_are():
    answer = grade("json_match", {"ignore": ["/0"]}, output=[7, 1, 3], expected=[8, 1, 2])

    assert answer.details == {"differing": ["/2"], "count": 1}


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({}, {}),
        ({"ignore": ["/a"]}, {"a": 1}),
        ({"ignore": ["/a"], "additional_fields": False}, {"a": 1}),
        ({"ignore": ["/*/b"]}, {"a": {"b": 1}}),
        ({"lists": "superset"}, []),
        ({"weights": [{"path": "/a", "weight": 0}, {"path": "/b", "weight": 1}]}, {"a": 1}),
    ],
)
def test_an_expected_value_without_a_leaf_that_counts_decides_nothing(parameters, expected):
    answer = grade("json_match", parameters, output=expected, expected=expected)

    assert (answer.outcome, answer.code) == ("error", Code.EXPECTED_EMPTY)
    assert refused("json_match", {**parameters, "expected": expected}) == {"/expected"}


def test_an_expected_empty_object_decides_where_no_field_is_allowed():
    assert outcome("json_match", {"additional_fields": False}, output={}, expected={}) == "pass"
    assert outcome("json_match", {"additional_fields": False}, output={"a": 1}, expected={}) == "fail"


def test_weights_count_by_the_deepest_path():
    weights = [{"path": "/a", "weight": 3}, {"path": "/a/b", "weight": 0.5}, {"path": "/*/c", "weight": 5}]
    expected = {"a": {"b": 1, "c": 1, "d": 1}, "e": 1}

    score = share(expected, {"a": {"b": 1, "d": 1}}, weights=weights)

    assert score == pytest.approx((0.5 + 3) / (0.5 + 5 + 3 + 1))


def test_tolerance_and_text_options_hold_inside():
    parameters = {"tolerance": {"relative": 0.1}, "trim": True, "ignore_case": True}

    assert (
        outcome("json_match", parameters, output={"n": [109], "t": " OSLO"}, expected={"n": [100], "t": "Oslo"})
        == "pass"
    )
    assert (
        outcome("json_match", parameters, output={"n": [111], "t": "Oslo"}, expected={"n": [100], "t": "Oslo"})
        == "fail"
    )


def test_the_share_is_compared_exactly():
    assert outcome("json_match", {"threshold": 0.6667}, output=[1, 2, 0], expected=[1, 2, 3]) == "fail"
    assert outcome("json_match", {"threshold": 0.6666}, output=[1, 2, 0], expected=[1, 2, 3]) == "pass"


def test_details_hold_twenty_pointers_at_most():
    answer = grade("json_match", {}, output=[0] * 50, expected=[1] * 50)

    assert len(answer.details["differing"]) == 20
    assert answer.details["count"] == 50


def test_arrays_beyond_the_limit_of_pairs_are_an_error():
    expected, output = [{"a": n} for n in range(600)], [{"a": -n} for n in range(1, 601)]

    answer = grade("json_match", {"lists": "any_order"}, output=output, expected=expected)

    assert (answer.outcome, answer.code) == ("error", Code.INPUT_TOO_LONG)


def test_deep_values_in_any_order_take_no_time_that_grows_with_the_depth():
    deep = 1
    for _ in range(90):
        deep = [deep, 0]

    assert outcome("json_match", {"lists": "any_order"}, output=deep, expected=[deep[0], 1]) == "fail"


def test_one_of_several_accepted_values_is_enough_and_text_is_parsed_on_demand():
    parameters = {"accept_any": True, "parse": "json_block"}

    answer = grade("json_match", parameters, output='So: {"a": 1}', expected=[{"a": 2}, {"a": 1}])

    assert (answer.outcome, answer.details["accepted"]) == ("pass", 1)


@pytest.mark.parametrize(
    ("parameters", "pointers"),
    [
        ({"threshold": 0}, {"/threshold"}),
        ({"threshold": 1.1}, {"/threshold"}),
        ({"lists": "sorted"}, {"/lists"}),
        ({"additional_fields": "no"}, {"/additional_fields"}),
        ({"ignore": [""]}, {"/ignore/0"}),
        ({"ignore": ["a"]}, {"/ignore/0"}),
        ({"tolerance": {}}, {"/tolerance"}),
        ({"tolerance": None}, {"/tolerance"}),
        ({"tolerance": {"absolute": -1}}, {"/tolerance/absolute"}),
        ({"tolerance": {"absolute": 1, "percent": 1}}, {"/tolerance/percent"}),
        ({"weights": [{"path": "/a", "weight": 0}]}, {"/weights"}),
        ({"weights": [{"path": "/a", "weight": -1}]}, {"/weights/0/weight"}),
        ({"weights": [{"path": "/a"}]}, {"/weights/0/weight"}),
        ({"weights": [{"path": "/a", "weight": 1}, {"path": "/a", "weight": 2}]}, {"/weights/1/path"}),
        ({"accept_any": True, "expected": [1, {}]}, {"/expected/1"}),
    ],
)
def test_a_version_that_decides_nothing_or_is_not_understood_is_refused(parameters, pointers):
    assert refused("json_match", parameters) == pointers
