"""Tests of traces that a case hands over as another tool recorded them."""

import pytest

from evalbook.domain.case import Case
from evalbook.domain.outcome import Code, EarlyOutcome, Outcome
from evalbook.services.scoring import catalog
from evalbook.traces.port import Purpose
from evalbook.traces.resolution import Needs, needs_resolution
from evalbook.traces.wire import read_trace
from evalbook.traces.wire_schema import WireTrace

CHAT = {
    "messages": [
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "1", "function": {"name": "buy", "arguments": "{}"}}],
        },
        {"role": "tool", "tool_call_id": "1", "content": "bought"},
    ]
}


def read(**trace):
    return read_trace(Case("case", trace=trace))


def ending(**trace):
    with pytest.raises(EarlyOutcome) as caught:
        read(**trace)
    return caught.value.grade


@pytest.mark.parametrize("named", [{}, {"format": "auto"}, {"format": "openai_chat"}, {"format": "openai-chat"}])
def test_a_document_is_read_as_its_format_or_by_its_marks(named):
    assert [span.name for span in read(document=CHAT, **named).spans] == ["buy"]


def test_a_forbidden_call_in_a_document_fails():
    prepared = catalog.find("trajectory").prepare({"forbidden_tools": ["buy"]})

    grade = prepared.score(Case("case", trace={"document": CHAT}))

    assert grade.outcome is Outcome.FAIL


def test_a_document_that_is_not_understood_whole_is_unsupported():
    unread = {"messages": [*CHAT["messages"], {"role": "oracle", "content": "x"}]}

    grade = ending(document=unread)

    assert (grade.outcome, grade.code) == (Outcome.UNSUPPORTED, Code.TRACE_TRUNCATED)
    assert "1 place" in grade.explanation


@pytest.mark.parametrize(
    ("trace", "word"),
    [
        ({"document": CHAT, "format": "anthropic_messages"}, "looks like openai_chat"),
        ({"document": CHAT, "format": "my format"}, "openai_responses"),
        ({"document": CHAT, "format": 5}, "format is a number"),
        ({"document": CHAT, "spans": []}, "send one of them"),
        ({"document": CHAT, "trace_id": 5}, "trace_id is a number"),
        ({"document": CHAT, "trace_id": "t"}, "hold one trace"),
        ({"document": None}, "no mark"),
        ({"document": [5]}, "no mark"),
        ({"document": {"secret words": 1}}, "no mark"),
    ],
)
def test_a_document_that_cannot_be_read_is_an_error_that_says_why(trace, word):
    grade = ending(**trace)

    assert (grade.outcome, grade.code) == (Outcome.ERROR, Code.TRACE_INVALID)
    assert word in grade.explanation


def test_a_refusal_quotes_nothing_of_the_document():
    assert "secret" not in ending(document={"secret words": "secret"}).explanation


def test_truncated_beside_a_document_stays():
    assert ending(document=CHAT, truncated=True).code is Code.TRACE_TRUNCATED


def test_arguments_that_were_not_captured_stay_so_beside_a_document():
    found = read(document=CHAT, captured={"arguments": False}).spans[0]

    assert not isinstance(found.arguments, dict)


def test_a_document_is_never_asked_for_at_the_traces_component():
    needs = Needs(Purpose.SCORING, frozenset(), spans=True, arguments=True)

    assert not needs_resolution({"case_id": "a", "trace": {"trace_id": "t", "document": CHAT}}, needs)


def test_the_model_takes_a_document():
    assert WireTrace.model_validate({"format": "openai_chat", "document": CHAT}).spans is None
