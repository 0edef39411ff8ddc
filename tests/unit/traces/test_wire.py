"""Tests of reading a wire trace, by hand and as a model."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from pydantic import ValidationError

from evalbook.domain.case import Case
from evalbook.domain.outcome import Code, EarlyOutcome, Outcome
from evalbook.jsonio.values import ABSENT
from evalbook.traces.wire import read_trace
from evalbook.traces.wire_schema import WireTrace, trace_schema


def span(**fields):
    return {"span_id": "a", "kind": "tool", "name": "t", **fields}


def trace(*spans, **fields):
    return {"spans": list(spans), **fields}


def read(raw):
    return read_trace(Case("case", trace=raw))


def only(raw_span, **fields):
    return read(trace(raw_span, **fields)).spans[0]


def ending(raw):
    with pytest.raises(EarlyOutcome) as caught:
        read(raw)
    return caught.value.grade


@pytest.mark.parametrize("raw", [ABSENT, None, {}, {"trace_id": "t"}, {"spans": None}, {"links": []}])
def test_a_case_without_spans_is_unsupported(raw):
    grade = ending(raw)

    assert (grade.outcome, grade.code) == (Outcome.UNSUPPORTED, Code.TRACE_UNAVAILABLE)


def test_an_empty_list_of_spans_is_a_recorded_trace():
    assert read(trace()).spans == ()


def test_a_truncated_trace_is_unsupported():
    grade = ending(trace(span(), truncated=True))

    assert (grade.outcome, grade.code) == (Outcome.UNSUPPORTED, Code.TRACE_TRUNCATED)


def test_a_truncated_trace_that_is_invalid_is_an_error():
    assert ending(trace(span(), span(), truncated=True)).outcome is Outcome.ERROR


def test_a_trace_with_something_unread_is_unsupported():
    grade = ending(trace(span(), incomplete=[{"pointer": "/3", "reason": "is no known kind"}]))

    assert (grade.outcome, grade.code) == (Outcome.UNSUPPORTED, Code.TRACE_TRUNCATED)


def test_a_call_that_may_have_run_leaves_the_trace_incomplete():
    grade = ending(trace(span(executed=None)))

    assert (grade.outcome, grade.code) == (Outcome.UNSUPPORTED, Code.TRACE_TRUNCATED)


def test_an_empty_list_of_what_was_not_read_says_that_all_was():
    assert read(trace(span(), incomplete=[], truncated=False)).incomplete == ()


INVALID = [
    "text",
    [],
    {"spans": {}},
    trace(truncated="no"),
    trace(captured=[]),
    trace(captured={"arguments": 1}),
    trace(trace_id=5),
    trace(5),
    trace({"kind": "tool", "name": "t"}),
    trace({"span_id": "a", "name": "t"}),
    trace({"span_id": "a", "kind": "tool"}),
    trace(span(kind="TOOL")),
    trace(span(kind=None)),
    trace(span(span_id=1)),
    trace(span(name=None)),
    trace(span(status="failed")),
    trace(span(status=None)),
    trace(span(parent_span_id=1)),
    trace(span(start_time="2026-01-01T00:00:00")),
    trace(span(start_time="yesterday")),
    trace(span(start_time=True)),
    trace(span(end_time=Decimal("1.5"))),
    trace(span(sequence="1")),
    trace(span(sequence=Decimal("0.5"))),
    trace(span(error="timeout")),
    trace(span(call_id=7)),
    trace(span(executed="false")),
    trace(span(executed="yes")),
    trace(span(arguments=None)),
    trace(span(arguments="{}")),
    trace(span(arguments=[])),
    trace(span(documents=None)),
    trace(span(documents={})),
    trace(span(documents=["d"])),
    trace(span(documents=[{"id": 1}])),
    trace(span(documents=[{"id": "d", "rank": "1"}])),
    trace(span(source_agent=1)),
    trace(incomplete={}),
    trace(incomplete=[5]),
    trace(incomplete=[{"pointer": "/1"}]),
    trace(incomplete=[{"pointer": 1, "reason": "x"}]),
    trace(span(start_time=2, end_time=1)),
    trace(span(start_time="2026-01-01T01:00:00+01:00", end_time="2025-12-31T23:59:59Z")),
    trace(span(), span()),
    trace(span(parent_span_id="a")),
    trace(span(parent_span_id="b"), span(span_id="b", parent_span_id="a")),
]
VALID = [
    {},
    trace(),
    trace(truncated=False, captured={"arguments": True, "documents": None}, links=[1], other=1),
    trace(span(unknown=object)),
    trace({"span_id": "a", "kind": "retrieval"}),
    trace(span(parent_span_id=None, start_time=None, end_time=None, sequence=None, error=None, call_id=None)),
    trace(span(start_time=0, end_time=0, status="ok", sequence=-1)),
    trace(span(start_time=Decimal("1E+3"), end_time=Decimal("1000.0"))),
    trace(span(start_time="2026-01-01t00:00:00.123456789z", end_time="2026-01-01 00:00:01-00:00")),
    trace(span(error={"type": "timeout"}, executed=False, arguments={"a": [1]})),
    trace(span(documents=[{}, {"id": None}, {"id": "d", "rank": 1, "score": Decimal("0.5")}])),
    trace(span(source_agent="a", target_agent=None, parent_span_id="elsewhere")),
]


@pytest.mark.parametrize("raw", INVALID)
def test_a_trace_against_the_contract_is_an_error(raw):
    grade = ending(raw)

    assert (grade.outcome, grade.code) == (Outcome.ERROR, Code.TRACE_INVALID)


@pytest.mark.parametrize("raw", INVALID)
def test_the_model_refuses_it_too(raw):
    with pytest.raises(ValidationError):
        WireTrace.model_validate(raw)


@pytest.mark.parametrize("raw", VALID[1:])
def test_a_trace_of_the_contract_is_read(raw):
    assert len(read(raw).spans) == len(raw["spans"])


@pytest.mark.parametrize("raw", VALID)
def test_the_model_takes_it_too(raw):
    assert len(WireTrace.model_validate(raw).spans or ()) == len(raw.get("spans", ()))


def plain(value):
    """The value with numbers as json.loads gives them, for a validator that knows no Decimal."""
    if isinstance(value, dict):
        return {name: plain(member) for name, member in value.items()}
    if isinstance(value, list):
        return [plain(member) for member in value]
    return float(value) if isinstance(value, Decimal) else value


@pytest.mark.parametrize("raw", VALID)
def test_the_published_schema_takes_it_too(raw):
    assert Draft202012Validator(trace_schema()).is_valid(plain(raw))


# What no schema can say: unique ids, circles, the order of two times, and which texts are times.
@pytest.mark.parametrize("raw", INVALID[:18] + INVALID[20:-5])
def test_the_published_schema_refuses_it_too(raw):
    assert not Draft202012Validator(trace_schema()).is_valid(plain(raw))


ATOMS = (
    st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from(["a", "b", "tool", "ok", "2026-01-01T00:00:00Z"])
)
VALUES = (
    ATOMS | st.lists(ATOMS, max_size=2) | st.dictionaries(st.sampled_from(["id", "rank", "type"]), ATOMS, max_size=2)
)
NAMES = sorted(set(WireTrace.model_fields) | set(trace_schema()["$defs"]["WireSpan"]["properties"]))
RAW_SPANS = st.builds(
    lambda base, extra: {**base, **extra},
    st.just({"span_id": "a", "kind": "tool", "name": "t"}),
    st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=3),
)


@given(
    st.builds(
        lambda spans, extra: {"spans": spans, **extra},
        st.lists(RAW_SPANS, max_size=2),
        st.dictionaries(st.sampled_from(["trace_id", "truncated", "captured"]), VALUES, max_size=1),
    )
)
def test_the_reader_and_the_model_agree(raw):
    try:
        read(raw)
    except EarlyOutcome as caught:
        invalid = caught.grade.code is Code.TRACE_INVALID
    else:
        invalid = False

    try:
        WireTrace.model_validate(raw)
    except ValidationError:
        refused = True
    else:
        refused = False

    assert invalid == refused


def test_a_message_names_the_span_and_the_field():
    assert (
        ending(trace(span(), span(span_id="b", call_id=7))).explanation == "Span 1: call_id is a number, not a string."
    )


def test_a_message_names_the_document():
    explanation = ending(trace(span(documents=[{}, {"id": 7}]))).explanation

    assert explanation == "Span 0: document 1's id is a number, not a string."


@pytest.mark.parametrize("raw", INVALID)
def test_a_message_quotes_nothing(raw):
    explanation = ending(raw).explanation

    assert not any(word in explanation for word in ("TOOL", "failed", "yesterday", "timeout", "{", "7"))


def test_times_of_both_forms_are_nanoseconds():
    read_span = only(span(start_time="1970-01-01T00:00:00.000000007Z", end_time=9))

    assert (read_span.start, read_span.end) == (7, 9)


def test_a_whole_number_with_a_fraction_part_is_whole():
    assert only(span(start_time=Decimal("7.0"))).start == 7


def test_absent_arguments_are_not_empty_ones():
    assert only(span()).arguments is ABSENT
    assert only(span(arguments={})).arguments == {}


def test_empty_arguments_that_were_not_captured_are_absent():
    assert only(span(arguments={}), captured={"arguments": False}).arguments is ABSENT


def test_arguments_that_are_there_count_whatever_was_captured():
    assert only(span(arguments={"a": 1}), captured={"arguments": False}).arguments == {"a": 1}


def test_empty_documents_that_were_not_captured_are_absent():
    assert only(span(documents=[]), captured={"documents": False}).documents is ABSENT


def test_documents_that_are_there_count_whatever_was_captured():
    assert len(only(span(documents=[{"id": "d"}]), captured={"documents": False}).documents) == 1


def test_captured_arguments_that_are_absent_stay_absent():
    assert only(span(), captured={"arguments": True}).arguments is ABSENT


def test_an_error_counts_whatever_the_status():
    assert only(span(status="ok", error={"type": "timeout"})).errored
    assert only(span(status="error")).errored
    assert not only(span(status="unset")).errored


def test_a_span_with_a_start_and_no_end_has_not_ended():
    assert not only(span(start_time=1)).ended
    assert not only(span(start_time=1, end_time=None)).ended


def test_a_span_that_says_it_has_no_end_has_not_ended():
    assert not only(span(end_time=None)).ended


def test_a_span_without_any_clock_has_ended():
    assert only(span()).ended


def test_documents_are_ordered_by_rank_and_then_as_given():
    documents = [{"id": "x"}, {"id": "c", "rank": 2}, {"id": "a", "rank": 1}, {"id": "b", "rank": Decimal("1.0")}]

    assert "".join(document.id for document in only(span(documents=documents)).documents) == "abcx"
