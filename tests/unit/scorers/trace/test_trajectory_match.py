"""Tests of trajectory_match."""

import random
from collections.abc import Iterator
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.scorers.grading import grade, outcome, refused
from tests.unit.scorers.hostile import SOME, Input, array_text, case_text
from tests.unit.scorers.hostile_traces import ERROR, broken_traces, long_trace, many_spans, traces

SEARCH = {"name": "search", "arguments": {"query": "shoes", "limit": 5}}
BUY = {"name": "buy", "arguments": {"item": "s-1"}}
LOOK = {"name": "look", "arguments": {}}


def trace(*calls, **fields):
    """A trace of tool calls, in order; `error` and others stand beside a call's name and arguments."""
    spans = [{"span_id": str(place), "kind": "tool", **call} for place, call in enumerate(calls)]
    return {"spans": spans, **fields}


EXAMPLES = [
    ({}, {"expected": [SEARCH, BUY], "trace": trace(SEARCH, LOOK, BUY)}, "pass"),
    ({}, {"expected": [BUY, SEARCH], "trace": trace(SEARCH, BUY)}, "fail"),
    ({"mode": "unordered"}, {"expected": [BUY, SEARCH], "trace": trace(SEARCH, BUY)}, "pass"),
    ({}, {"expected": [{"tool": "buy"}], "trace": trace(BUY)}, "error"),
    ({}, {"trace": trace(BUY)}, "error"),
    ({}, {"expected": [BUY], "trace": trace({"name": "buy"})}, "unsupported"),
]

NOTES = """
The expected value is the reference: a list of `{"name", "arguments"?}`, from the case or as a parameter.

- Calls are paired so that as many as possible find a partner, never greedily. The score is recall for `in_order` and
  `superset`, precision for `subset`, F1 for `exact` and `unordered`; the threshold is compared with it exactly.
- An empty reference says "no calls": any counted call fails, in every mode. With no call either, the case passes.
- A call that ended in error matches nothing and counts as an extra one, unless `count_failed` is set.
- Arguments that were not kept leave the case `unsupported` where the reference asks for them.
- `details` name calls by their place: in the reference, and among the run's tool calls.

| elsewhere | here |
| --- | --- |
| agentevals `strict`, `unordered`, `subset`, `superset` | `exact`, `unordered`, `subset`, `superset` (of calls) |
| ADK `EXACT`, `IN_ORDER`, `ANY_ORDER` | `exact`, `in_order`, `superset` |
| AgentCore `TrajectoryExactOrderMatch`, `TrajectoryInOrderMatch` | `exact`, `in_order`, with `arguments: ignore` |
| AgentCore `TrajectoryAnyOrderMatch` | `superset`, with `arguments: ignore` |
"""
SHOWN = [
    ({"only_tools": ["buy"]}, {"expected": [BUY], "trace": trace(SEARCH, BUY)}),
    ({"mode": "unordered", "arguments": "ignore"}, {"expected": [SEARCH, BUY], "trace": trace(BUY, LOOK)}),
]


def hostile_inputs() -> Iterator[Input]:
    many = array_text(f'{{"name":"t{n % 7}","arguments":{{"a":{n}}}}}' for n in range(SOME))
    for mode in ("exact", "in_order", "unordered", "superset", "subset"):
        for arguments in ("exact", "subset", "ignore"):
            parameters = {"mode": mode, "arguments": arguments, "ignore_arguments": ["/b/0/c"]}
            for title, recorded in list(traces())[::2]:
                yield Input(f"{title}, {mode}, {arguments}", parameters, case_text(trace=recorded, expected=many))
            recorded = many_spans(',"arguments":{"a":1,"b":[{"c":#}]}', SOME)
            yield Input(f"{SOME} alike, {mode}, {arguments}", parameters, case_text(trace=recorded, expected=many))
    yield Input("10,000 spans", {}, case_text(trace=long_trace(), expected=many))
    for title, recorded in broken_traces():
        yield Input(title, {}, case_text(trace=recorded, expected="[]"), ERROR)


