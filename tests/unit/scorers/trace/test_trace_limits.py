"""Tests of trace_limits."""

from collections.abc import Iterator

import pytest

from tests.unit.scorers.grading import grade, outcome, refused
from tests.unit.scorers.hostile import SOME, Input, case_text
from tests.unit.scorers.hostile_traces import ERROR, broken_traces, long_trace, traces


def span(kind="tool", name="a", **fields):
    return {"kind": kind, "name": name, **fields}


def trace(*spans, **fields):
    return {"spans": [{"span_id": str(place), **each} for place, each in enumerate(spans)], **fields}


CALL = span(arguments={"x": 1}, start_time=0, end_time=2_000_000)
EXAMPLES = [
    ({"tool_calls": {"maximum": 1}}, {"trace": trace(CALL)}, "pass"),
    ({"tool_calls": {"maximum": 1}}, {"trace": trace(CALL, CALL)}, "fail"),
    ({"llm_calls": {"maximum": 3}}, {"trace": trace(CALL, captured={"llm": False})}, "unsupported"),
    ({"duration_ms": {"maximum": 1}}, {"trace": trace(span())}, "unsupported"),
    ({"tool_calls": {"maximum": 1}}, {"trace": {"spans": [5]}}, "error"),
]


NOTES = """
- At least one limit is required; bounds that everything meets are refused.
- Calls that never ran do not count; a call that ended in error counts, and `failed_calls` counts those alone.
- A kind of span that the trace's format does not record (`captured` says so, see [traces](traces.md)) leaves the case
  `unsupported`, and so does a duration where a span's start or end is missing.
- `repeated_call_maximum` finds loops: 2 allows the same call with equal arguments twice in a row. Spans of other
  kinds in between do not end a loop.
- A call of a tool that is not allowed fails whatever else is unknown.

| elsewhere | here |
| --- | --- |
| promptfoo `latency` | `duration_ms` |
| pydantic-evals `MaxDuration`, counts with `HasMatchingSpan` | `duration_ms`, `per_tool` |
"""


def hostile_inputs() -> Iterator[Input]:
    versions = (
        {"tool_calls": {"maximum": 10}, "duration_ms": {"maximum": 5}},
        {"repeated_call_maximum": 1},
        {"per_tool": [{"name": f"t{n}", "maximum": 1} for n in range(SOME)]},
        {"allowed_tools": [f"t{n}" for n in range(SOME)]},
        {"failed_calls": {"maximum": 0}, "handoffs": {"minimum": 1}},
        {"llm_calls": {"maximum": 10**300}, "retrievals": {"maximum": 0}, "repeated_call_maximum": 10**9},
    )
    for number, limits in enumerate(versions):
        for title, recorded in traces():
            yield Input(f"{title}, limits {number}", limits, case_text(trace=recorded))
        yield Input(f"10,000 spans, limits {number}", limits, case_text(trace=long_trace()))
    for title, recorded in broken_traces():
        yield Input(title, versions[0], case_text(trace=recorded), ERROR)


@pytest.mark.parametrize(
    ("limit", "kind"),
    [("tool_calls", "tool"), ("llm_calls", "llm"), ("retrievals", "retrieval"), ("handoffs", "handoff")],
)
def test_spans_are_counted_by_kind(limit, kind):
    recorded = trace(span(kind), span(kind), span("other"))

    assert outcome("trace_limits", {limit: {"minimum": 2, "maximum": 2}}, trace=recorded) == "pass"
    assert outcome("trace_limits", {limit: {"maximum": 1}}, trace=recorded) == "fail"
    assert outcome("trace_limits", {limit: {"minimum": 3}}, trace=recorded) == "fail"


@pytest.mark.parametrize(
    ("limit", "kind"),
    [
        ("tool_calls", "tool"),
        ("failed_calls", "tool"),
        ("llm_calls", "llm"),
        ("retrievals", "retrieval"),
        ("handoffs", "handoff"),
    ],
)
def test_a_kind_that_the_format_does_not_record_decides_nothing(limit, kind):
    found = grade("trace_limits", {limit: {"maximum": 5}}, trace=trace(captured={kind: False}))

    assert (found.outcome, found.code) == ("unsupported", "SPANS_UNAVAILABLE")


def test_a_kind_that_is_not_recorded_matters_only_where_it_is_counted():
    assert outcome("trace_limits", {"tool_calls": {"maximum": 1}}, trace=trace(CALL, captured={"llm": False})) == "pass"


def test_failed_calls_are_tool_calls_that_ended_in_error():
    recorded = trace(span(status="error"), span(error={"type": "x"}), span(), span("llm", status="error"))

    assert outcome("trace_limits", {"failed_calls": {"minimum": 2, "maximum": 2}}, trace=recorded) == "pass"
    assert outcome("trace_limits", {"tool_calls": {"minimum": 3, "maximum": 3}}, trace=recorded) == "pass"


def test_calls_that_never_ran_do_not_count():
    assert outcome("trace_limits", {"tool_calls": {"maximum": 0}}, trace=trace(span(executed=False))) == "pass"


