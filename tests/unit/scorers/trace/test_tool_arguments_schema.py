"""Tests of tool_arguments_schema."""

from collections.abc import Iterator

import pytest

from tests.unit.scorers.grading import grade, outcome, refused
from tests.unit.scorers.hostile import Input, case_text
from tests.unit.scorers.hostile_traces import ERROR, broken_traces, long_trace, traces

SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
TOOLS = [{"name": "weather", "schema": SCHEMA}]


def call(name="weather", arguments=None, **fields):
    return {"kind": "tool", "name": name, **({} if arguments is None else {"arguments": arguments}), **fields}


def trace(*spans):
    return {"spans": [{"span_id": str(place), **each} for place, each in enumerate(spans)]}


GOOD, BAD = call(arguments={"city": "Oslo"}), call(arguments={"town": "Oslo"})
EXAMPLES = [
    ({"tools": TOOLS}, {"trace": trace(GOOD)}, "pass"),
    ({"tools": TOOLS}, {"trace": trace(GOOD, BAD)}, "fail"),
    ({"tools": TOOLS}, {"trace": trace()}, "inconclusive"),
    ({"tools": TOOLS}, {"trace": trace(call())}, "unsupported"),
    ({"tools": TOOLS}, {"trace": {"spans": [5]}}, "error"),
]
NOTES = """
- A tool is `{"name", "schema"}`, or a definition as model APIs take it: `{"type": "function", "function": {"name",
  "parameters"}}`, `{"type": "function", "name", "parameters"}`, `{"name", "input_schema"}` or `{"name",
  "inputSchema"}`; other members of a definition are ignored. A function without `parameters` takes none.
- Schemas are those of [`json_schema`](#json_schema), with its limits; every problem of every schema is named at once.
- A call of a tool without a schema fails, or is passed over with `unknown_tools: ignore`. A run without a call to
  check is `inconclusive`.
- The score is the share of valid calls; `details` name a call by its place among the run's tool calls.
"""


def hostile_inputs() -> Iterator[Input]:
    loose = {"type": "object", "properties": {"a": {"type": ["object", "array", "string", "number"]}}}
    unique = {"properties": {"a": {"uniqueItems": True, "items": {"not": {"const": -1}}}}}
    deep = {
        "$defs": {"d": {"properties": {"b": {"$ref": "#/$defs/d"}, "a": {"$ref": "#/$defs/d"}}}},
        "$ref": "#/$defs/d",
    }
    choice = {"anyOf": [{"properties": {"a": {"const": n}}} for n in range(50)]}
    slow = {"properties": {"a": {"pattern": "[a-z ]*="}}}
    for number, schema in enumerate((loose, unique, slow, deep, choice, {"minProperties": 5})):
        parameters = {"tools": [{"name": f"t{n}", "schema": schema} for n in range(7)]}
        for title, recorded in traces():
            yield Input(f"{title}, schema {number}", parameters, case_text(trace=recorded))
        yield Input(f"10,000 spans, schema {number}", parameters, case_text(trace=long_trace()))
    for title, recorded in broken_traces():
        yield Input(title, {"tools": [{"name": "t0", "schema": loose}]}, case_text(trace=recorded), ERROR)


FORMS = [
    {"name": "weather", "schema": SCHEMA},
    {"type": "function", "function": {"name": "weather", "description": "x", "strict": True, "parameters": SCHEMA}},
    {"type": "function", "name": "weather", "strict": True, "parameters": SCHEMA},
    {"name": "weather", "description": "x", "input_schema": SCHEMA},
    {"name": "weather", "description": "x", "inputSchema": SCHEMA},
]


@pytest.mark.parametrize("tool", FORMS)
def test_definitions_are_taken_as_model_apis_take_them(tool):
    assert outcome("tool_arguments_schema", {"tools": [tool]}, trace=trace(GOOD)) == "pass"
    assert outcome("tool_arguments_schema", {"tools": [tool]}, trace=trace(BAD)) == "fail"