def names(text):
    return [{"name": each} for each in text]


def matched(mode, reference, recorded, **parameters):
    return outcome(
        "trajectory_match", {"mode": mode, **parameters}, expected=names(reference), trace=trace(*names(recorded))
    )


@pytest.mark.parametrize(
    ("mode", "reference", "recorded", "verdict"),
    [
        ("exact", "ab", "ab", "pass"),
        ("exact", "ab", "ba", "fail"),
        ("exact", "ab", "abc", "fail"),
        ("exact", "abc", "ab", "fail"),
        ("in_order", "ab", "xaxbx", "pass"),
        ("in_order", "ab", "bab", "pass"),
        ("in_order", "aa", "a", "fail"),
        ("in_order", "ab", "ba", "fail"),
        ("unordered", "ab", "ba", "pass"),
        ("unordered", "ab", "bac", "fail"),
        ("unordered", "aab", "abb", "fail"),
        ("superset", "ab", "xbxa", "pass"),
        ("superset", "aa", "ab", "fail"),
        ("subset", "abc", "ca", "pass"),
        ("subset", "ab", "abx", "fail"),
        ("subset", "ab", "aa", "fail"),
        ("subset", "ab", "", "pass"),
    ],
)
def test_the_mode_says_which_calls_and_which_order(mode, reference, recorded, verdict):
    assert matched(mode, reference, recorded) == verdict


@pytest.mark.parametrize(
    ("mode", "reference", "recorded", "score"),
    [
        ("exact", "ab", "abc", 0.8),
        ("in_order", "abcd", "adx", 0.5),
        ("unordered", "ab", "ba", 1.0),
        ("superset", "ab", "bx", 0.5),
        ("subset", "ab", "axyz", 0.25),
        ("subset", "ab", "", 1.0),
    ],
)
def test_the_score_is_recall_precision_or_f1_as_the_mode_asks(mode, reference, recorded, score):
    assert (
        grade("trajectory_match", {"mode": mode}, expected=names(reference), trace=trace(*names(recorded))).score
        == score
    )


def test_a_threshold_is_compared_exactly():
    assert matched("superset", "abc", "ab", threshold=0.6667) == "fail"
    assert matched("superset", "abc", "ab", threshold=0.6666) == "pass"


@pytest.mark.parametrize("mode", ["exact", "in_order", "unordered", "superset", "subset"])
def test_an_empty_reference_says_that_nothing_may_be_called(mode):
    assert matched(mode, "", "a") == "fail"


@pytest.mark.parametrize("mode", ["exact", "in_order", "unordered", "superset", "subset"])
def test_nothing_asked_for_and_nothing_called_passes_and_says_so(mode):
    found = grade("trajectory_match", {"mode": mode}, expected=[], trace=trace())

    assert (found.outcome, found.score, found.explanation) == (
        "pass",
        1.0,
        "The reference has no calls, and no call is recorded.",
    )


def test_a_reference_that_the_chosen_tools_leave_empty_says_that_they_may_not_be_called():
    assert outcome("trajectory_match", {"only_tools": ["buy"]}, expected=[SEARCH], trace=trace(SEARCH, BUY)) == "fail"
    assert outcome("trajectory_match", {"only_tools": ["buy"]}, expected=[SEARCH], trace=trace(SEARCH)) == "pass"


def test_ignored_tools_count_on_neither_side():
    ignoring = {"mode": "exact", "ignore_tools": ["look"]}

    assert outcome("trajectory_match", ignoring, expected=[LOOK, BUY], trace=trace(LOOK, LOOK, BUY)) == "pass"