def test_each_tool_can_have_its_bounds():
    bounds = [{"name": "a", "maximum": 1}, {"name": "b", "minimum": 1}]

    assert outcome("trace_limits", {"per_tool": bounds}, trace=trace(span(), span(name="b"))) == "pass"
    assert outcome("trace_limits", {"per_tool": bounds}, trace=trace(span(), span(name="b"), span())) == "fail"
    assert outcome("trace_limits", {"per_tool": bounds}, trace=trace(span())) == "fail"


def test_a_call_of_a_tool_that_is_not_allowed_fails():
    assert outcome("trace_limits", {"allowed_tools": ["a"]}, trace=trace(span(), span())) == "pass"
    assert outcome("trace_limits", {"allowed_tools": ["a"]}, trace=trace(span(), span(name="b"))) == "fail"


def test_a_call_of_a_tool_that_is_not_allowed_fails_also_where_a_time_is_unknown():
    limits = {"allowed_tools": ["a"], "duration_ms": {"maximum": 5}}

    assert outcome("trace_limits", limits, trace=trace(span(name="b"))) == "fail"


@pytest.mark.parametrize(("maximum", "verdict"), [(2.5, "pass"), (2.499999, "fail"), (3, "pass")])
def test_the_duration_goes_from_the_first_start_to_the_last_end(maximum, verdict):
    recorded = trace(
        span(start_time=1_000_000, end_time=2_000_000),
        span("llm", start_time=500_000, end_time=3_000_000),
    )

    assert outcome("trace_limits", {"duration_ms": {"maximum": maximum}}, trace=recorded) == verdict


@pytest.mark.parametrize("spans", [[], [span()], [CALL, span(start_time=1)], [CALL, span(end_time=1)]])
def test_a_duration_with_a_missing_time_is_unknown(spans):
    found = grade("trace_limits", {"duration_ms": {"maximum": 5}}, trace=trace(*spans))

    assert (found.outcome, found.code) == ("unsupported", "TIMES_UNAVAILABLE")


@pytest.mark.parametrize(
    ("calls", "longest"),
    [
        ([("a", 1), ("a", 1), ("a", 1)], 3),
        ([("a", 1), ("a", 2), ("a", 1)], 1),
        ([("a", 1), ("b", 1), ("a", 1)], 1),
        ([("a", 1), ("a", 1.0), ("b", 1)], 2),
        ([("a", 1), ("a", True)], 1),
        ([], 0),
    ],
)
def test_a_loop_is_a_run_of_calls_with_equal_arguments(calls, longest):
    recorded = trace(*(span(name=name, arguments={"x": value}) for name, value in calls))

    for maximum in (1, 2, 3):
        verdict = "pass" if longest <= maximum else "fail"
        assert outcome("trace_limits", {"repeated_call_maximum": maximum}, trace=recorded) == verdict


def test_other_spans_between_two_calls_do_not_end_a_loop():
    recorded = trace(CALL, span("llm"), CALL)

    assert outcome("trace_limits", {"repeated_call_maximum": 1}, trace=recorded) == "fail"


def test_whether_calls_repeat_is_unknown_without_their_arguments():
    found = grade("trace_limits", {"repeated_call_maximum": 1}, trace=trace(CALL, span()))

    assert (found.outcome, found.code) == ("unsupported", "ARGUMENTS_UNAVAILABLE")


def test_arguments_are_not_needed_where_no_tool_is_called_more_often_in_a_row_than_allowed():
    assert outcome("trace_limits", {"repeated_call_maximum": 1}, trace=trace(span(), span(name="b"), span())) == "pass"


def test_every_limit_that_does_not_hold_is_named_with_what_was_found():
    limits = {"tool_calls": {"maximum": 0}, "per_tool": [{"name": "secret", "minimum": 1}]}

    explanation = grade("trace_limits", limits, trace=trace(CALL)).explanation

    assert explanation == "tool_calls is 1, above the maximum of 0. per_tool 0 is 0, below the minimum of 1."


@pytest.mark.parametrize(
    ("parameters", "pointers"),
    [
        ({}, {""}),
        ({"tool_calls": {}}, {"/tool_calls"}),
        ({"tool_calls": {"minimum": 0}}, {"/tool_calls"}),
        ({"tool_calls": {"minimum": 2, "maximum": 1}}, {"/tool_calls/maximum"}),
        ({"tool_calls": {"maximum": -1}}, {"/tool_calls/maximum"}),
        ({"tool_calls": {"maximum": 1.5}}, {"/tool_calls/maximum"}),
        ({"tool_calls": {"max": 1}}, {"/tool_calls", "/tool_calls/max"}),
        ({"duration_ms": {"maximum": "5"}}, {"/duration_ms/maximum"}),
        ({"per_tool": []}, {"/per_tool"}),
        ({"per_tool": [{"name": "a"}]}, {"/per_tool/0"}),
        ({"allowed_tools": []}, {"/allowed_tools"}),
        ({"repeated_call_maximum": 0}, {"/repeated_call_maximum"}),
        ({"unknown": 1}, {"", "/unknown"}),
    ],
)
def test_limits_that_hold_for_everything_or_cannot_be_read_are_refused(parameters, pointers):
    assert refused("trace_limits", parameters) == pointers
