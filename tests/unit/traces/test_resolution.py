"""Filling a case with what its stored trace holds (T-02, T-03, P-03, G-08)."""

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbook.domain.case import ContentRef
from evalbook.domain.outcome import Code, Outcome, errored, failed, passed, unsupported
from evalbook.traces.port import Purpose, TraceKey, TraceUnreadable
from evalbook.traces.resolution import Needs, Resolution, needs_resolution, resolve_case
from tests.fakes.traces import FORBIDDEN, NOT_KEPT, MemoryTraces, kept

KEY = TraceKey("org-1", "project-1", "trace-1")
EVERYTHING = Needs(Purpose.SCORING, frozenset({"input", "output", "expected"}), spans=True, arguments=True)
SPANS_ONLY = Needs(Purpose.SCORING, frozenset(), spans=True)
OUTPUT_ONLY = Needs(Purpose.SCORING, frozenset({"output"}))
JUDGE = Needs(Purpose.JUDGE, frozenset({"input", "output"}))

CALL = {"span_id": "s1", "kind": "tool", "name": "search"}
OUTPUT, INPUT, ARGUMENTS = ContentRef("s9", "text"), ContentRef("s8", "prompt"), ContentRef("s1", "arguments")


def case(**members):
    return {"case_id": "c1", **members}


def stored_case(**members):
    return case(trace={"trace_id": "trace-1"}, **members)


def refs(**named):
    return {name: {"span_id": ref.span_id, "field": ref.field} for name, ref in named.items()}


def traces(spans=(CALL,), contents=None, **members):
    return MemoryTraces({KEY: {"spans": list(spans), **members}}, {KEY: contents or {}})


def resolve(value, needs, component):
    return resolve_case(value, needs, component, organization_id="org-1", project_id="project-1")


@pytest.mark.parametrize(
    "value",
    [
        case(output="o"),
        case(output="o", trace={"spans": [CALL]}),
        case(output="o", trace={"trace_id": "trace-1", "spans": [{**CALL, "arguments": {}}]}),
        case(output="o", trace={"trace_id": "trace-1", "spans": [{**CALL, "kind": "llm"}]}),
        case(output="o", trace={"trace_id": "trace-1", "spans": [{**CALL, "executed": False}]}),
        case(output="o", trace={"trace_id": "", "spans": None}),
        case(output="o", trace=None, refs=None),
        case(output="o", refs=refs(output=OUTPUT)),
        case(refs={"output": 7}),
        case(refs=refs(subject=OUTPUT)),
        None,
        [],
    ],
)
def test_a_case_that_holds_all_it_can_is_left_alone(value):
    component = traces()

    assert resolve(value, EVERYTHING, component) == Resolution(value)
    assert component.asked == []


@pytest.mark.parametrize("value", [stored_case(refs=refs(output=OUTPUT)), stored_case()])
def test_what_the_version_does_not_read_is_not_fetched(value):
    needs = Needs(Purpose.SCORING, frozenset({"expected"}))

    assert not needs_resolution(value, needs)


def test_spans_of_a_stored_trace_are_fetched_for_the_runs_own_project():
    component = traces(captured={"arguments": True})

    resolution = resolve(stored_case(), SPANS_ONLY, component)

    assert resolution == Resolution(
        case(trace={"trace_id": "trace-1", "spans": [CALL], "captured": {"arguments": True}})
    )
    assert component.asked == [("spans", KEY)]


def test_arguments_are_fetched_in_one_request_together_with_the_values():
    contents = {OUTPUT: kept("answer"), ARGUMENTS: kept({"q": "x"})}
    component = traces(contents=contents)

    resolution = resolve(stored_case(refs=refs(output=OUTPUT)), EVERYTHING, component)

    assert resolution.value["output"] == "answer"
    assert resolution.value["trace"]["spans"] == [{**CALL, "arguments": {"q": "x"}}]
    assert component.asked == [("spans", KEY), ("contents", KEY, Purpose.SCORING, (OUTPUT, ARGUMENTS))]


@pytest.mark.parametrize("content", [NOT_KEPT, FORBIDDEN])
def test_arguments_that_were_not_kept_stay_absent_and_end_nothing_by_themselves(content):
    resolution = resolve(stored_case(), EVERYTHING, traces(contents={ARGUMENTS: content}))

    assert resolution == Resolution(case(trace={"trace_id": "trace-1", "spans": [CALL]}))