@pytest.mark.parametrize(
    ("arguments", "given", "verdict"),
    [
        ("exact", {"query": "shoes", "limit": 5.0}, "pass"),
        ("exact", {"query": "shoes"}, "fail"),
        ("exact", {"query": "shoes", "limit": True}, "fail"),
        ("exact", {"query": "shoes", "limit": 5, "page": 1}, "fail"),
        ("subset", {"query": "shoes", "limit": 5, "page": 1}, "pass"),
        ("subset", {"query": "shoes"}, "fail"),
        ("ignore", {}, "pass"),
    ],
)
@pytest.mark.parametrize("mode", ["in_order", "unordered"])
def test_arguments_are_compared_as_asked(mode, arguments, given, verdict):
    call = {"name": "search", "arguments": given}

    assert (
        outcome("trajectory_match", {"mode": mode, "arguments": arguments}, expected=[SEARCH], trace=trace(call))
        == verdict
    )


def test_a_subset_is_of_arguments_and_not_of_what_they_hold():
    wanted, given = {"name": "a", "arguments": {"x": {"y": 1}}}, {"name": "a", "arguments": {"x": {"y": 1, "z": 2}}}

    assert outcome("trajectory_match", {"arguments": "subset"}, expected=[wanted], trace=trace(given)) == "fail"


@pytest.mark.parametrize("pointer", ["/id", "/deep/id", "/list/1", "/list/1/id"])
def test_ignored_arguments_are_left_out_on_both_sides(pointer):
    one = {"id": 1, "deep": {"id": 1, "b": 2}, "list": [0, {"id": 1}, 2]}
    two = {"id": 1, "deep": {"id": 1, "b": 2}, "list": [0, {"id": 1}, 2]}
    target = two
    *path, last = pointer[1:].split("/")
    for token in path:
        target = target[int(token)] if isinstance(target, list) else target[token]
    target[int(last) if isinstance(target, list) else last] = "other"
    calls = {"expected": [{"name": "a", "arguments": one}], "trace": trace({"name": "a", "arguments": two})}

    assert outcome("trajectory_match", {}, **calls) == "fail"
    assert outcome("trajectory_match", {"ignore_arguments": [pointer]}, **calls) == "pass"


def test_a_reference_call_without_arguments_takes_any():
    assert outcome("trajectory_match", {}, expected=[{"name": "buy"}], trace=trace(BUY)) == "pass"
    assert outcome("trajectory_match", {}, expected=[{"name": "buy"}], trace=trace({"name": "buy"})) == "pass"


def test_calls_are_paired_so_that_the_most_find_a_partner():
    reference = [{"name": "a"}, {"name": "a", "arguments": {"x": 1}}]
    recorded = trace({"name": "a", "arguments": {"x": 1}}, {"name": "a", "arguments": {"x": 2}})

    for order in permutations(reference):
        assert outcome("trajectory_match", {"mode": "unordered"}, expected=list(order), trace=recorded) == "pass"


@given(st.integers(0, 10_000))
def test_an_unordered_match_does_not_depend_on_the_order_of_the_calls(seed):
    draw = random.Random(seed)
    reference = [{"name": draw.choice("ab"), "arguments": {"x": draw.randint(0, 1)}} for _ in range(4)]
    shuffled = draw.sample(reference, len(reference))
    for parameters in ({"mode": "unordered"}, {"mode": "unordered", "arguments": "subset"}):
        assert outcome("trajectory_match", parameters, expected=reference, trace=trace(*shuffled)) == "pass"


@pytest.mark.parametrize(("count_failed", "verdict"), [(False, "fail"), (True, "pass")])
def test_a_call_that_ended_in_error_is_a_call_of_the_reference_only_where_asked(count_failed, verdict):
    failed = {**BUY, "status": "error"}

    assert outcome("trajectory_match", {"count_failed": count_failed}, expected=[BUY], trace=trace(failed)) == verdict


def test_a_call_that_ended_in_error_is_an_extra_one():
    failed = {**BUY, "error": {"type": "timeout"}}

    found = grade("trajectory_match", {"mode": "unordered"}, expected=[BUY], trace=trace(failed, BUY))

    assert (found.outcome, found.details) == (
        "fail",
        {"matched": [{"reference": 0, "call": 1}], "missing": [], "extra": [0]},
    )