def test_a_function_without_parameters_takes_none():
    tools = [{"type": "function", "function": {"name": "now"}}]

    assert outcome("tool_arguments_schema", {"tools": tools}, trace=trace(call("now", {}))) == "pass"
    assert outcome("tool_arguments_schema", {"tools": tools}, trace=trace(call("now", {"zone": "UTC"}))) == "fail"


def test_a_call_of_a_tool_without_schema_fails_unless_it_is_ignored():
    recorded = trace(GOOD, call("other", {}))

    assert outcome("tool_arguments_schema", {"tools": TOOLS}, trace=recorded) == "fail"
    assert outcome("tool_arguments_schema", {"tools": TOOLS, "unknown_tools": "ignore"}, trace=recorded) == "pass"


def test_a_run_of_ignored_calls_alone_is_undecided():
    found = grade("tool_arguments_schema", {"tools": TOOLS, "unknown_tools": "ignore"}, trace=trace(call("other", {})))

    assert (found.outcome, found.code) == ("inconclusive", "NO_CALLS")


def test_arguments_that_were_not_kept_decide_nothing():
    assert grade("tool_arguments_schema", {"tools": TOOLS}, trace=trace(BAD, call())).code == "ARGUMENTS_UNAVAILABLE"


def test_a_tool_without_schema_needs_no_arguments():
    assert outcome("tool_arguments_schema", {"tools": TOOLS}, trace=trace(GOOD, call("other"))) == "fail"


def test_the_score_is_the_share_of_valid_calls():
    assert grade("tool_arguments_schema", {"tools": TOOLS}, trace=trace(GOOD, BAD, call("other"), GOOD)).score == 0.5


def test_details_name_the_call_by_its_place_and_where_its_arguments_break_the_schema():
    found = grade(
        "tool_arguments_schema",
        {"tools": TOOLS, "unknown_tools": "ignore"},
        trace=trace(call("other"), call(arguments={})),
    )

    assert found.details == {"failures": [{"call": 1, "keyword": "required", "schema": "/required/0", "arguments": ""}]}


def test_an_explanation_names_no_tool_and_no_argument():
    explanation = grade("tool_arguments_schema", {"tools": TOOLS}, trace=trace(BAD, call("other"))).explanation

    assert not any(word in explanation for word in ("weather", "town", "Oslo", "other"))


@pytest.mark.parametrize(
    ("parameters", "pointers"),
    [
        ({}, {"/tools"}),
        ({"tools": []}, {"/tools"}),
        ({"tools": {}}, {"/tools"}),
        ({"tools": [{"name": "a"}]}, {"/tools/0"}),
        ({"tools": [5]}, {"/tools/0"}),
        ({"tools": [{"name": "", "schema": {}}]}, {"/tools/0/name"}),
        ({"tools": [{"name": "a", "schema": {}, "strict": True}]}, {"/tools/0/strict"}),
        ({"tools": [TOOLS[0], FORMS[3]]}, {"/tools/1/name"}),
        ({"tools": [{"name": "a", "schema": {"type": "text"}}]}, {"/tools/0/schema/type"}),
        ({"tools": TOOLS, "unknown_tools": "warn"}, {"/unknown_tools"}),
    ],
)
def test_tools_that_cannot_be_used_are_refused(parameters, pointers):
    assert refused("tool_arguments_schema", parameters) == pointers


def test_every_problem_of_every_schema_is_named():
    tools = [{"name": "a", "schema": {"type": "text"}}, {"name": "b", "input_schema": {"minimum": "1"}}]

    assert refused("tool_arguments_schema", {"tools": tools}) == {
        "/tools/0/schema/type",
        "/tools/1/input_schema/minimum",
    }


def test_patterns_of_schemas_are_checked_for_catastrophic_backtracking():
    tools = [{"name": "a", "schema": {"pattern": "(a+)+$"}}]

    assert refused("tool_arguments_schema", {"tools": tools}) == {"/tools/0/schema/pattern"}