def test_kept_arguments_that_are_empty_are_no_missing_ones():
    value = case(trace={"trace_id": "trace-1", "spans": [{**CALL, "arguments": {}}], "captured": {"arguments": False}})

    resolution = resolve(value, EVERYTHING, traces(contents={ARGUMENTS: kept({})}))

    trace = resolution.value["trace"]
    assert (trace["spans"], trace["captured"]) == ([{**CALL, "arguments": {}}], {"arguments": True})


def test_empty_arguments_that_were_not_captured_are_absent_where_they_were_not_kept_either():
    value = case(trace={"trace_id": "trace-1", "spans": [{**CALL, "arguments": {}}], "captured": {"arguments": False}})

    resolution = resolve(value, EVERYTHING, traces())

    assert resolution.value["trace"]["spans"] == [CALL]


def test_arguments_that_the_case_brings_are_not_fetched_again():
    spans = [{**CALL, "arguments": {"q": "own"}}, {**CALL, "span_id": "s2"}]
    component = traces(contents={ContentRef("s2", "arguments"): kept({"q": "stored"})})

    resolution = resolve(case(trace={"trace_id": "trace-1", "spans": spans}), EVERYTHING, component)

    assert [span["arguments"] for span in resolution.value["trace"]["spans"]] == [{"q": "own"}, {"q": "stored"}]
    assert component.asked == [("contents", KEY, Purpose.SCORING, (ContentRef("s2", "arguments"),))]


def test_a_trace_that_either_side_calls_truncated_is_truncated():
    value = case(trace={"trace_id": "trace-1", "truncated": True})

    resolution = resolve(value, SPANS_ONLY, traces(truncated=False))

    assert resolution.value["trace"]["truncated"] is True


def test_the_case_that_was_sent_is_not_changed():
    value = stored_case(refs=refs(output=OUTPUT))
    before = copy.deepcopy(value)

    resolve(value, EVERYTHING, traces(contents={OUTPUT: kept("answer"), ARGUMENTS: kept({})}))

    assert value == before


def test_a_trace_that_the_project_does_not_have_is_unavailable():
    resolution = resolve(stored_case(), SPANS_ONLY, MemoryTraces())

    assert (resolution.ending.outcome, resolution.ending.code) == (Outcome.UNSUPPORTED, Code.TRACE_UNAVAILABLE)


def test_a_value_of_a_trace_that_the_project_does_not_have_is_unavailable():
    resolution = resolve(stored_case(refs=refs(output=OUTPUT)), OUTPUT_ONLY, MemoryTraces())

    assert resolution.ending.code is Code.CONTENT_UNAVAILABLE


def test_a_value_that_was_not_kept_is_unavailable():
    resolution = resolve(stored_case(refs=refs(output=OUTPUT)), OUTPUT_ONLY, traces())

    assert resolution.ending == unsupported(
        Code.CONTENT_UNAVAILABLE, "Held in the stored trace and not to be had: output."
    )


@pytest.mark.parametrize("needs", [OUTPUT_ONLY, JUDGE])
def test_a_value_that_the_policy_forbids_is_said_to_be_forbidden(needs):
    component = traces(contents={OUTPUT: FORBIDDEN})

    resolution = resolve(stored_case(refs=refs(output=OUTPUT)), needs, component)

    assert resolution.ending == unsupported(Code.CAPTURE_POLICY_FORBIDS, "The capture policy forbids to use: output.")


def test_a_judges_content_is_read_with_purpose_judge():
    component = traces(contents={OUTPUT: kept("o"), INPUT: kept("i")})

    resolution = resolve(stored_case(refs=refs(output=OUTPUT, input=INPUT)), JUDGE, component)

    assert (resolution.value["input"], resolution.value["output"], resolution.ending) == ("i", "o", None)
    assert component.asked == [("contents", KEY, Purpose.JUDGE, (OUTPUT, INPUT))]


def test_no_part_of_a_case_with_forbidden_content_reaches_a_judge():
    value = stored_case(refs=refs(output=OUTPUT, input=INPUT))

    resolution = resolve(value, JUDGE, traces(contents={OUTPUT: kept("o"), INPUT: FORBIDDEN}))

    assert (resolution.value, resolution.ending.code) == (value, Code.CAPTURE_POLICY_FORBIDS)


def test_a_forbidden_span_keeps_a_value_from_a_judge_that_the_case_brings_itself():
    value = stored_case(output="o", refs=refs(output=OUTPUT))

    resolution = resolve(value, JUDGE, traces(contents={OUTPUT: FORBIDDEN}))

    assert resolution.ending.code is Code.CAPTURE_POLICY_FORBIDS