def test_details_name_calls_by_their_place_in_the_reference_and_in_the_run():
    found = grade(
        "trajectory_match", {"ignore_tools": ["look"]}, expected=[LOOK, SEARCH, BUY], trace=trace(LOOK, BUY, LOOK)
    )

    assert found.details == {"matched": [{"reference": 2, "call": 1}], "missing": [1], "extra": []}


@pytest.mark.parametrize(
    "reference",
    [
        {"name": "buy"},
        ["buy"],
        [{"name": 5}],
        [{"name": ""}],
        [{"arguments": {}}],
        [{"name": "buy", "arguments": None}],
        [{"name": "buy", "arguments": "{}"}],
        [{"name": "buy", "args": {}}],
        [{"name": "buy", "arguments": {}, "id": "c1"}],
    ],
)
def test_a_reference_of_another_form_is_an_error(reference):
    found = grade("trajectory_match", {}, expected=reference, trace=trace(BUY))

    assert (found.outcome, found.code) == ("error", "EXPECTED_WRONG_TYPE")


def test_a_missing_reference_is_an_error_also_where_the_trace_is_missing():
    assert grade("trajectory_match", {}).code == "EXPECTED_MISSING"


def test_a_reference_can_stand_within_the_expected_value():
    expected = {"calls": [BUY], "answer": "done"}

    assert outcome("trajectory_match", {"expected_path": "/calls"}, expected=expected, trace=trace(BUY)) == "pass"
    assert (
        grade("trajectory_match", {"expected_path": "/steps"}, expected=expected, trace=trace(BUY)).code
        == "EXPECTED_MISSING"
    )


def test_a_reference_can_be_a_parameter():
    assert outcome("trajectory_match", {"expected": [BUY]}, trace=trace(BUY)) == "pass"
    assert outcome("trajectory_match", {"expected": [BUY]}, expected=[SEARCH], trace=trace(BUY)) == "pass"


@pytest.mark.parametrize(
    ("parameters", "pointers"),
    [
        ({"mode": "strict"}, {"/mode"}),
        ({"arguments": "superset"}, {"/arguments"}),
        ({"only_tools": []}, {"/only_tools"}),
        ({"only_tools": ["a"], "ignore_tools": ["b"]}, {"/ignore_tools"}),
        ({"ignore_arguments": [""]}, {"/ignore_arguments/0"}),
        ({"ignore_arguments": ["x"]}, {"/ignore_arguments/0"}),
        ({"threshold": 0}, {"/threshold"}),
        ({"threshold": 1.01}, {"/threshold"}),
        ({"count_failed": "no"}, {"/count_failed"}),
        ({"expected": "buy"}, {"/expected"}),
        ({"expected": [{"tool": "buy"}]}, {"/expected"}),
        ({"output_path": "/x"}, {"/output_path"}),
        ({"mode": "strict", "threshold": 2}, {"/mode", "/threshold"}),
    ],
)
def test_parameters_that_cannot_be_used_are_refused_all_at_once(parameters, pointers):
    assert refused("trajectory_match", parameters) == pointers


def test_arguments_that_were_not_kept_decide_nothing_where_they_are_compared():
    lost = {"name": "buy"}

    assert grade("trajectory_match", {}, expected=[BUY], trace=trace(lost, BUY)).code == "ARGUMENTS_UNAVAILABLE"
    assert outcome("trajectory_match", {"arguments": "ignore"}, expected=[BUY], trace=trace(lost)) == "pass"
    assert outcome("trajectory_match", {}, expected=[SEARCH], trace=trace(lost, SEARCH)) == "pass"


def test_calls_that_never_ran_do_not_count():
    pending = {**LOOK, "executed": False}

    assert outcome("trajectory_match", {"mode": "exact"}, expected=[BUY], trace=trace(pending, BUY)) == "pass"


def test_an_explanation_names_no_tool_and_no_argument():
    found = grade("trajectory_match", {}, expected=[SEARCH, LOOK], trace=trace(BUY, SEARCH))

    assert not any(word in found.explanation for word in ("search", "shoes", "query", "buy", "look"))
