"""Tests of tool_call_match."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbook.domain.case import Case
from evalbook.domain.errors import ParametersRefused
from evalbook.domain.outcome import Code, Outcome
from evalbook.services.scoring import catalog
from tests.unit.scorers.hostile import SOME, Input, case_text
from tests.unit.scorers.hostile_traces import ERROR, broken_traces, long_trace, traces

IMPLEMENTATION = catalog.find("tool_call_match")

CALLS = [
    {"span_id": "a", "kind": "tool", "name": "book", "start_time": 0, "end_time": 1, "call_id": "1"},
    {
        "span_id": "b",
        "parent_span_id": "a",
        "kind": "tool",
        "name": "book",
        "start_time": "2026-01-01T00:00:00.5Z",
        "call_id": "1",
        "arguments": {"city": "Oslo", "nights": 2, "room": {"beds": [1, None]}},
    },
]
RULES = [
    {"path": "/city", "rule": "matches", "value": "^Os"},
    {"path": "/city", "rule": "one_of", "value": ["Oslo", 5]},
    {"path": "/nights", "rule": "min", "value": 1},
    {"path": "/nights", "rule": "max", "value": 2.5},
    {"path": "/nights", "rule": "type", "value": ["integer", "string"]},
    {"path": "/room", "rule": "equals", "value": {"beds": [1, None]}},
    {"path": "/room/beds/0", "rule": "not_equals", "value": True},
    {"path": "/room/beds/1", "rule": "present"},
    {"path": "/room/view", "rule": "absent"},
]
EXAMPLES = [
    ({"tool": "book", "tool_params": RULES, "occurrence": "exactly_one"}, {"trace": {"spans": CALLS}}, "pass"),
    ({"tool": "book", "tool_params": RULES, "occurrence": "all"}, {"trace": {"spans": CALLS}}, "pass"),
    ({"tool": "book", "tool_params": RULES[:1]}, {"trace": {"spans": CALLS[:1]}}, "unsupported"),
    ({"tool": "cancel", "forbidden_tools": ["book"]}, {"trace": {"spans": CALLS}}, "fail"),
    ({"tool": "book"}, {"trace": {"spans": CALLS, "truncated": True}}, "unsupported"),
    ({"tool": "book"}, {"trace": {"spans": [*CALLS, CALLS[0]]}}, "error"),
]
NOTES = """
How traces are read, and what counts as a call, is on the page about [traces](traces.md#tool-calls).

`path` is a JSON Pointer into the arguments. The rules:

| rule | `value` | holds when the argument |
| --- | --- | --- |
| `equals`, `not_equals` | any JSON value | equals it (numbers by value), or is there and does not |
| `one_of` | a list of values | equals one of them |
| `matches` | a pattern | is a string in which the pattern is found |
| `min`, `max` | a number | is a number, and at least or at most that |
| `type` | one or a list of the types of `required_fields` | is of that type |
| `present`, `absent` | none | is there (`null` is), or is not |

- A missing argument satisfies `absent` only, not `not_equals`.
- Arguments that were not kept leave the case `unsupported` (`ARGUMENTS_UNAVAILABLE`). They are never taken for none.
- A call that ended in error is a call. A call that was requested and never ran (`executed: false`) is none.
- A forbidden call fails first, whatever else is missing.
- `exactly_one` counts the calls that satisfy the rules: others of the same tool may be there.

A rule may take its value from the case: `expected_path` instead of `value` is a JSON Pointer into the expected value.
A pattern cannot come from there, since patterns are checked when the version is created.

**Several calls at once**: `calls` instead of `tool` is a list of entries, each with its `tool`, its `tool_params`,
`exact_arguments` (no argument without a rule), `status` (`ok`, `error` or `any`), `minimum` (1) and `maximum`. Each
entry needs its minimum of calls of its own: calls are paired with entries so that as many as possible are served.
`maximum` counts every call that satisfies the entry; `"minimum": 0, "maximum": 0` says that there is no such call.
"""
SHOWN = [
    (
        {
            "tool": "weather",
            "tool_params": [
                {"path": "/city", "rule": "equals", "value": "Oslo"},
                {"path": "/days", "rule": "max", "value": 7},
            ],
        },
        {
            "trace": {
                "spans": [
                    {"span_id": "1", "kind": "tool", "name": "weather", "arguments": {"city": "Oslo", "days": "3"}}
                ]
            }
        },
    ),
    (
        {"tool": "weather", "tool_params": [{"path": "/city", "rule": "present"}]},
        {"trace": {"spans": [{"span_id": "1", "kind": "tool", "name": "weather"}]}},
    ),
]


RULES: tuple[dict[str, Any], ...] = (
    {},
    {"tool_params": [{"path": "/a", "rule": "not_equals", "value": {"b": [1, 1.5, "text"]}}], "occurrence": "all"},
    {"tool_params": [{"path": "/a", "rule": "one_of", "value": [{"b": [n, 1.5, "x"]} for n in range(SOME)]}]},
    {"tool_params": [{"path": "/a/b/2", "rule": "matches", "value": "[a-z ]*="}], "occurrence": "exactly_one"},
    {"tool_params": [{"path": "/a", "rule": "matches", "value": "[a-z ]*="}], "match_timeout_ms": 2_000},
    {"tool_params": [{"path": "/a" * 60 + f"/{n}", "rule": "present"} for n in range(300)]},
    {"forbidden_tools": [f"x{n}" for n in range(SOME)]},
)


def hostile_inputs() -> Iterator[Input]:
    for number, rules in enumerate(RULES):
        for title, trace in traces():
            yield Input(f"{title}, rules {number}", {"tool": "t0", **rules}, case_text(trace=trace))
    yield Input("10,000 spans", {"tool": "t0"}, case_text(trace=long_trace()))
    for title, trace in broken_traces():
        yield Input(title, {"tool": "t0"}, case_text(trace=trace), ERROR)


def call(span_id="a", name="book", **fields):
    return {"span_id": span_id, "kind": "tool", "name": name, **fields}


def grade(parameters, *spans, **trace):
    case = Case("case", trace={"spans": list(spans), **trace})
    return IMPLEMENTATION.prepare({"tool": "book", **parameters}).score(case)


def rule_holds(rule, arguments, *, path="/x", **value):
    parameters = {"tool_params": [{"path": path, "rule": rule, **value}]}
    return grade(parameters, call(arguments=arguments)).outcome is Outcome.PASS


def problems(parameters):
    with pytest.raises(ParametersRefused) as caught:
        IMPLEMENTATION.prepare(parameters)
    return {problem.pointer: problem.message for problem in caught.value.problems}


def test_a_call_of_the_tool_passes_without_rules():
    assert grade({}, call()).outcome is Outcome.PASS


def test_no_call_of_the_tool_fails():
    assert grade({}, call(name="other")).outcome is Outcome.FAIL


def test_names_are_compared_exactly():
    assert grade({}, call(name="Book")).outcome is Outcome.FAIL


def test_a_span_of_another_kind_is_no_call():
    assert grade({}, call(kind="llm"), call("b", kind="other")).outcome is Outcome.FAIL


def test_a_call_that_was_only_requested_is_no_call():
    assert grade({}, call(executed=False)).outcome is Outcome.FAIL


def test_a_call_that_ended_in_error_is_a_call():
    assert grade({}, call(status="error")).outcome is Outcome.PASS


def test_a_case_without_trace_is_unsupported():
    graded = IMPLEMENTATION.prepare({"tool": "book"}).score(Case("case"))

    assert (graded.outcome, graded.code) == (Outcome.UNSUPPORTED, Code.TRACE_UNAVAILABLE)


EQUALS_ONE = {"tool_params": [{"path": "/x", "rule": "equals", "value": 1}]}


@pytest.mark.parametrize(
    ("occurrence", "values", "outcome"),
    [
        ("any", [], Outcome.FAIL),
        ("any", [2, 1], Outcome.PASS),
        ("any", [2, 3], Outcome.FAIL),
        ("all", [], Outcome.FAIL),
        ("all", [1, 1], Outcome.PASS),
        ("all", [1, 2], Outcome.FAIL),
        ("exactly_one", [], Outcome.FAIL),
        ("exactly_one", [2, 1, 3], Outcome.PASS),
        ("exactly_one", [1, 1], Outcome.FAIL),
    ],
)
def test_occurrence_counts_the_calls_that_satisfy_the_rules(occurrence, values, outcome):
    calls = [call(str(place), arguments={"x": value}) for place, value in enumerate(values)]

    assert grade({**EQUALS_ONE, "occurrence": occurrence}, *calls).outcome is outcome


def test_every_rule_must_hold_for_the_same_call():
    rules = [{"path": "/x", "rule": "equals", "value": 1}, {"path": "/y", "rule": "equals", "value": 1}]

    graded = grade({"tool_params": rules}, call(arguments={"x": 1, "y": 2}), call("b", arguments={"x": 2, "y": 1}))

    assert graded.outcome is Outcome.FAIL


class TestRules:
    @pytest.mark.parametrize(
        ("value", "argument", "holds"),
        [
            (1, 1, True),
            (1, Decimal("1.0"), True),
            (2**53 + 1, 2**53, False),
            (True, 1, False),
            (1, True, False),
            ("5", 5, False),
            (None, None, True),
            ({"a": 1, "b": [2]}, {"b": [2], "a": 1}, True),
            ([1, 2], [2, 1], False),
        ],
    )
    def test_equals_compares_json_values(self, value, argument, holds):
        assert rule_holds("equals", {"x": argument}, value=value) is holds
        assert rule_holds("not_equals", {"x": argument}, value=value) is not holds

    @pytest.mark.parametrize("rule", ["equals", "not_equals"])
    def test_an_argument_that_is_not_there_is_neither_equal_nor_unequal(self, rule):
        assert not rule_holds(rule, {}, value=None)

    def test_a_pattern_is_searched_for(self):
        assert rule_holds("matches", {"x": "in Oslo now"}, value="Os.o")
        assert not rule_holds("matches", {"x": "in Rome"}, value="Os.o")

    def test_a_pattern_matches_text_only(self):
        assert not rule_holds("matches", {"x": 5}, value="5")

    def test_one_of_takes_any_equal_value(self):
        assert rule_holds("one_of", {"x": Decimal("2.0")}, value=["a", 2])
        assert not rule_holds("one_of", {"x": True}, value=[1])

    @pytest.mark.parametrize(
        ("rule", "argument", "holds"),
        [
            ("min", 5, True),
            ("min", Decimal("4.999"), False),
            ("max", 5, True),
            ("max", Decimal("5.001"), False),
            ("min", "9", False),
            ("min", True, False),
            ("max", None, False),
        ],
    )
    def test_bounds_include_their_value_and_need_a_number(self, rule, argument, holds):
        assert rule_holds(rule, {"x": argument}, value=5 if rule == "max" or argument is not True else 0) is holds

    def test_null_is_present(self):
        assert rule_holds("present", {"x": None})
        assert not rule_holds("absent", {"x": None})

    def test_a_missing_key_is_absent(self):
        assert rule_holds("absent", {"y": 1})
        assert not rule_holds("present", {"y": 1})

    def test_a_key_below_another_type_is_absent(self):
        assert rule_holds("absent", {"x": "text"}, path="/x/0")

    @pytest.mark.parametrize(
        ("value", "argument", "holds"),
        [
            ("string", "a", True),
            ("number", 1, True),
            ("number", True, False),
            ("integer", Decimal("1.0"), True),
            ("integer", Decimal("1.5"), False),
            ("integer", True, False),
            ("boolean", False, True),
            ("object", {}, True),
            ("array", [], True),
            ("null", None, True),
            ("any", None, True),
            (["string", "null"], None, True),
            (["string", "null"], 1, False),
        ],
    )
    def test_type_takes_the_named_types(self, value, argument, holds):
        assert rule_holds("type", {"x": argument}, value=value) is holds

    def test_type_needs_the_argument_to_be_there(self):
        assert not rule_holds("type", {}, value="any")

    def test_a_path_goes_through_objects_and_arrays(self):
        assert rule_holds("equals", {"a": [{"b/c": 1}]}, path="/a/0/b~1c", value=1)

    def test_an_empty_path_is_all_of_the_arguments(self):
        assert rule_holds("equals", {"a": 1}, path="", value={"a": 1})


class TestMissingArguments:
    def test_a_rule_on_arguments_that_were_not_kept_is_unsupported(self):
        graded = grade(EQUALS_ONE, call())

        assert (graded.outcome, graded.code) == (Outcome.UNSUPPORTED, Code.ARGUMENTS_UNAVAILABLE)

    @pytest.mark.parametrize("occurrence", ["any", "all", "exactly_one"])
    @pytest.mark.parametrize("known", [1, 2])
    def test_another_call_does_not_decide_instead(self, occurrence, known):
        graded = grade({**EQUALS_ONE, "occurrence": occurrence}, call(arguments={"x": known}), call("b"))

        assert graded.code is Code.ARGUMENTS_UNAVAILABLE

    def test_a_tool_without_rules_needs_none(self):
        assert grade({"occurrence": "exactly_one"}, call()).outcome is Outcome.PASS

    def test_a_call_by_another_name_needs_none(self):
        assert grade(EQUALS_ONE, call(arguments={"x": 1}), call("b", name="other")).outcome is Outcome.PASS

    def test_a_requested_call_needs_none(self):
        assert grade(EQUALS_ONE, call(arguments={"x": 1}), call("b", executed=False)).outcome is Outcome.PASS

    def test_a_forbidden_call_fails_before(self):
        graded = grade({**EQUALS_ONE, "forbidden_tools": ["drop"]}, call(), call("b", name="drop"))

        assert graded.outcome is Outcome.FAIL


class TestForbiddenTools:
    def test_a_forbidden_call_fails_beside_one_that_satisfies(self):
        assert grade({"forbidden_tools": ["drop"]}, call(), call("b", name="drop")).outcome is Outcome.FAIL

    def test_a_forbidden_call_that_ended_in_error_was_made(self):
        assert grade({"forbidden_tools": ["drop"]}, call(), call("b", "drop", status="error")).outcome is Outcome.FAIL

    def test_a_forbidden_call_that_was_only_requested_was_not_made(self):
        assert grade({"forbidden_tools": ["drop"]}, call(), call("b", "drop", executed=False)).outcome is Outcome.PASS


class TestRecordsOfOneCall:
    def test_records_with_one_id_and_name_are_one_call(self):
        graded = grade({"occurrence": "exactly_one"}, call(call_id="1"), call("b", call_id="1"))

        assert graded.outcome is Outcome.PASS

    def test_the_same_id_under_another_name_is_another_call(self):
        graded = grade({"forbidden_tools": ["drop"]}, call(call_id="1"), call("b", "drop", call_id="1"))

        assert graded.outcome is Outcome.FAIL

    def test_calls_without_ids_are_each_their_own(self):
        assert grade({"occurrence": "exactly_one"}, call(), call("b")).outcome is Outcome.FAIL

    def test_the_record_that_kept_the_arguments_counts(self):
        graded = grade(EQUALS_ONE, call(call_id="1"), call("b", call_id="1", arguments={"x": 1}))

        assert graded.outcome is Outcome.PASS

    def test_a_record_with_arguments_counts_before_an_empty_one(self):
        rules = {"tool_params": [{"path": "/x", "rule": "absent"}]}

        graded = grade(rules, call(call_id="1", arguments={}), call("b", call_id="1", arguments={"x": 1}))

        assert graded.outcome is Outcome.FAIL


class TestPatternLimits:
    def test_a_stopped_match_is_a_timeout(self):
        rules = [{"path": "/x", "rule": "matches", "value": "x+$"}]

        graded = grade({"tool_params": rules, "match_timeout_ms": 1}, call(arguments={"x": "x" * 30_000 + "!"}))

        assert (graded.outcome, graded.code) == (Outcome.TIMEOUT, Code.MATCH_TIME_LIMIT)

    def test_an_argument_that_is_too_long_is_an_error(self):
        rules = [{"path": "/x", "rule": "matches", "value": "a"}]

        graded = grade({"tool_params": rules, "max_input_chars": 3}, call(arguments={"x": "aaaa"}))

        assert (graded.outcome, graded.code) == (Outcome.ERROR, Code.INPUT_TOO_LONG)


@pytest.mark.parametrize(
    ("rule", "pointer"),
    [
        ({"path": "/x", "rule": "greater", "value": 1}, "/tool_params/0/rule"),
        ({"path": "x", "rule": "present"}, "/tool_params/0/path"),
        ({"path": "/x", "rule": "equals"}, "/tool_params/0/value"),
        ({"path": "/x", "rule": "present", "value": True}, "/tool_params/0/value"),
        ({"path": "/x", "rule": "absent", "value": None}, "/tool_params/0/value"),
        ({"path": "/x", "rule": "matches", "value": 5}, "/tool_params/0/value"),
        ({"path": "/x", "rule": "matches", "value": ""}, "/tool_params/0/value"),
        ({"path": "/x", "rule": "matches", "value": "("}, "/tool_params/0/value"),
        ({"path": "/x", "rule": "min", "value": "5"}, "/tool_params/0/value"),
        ({"path": "/x", "rule": "max", "value": True}, "/tool_params/0/value"),
        ({"path": "/x", "rule": "one_of", "value": []}, "/tool_params/0/value"),
        ({"path": "/x", "rule": "one_of", "value": "a"}, "/tool_params/0/value"),
        ({"path": "/x", "rule": "type", "value": "float"}, "/tool_params/0/value"),
        ({"path": "/x", "rule": "type", "value": []}, "/tool_params/0/value"),
        ({"path": "/x", "rule": "type", "value": [{}]}, "/tool_params/0/value"),
        ({"rule": "present"}, "/tool_params/0/path"),
        ({"path": "/x"}, "/tool_params/0/rule"),
        ({"path": "/x", "rule": "present", "valeu": 1}, "/tool_params/0/valeu"),
    ],
)
def test_a_rule_that_cannot_be_applied_is_refused(rule, pointer):
    assert pointer in problems({"tool": "book", "tool_params": [rule]})


@pytest.mark.parametrize(
    ("parameters", "pointer"),
    [
        ({}, "/tool"),
        ({"tool": ""}, "/tool"),
        ({"tool": "book", "occurrence": "never"}, "/occurrence"),
        ({"tool": "book", "forbidden_tools": ["drop", "book"]}, "/forbidden_tools/1"),
        ({"tool": "book", "match_timeout_ms": 0}, "/match_timeout_ms"),
        ({"tool": "book", "match_timeout_ms": 2_001}, "/match_timeout_ms"),
        ({"tool": "book", "tool_params": "x"}, "/tool_params"),
        ({"tool": "book", "tools": []}, "/tools"),
    ],
)
def test_parameters_against_the_contract_are_refused(parameters, pointer):
    assert pointer in problems(parameters)


def test_an_explanation_names_rules_by_their_index_and_nothing_else():
    rules = [{"path": "/secret", "rule": "present"}, {"path": "/secret", "rule": "equals", "value": "swordfish"}]

    graded = grade({"tool_params": rules}, call(arguments={"secret": "hunter2"}), call("b", arguments={}))

    assert graded.explanation == (
        "0 of 2 calls of the tool satisfy every rule; needed is one or more. Broken first: rule 0, 1."
    )


NUMBERS = st.integers(-9, 9) | st.decimals(-9, 9)
KEYS = st.sampled_from(["a", "spans", "kind", "x"])
ATOMS = st.none() | st.booleans() | NUMBERS | KEYS
JSON = st.recursive(
    ATOMS, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(KEYS, inner, max_size=2), max_leaves=5
)
EVERY_RULE = [
    {"path": "/a", "rule": "equals", "value": 1},
    {"path": "/a", "rule": "not_equals", "value": 2},
    {"path": "/a", "rule": "one_of", "value": [1, "x"]},
    {"path": "/a", "rule": "type", "value": ["integer", "string"]},
    {"path": "/a", "rule": "min", "value": 0},
    {"path": "/a", "rule": "max", "value": 9},
    {"path": "/a/0", "rule": "absent"},
    {"path": "", "rule": "present"},
]


@given(JSON)
def test_no_trace_makes_it_raise(raw):
    prepared = IMPLEMENTATION.prepare({"tool": "book", "tool_params": EVERY_RULE})

    assert prepared.score(Case("case", trace=raw)).outcome is not Outcome.PASS


@given(st.lists(JSON, max_size=3), st.sampled_from(["any", "all", "exactly_one"]))
def test_no_argument_makes_it_raise(values, occurrence):
    calls = [call(str(place), arguments={"a": value}) for place, value in enumerate(values)]

    graded = grade({"tool_params": EVERY_RULE, "occurrence": occurrence}, *calls)

    assert graded.outcome in {Outcome.PASS, Outcome.FAIL}


@given(st.dictionaries(st.sampled_from("abc"), JSON, max_size=3))
def test_the_order_of_keys_does_not_matter(arguments):
    reversed_arguments = dict(reversed(arguments.items()))

    assert grade({"tool_params": EVERY_RULE}, call(arguments=arguments)) == grade(
        {"tool_params": EVERY_RULE}, dict(reversed(call(arguments=reversed_arguments).items()))
    )