SAID_NOTHING = unsupported(Code.CONTENT_UNAVAILABLE, "The capture policy does not say that a judge may see: output.")
EMAIL = {"span_id": "s1", "kind": "tool", "name": "send", "arguments": {"mail": {"text": "Dear all"}, "copies": 2}}


@pytest.mark.parametrize(
    "component",
    [None, MemoryTraces({}, {}), traces(), traces(contents={OUTPUT: NOT_KEPT}), traces(contents={INPUT: kept("o")})],
    ids=["no component", "no trace", "no answer", "not kept", "another field is kept"],
)
def test_a_judge_is_not_sent_a_copy_of_a_stored_value_without_an_explicit_kept(component):
    value = stored_case(output="o", refs=refs(output=OUTPUT))

    assert resolve(value, JUDGE, component) == Resolution(value, SAID_NOTHING)


@pytest.mark.parametrize("trace", [{}, {"trace": None}, {"trace": {"spans": []}}, {"trace": {"trace_id": ""}}])
def test_a_judge_is_not_sent_a_copy_of_a_stored_value_whose_trace_has_no_id(trace):
    value = case(output="o", refs=refs(output=OUTPUT), **trace)

    assert resolve(value, JUDGE, traces(contents={OUTPUT: kept("o")})) == Resolution(value, SAID_NOTHING)


def test_a_judge_is_sent_a_copy_of_a_stored_value_that_was_kept():
    value = stored_case(output="o", refs=refs(output=OUTPUT))

    assert resolve(value, JUDGE, traces(contents={OUTPUT: kept("o")})) == Resolution(value)


@pytest.mark.parametrize("output", ["Dear all", {"text": "Dear all"}, EMAIL["arguments"]])
@pytest.mark.parametrize("component", [None, MemoryTraces({}, {}), traces(), traces(contents={ARGUMENTS: NOT_KEPT})])
def test_a_judge_is_not_sent_what_stands_in_the_cases_spans_without_an_explicit_kept(output, component):
    value = case(output=output, trace={"trace_id": "trace-1", "spans": [EMAIL]})

    assert resolve(value, JUDGE, component) == Resolution(value, SAID_NOTHING)


@pytest.mark.parametrize("span", [EMAIL, {**EMAIL, "span_id": None}, {**EMAIL, "span_id": ""}])
def test_a_judge_is_not_sent_what_stands_in_spans_that_nobody_can_be_asked_about(span):
    value = case(output="Dear all", trace={"spans": [span]})

    assert resolve(value, JUDGE, traces(contents={ARGUMENTS: kept({})})) == Resolution(value, SAID_NOTHING)


@pytest.mark.parametrize(("message", "sent"), [("Dear all", False), ("Bye", True)])
def test_a_recorded_document_counts_by_the_spans_that_it_is_converted_to(message, sent):
    function = {"name": "send", "arguments": json.dumps({"text": message})}
    call = {"role": "assistant", "tool_calls": [{"id": "call-1", "type": "function", "function": function}]}
    said = {"role": "assistant", "content": "Dear all"}
    document = {"messages": [call, {"role": "tool", "tool_call_id": "call-1", "content": "sent"}, said]}
    value = case(output="Dear all", trace={"format": "openai-chat", "document": document})

    assert resolve(value, JUDGE, None) == Resolution(value, None if sent else SAID_NOTHING)


def test_of_a_document_that_cannot_be_converted_anything_may_stand_in_spans():
    value = case(output="Dear all", trace={"document": {"unknown": ["Dear all"]}})

    assert resolve(value, JUDGE, None) == Resolution(value, SAID_NOTHING)


def test_a_judge_is_sent_what_stands_in_spans_whose_arguments_were_kept():
    value = case(output="Dear all", trace={"trace_id": "trace-1", "spans": [EMAIL]})
    component = traces(contents={ARGUMENTS: kept(EMAIL["arguments"])})

    assert resolve(value, JUDGE, component) == Resolution(value)
    assert component.asked == [("contents", KEY, Purpose.JUDGE, (ARGUMENTS,))]


def test_one_of_several_spans_that_is_forbidden_keeps_a_value_from_a_judge():
    other = {**EMAIL, "span_id": "s2"}
    value = case(output="Dear all", trace={"trace_id": "trace-1", "spans": [EMAIL, other]})
    component = traces(contents={ARGUMENTS: kept({}), ContentRef("s2", "arguments"): FORBIDDEN})

    assert resolve(value, JUDGE, component).ending.code is Code.CAPTURE_POLICY_FORBIDS


@pytest.mark.parametrize("output", ["Dear", "", 2, None, True, {}, [], {"copies": 2}])
def test_a_judge_is_sent_what_neither_refs_nor_spans_hold(output):
    value = case(output=output, trace={"trace_id": "trace-1", "spans": [EMAIL]})

    assert resolve(value, JUDGE, None) == Resolution(value)


def test_what_the_judge_is_not_shown_is_not_asked_about():
    value = case(output="o", expected="Dear all", trace={"trace_id": "trace-1", "spans": [EMAIL]})

    assert resolve(value, JUDGE, None) == Resolution(value)


def test_a_scorer_reads_a_value_that_also_stands_in_spans():
    value = case(output="Dear all", trace={"spans": [EMAIL]})

    assert resolve(value, OUTPUT_ONLY, None) == Resolution(value)


def test_without_the_component_arguments_are_unavailable():
    resolution = resolve(stored_case(), EVERYTHING, None)

    assert (resolution.ending.outcome, resolution.ending.code) == (Outcome.UNSUPPORTED, Code.ARGUMENTS_UNAVAILABLE)


def test_without_the_component_a_version_that_reads_no_arguments_finds_no_spans():
    assert resolve(stored_case(), SPANS_ONLY, None) == Resolution(stored_case())


def test_without_the_component_a_held_value_is_unavailable():
    resolution = resolve(stored_case(refs=refs(output=OUTPUT)), OUTPUT_ONLY, None)

    assert resolution.ending.code is Code.CONTENT_UNAVAILABLE


def test_a_value_held_in_no_trace_at_all_is_unavailable():
    component = traces()

    resolution = resolve(case(refs=refs(output=OUTPUT)), OUTPUT_ONLY, component)

    assert (resolution.ending.code, component.asked) == (Code.CONTENT_UNAVAILABLE, [])


def test_a_stored_trace_that_cannot_be_read_is_invalid():
    resolution = resolve(stored_case(), SPANS_ONLY, MemoryTraces({KEY: TraceUnreadable}))

    assert (resolution.ending.outcome, resolution.ending.code) == (Outcome.ERROR, Code.TRACE_INVALID)


def test_stored_content_that_cannot_be_read_makes_the_case_invalid():
    component = MemoryTraces({}, {KEY: TraceUnreadable})

    resolution = resolve(stored_case(refs=refs(output=OUTPUT)), OUTPUT_ONLY, component)

    assert (resolution.ending.outcome, resolution.ending.code) == (Outcome.ERROR, Code.CASE_INVALID)


LOST_VALUE = unsupported(Code.CONTENT_UNAVAILABLE, "lost")
MISSING = errored(Code.EXPECTED_MISSING, "missing")
WRONG = errored(Code.EXPECTED_WRONG_TYPE, "wrong")
INVALID = errored(Code.TRACE_INVALID, "invalid")


@pytest.mark.parametrize(
    ("ending", "scored", "grade"),
    [
        (None, passed("p"), passed("p")),
        (LOST_VALUE, failed("f"), LOST_VALUE),
        (LOST_VALUE, passed("p"), LOST_VALUE),
        (LOST_VALUE, MISSING, LOST_VALUE),
        (LOST_VALUE, WRONG, WRONG),
        (INVALID, WRONG, INVALID),
    ],
)
def test_an_error_of_the_case_comes_before_what_was_not_recorded(ending, scored, grade):
    assert Resolution({}, ending).grade(scored) == grade


JSON = st.recursive(st.none() | st.booleans() | st.text(max_size=2), lambda v: st.lists(v, max_size=2), max_leaves=3)
MEMBERS = st.sampled_from(["trace_id", "spans", "captured", "truncated"])
SPANS = st.lists(
    JSON | st.dictionaries(st.sampled_from(["span_id", "kind", "arguments", "executed"]), JSON), max_size=2
)


@given(JSON | st.dictionaries(MEMBERS, JSON | SPANS), JSON | st.dictionaries(st.sampled_from(["output"]), JSON))
def test_no_case_is_too_strange_to_be_resolved(trace, named):
    resolution = resolve(case(trace=trace, refs=named), EVERYTHING, traces())

    assert resolution.value["case_id"] == "c1"
