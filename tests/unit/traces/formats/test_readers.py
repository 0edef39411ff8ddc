"""Tests of what the readers share: arguments, ids, refusals."""

from collections import Counter

import pytest

from evalbook.domain.errors import Refused
from evalbook.traces.formats._parts import arguments_of, document_of
from evalbook.traces.formats.catalog import formats


def test_a_refusal_names_every_item_that_is_no_object():
    with pytest.raises(Refused) as caught:
        formats()["openai_chat"].read([{}, 5, "x"])

    assert [problem.pointer for problem in caught.value.problems] == ["/1", "/2"]


def test_a_span_without_an_id_is_refused():
    with pytest.raises(Refused) as caught:
        formats()["otel_genai"].read([{"span_id": "a"}, {"name": "x"}])

    assert [problem.pointer for problem in caught.value.problems] == ["/1"]


@pytest.mark.parametrize(
    ("value", "fields"),
    [
        (None, {}),
        ("", {"arguments": {}}),
        (" ", {"arguments": {}}),
        ("{}", {"arguments": {}}),
        ('{"a": 1}', {"arguments": {"a": 1}}),
        ({"a": 1}, {"arguments": {"a": 1}}),
        ('{"a": 1, "a": 2}', {"arguments_invalid": True}),
        ('{"a": NaN}', {"arguments_invalid": True}),
        ('{"a":', {"arguments_invalid": True}),
        ("null", {"arguments_invalid": True}),
        ("[1]", {"arguments_invalid": True}),
        ("\ud800", {"arguments_invalid": True}),
        ([1], {"arguments_invalid": True}),
        (5, {"arguments_invalid": True}),
    ],
)
def test_arguments_are_an_object_or_a_json_text_of_one(value, fields):
    assert arguments_of(value) == fields


def test_large_integers_in_a_json_text_stay_exact():
    assert arguments_of('{"a": 9007199254740993}')["arguments"]["a"] == 2**53 + 1


@pytest.mark.parametrize(
    ("source", "document"),
    [({"id": "d"}, {"id": "d"}), ({"id": 7}, {"id": "7"}), ({"id": True}, {}), ({}, {}), ("d", {})],
)
def test_the_id_of_a_document_is_a_text_or_written_as_one(source, document):
    assert document_of(source, "id") == document


def test_an_id_that_two_calls_share_joins_neither():
    document = [
        {"role": "assistant", "tool_calls": [{"id": "0", "function": {"name": "f", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "0"},
    ] * 2

    spans = formats()["openai_chat"].read(document)["spans"]

    assert Counter((span.get("call_id"), span["executed"]) for span in spans) == {(None, True): 2}


def test_a_call_that_failed_hands_nothing_over():
    blocks = [
        {"type": "tool_use", "id": "1", "name": "transfer_to_billing", "input": {}},
        {"type": "tool_result", "tool_use_id": "1", "is_error": True},
    ]

    spans = formats()["anthropic_messages"].read([{"role": "assistant", "content": blocks}])["spans"]

    assert [span["kind"] for span in spans] == ["tool"]


def test_an_id_that_is_given_out_again_after_an_answer_is_another_call():
    def event(part, role):
        return {"author": "a", "invocationId": "i", "actions": {}, "content": {"role": role, "parts": [part]}}

    asked = event({"functionCall": {"id": "0", "name": "f", "args": {}}}, "model")
    answered = event({"functionResponse": {"id": "0", "name": "f", "response": {}}}, "user")

    spans = formats()["adk_events"].read([asked, asked, answered, asked, answered])["spans"]

    assert [(span["name"], span["executed"]) for span in spans] == [("f", True), ("f", True)]


def test_a_tool_whose_name_begins_like_the_form_of_an_answer_is_a_call():
    part = {"part_kind": "tool-call", "tool_name": "final_result_mailer", "args": {}, "tool_call_id": "1"}

    spans = formats()["pydantic_ai_messages"].read([{"kind": "response", "parts": [part]}])["spans"]

    assert [span["name"] for span in spans] == ["final_result_mailer"]


@pytest.mark.parametrize("additional", [{}, {"refusal": None}, {"refusal": "no"}])
def test_additional_members_of_a_langchain_message_without_a_call_leave_it_whole(additional):
    message = {"type": "ai", "content": "x", "additional_kwargs": additional, "tool_calls": [], "usage_metadata": None}

    assert formats()["langchain_messages"].read([message]) == {"spans": []}


def test_a_call_that_stands_in_the_additional_members_of_a_langchain_message_alone_is_read():
    call = {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    message = {"type": "ai", "content": "", "additional_kwargs": {"tool_calls": [call]}, "tool_calls": []}

    spans = formats()["langchain_messages"].read([message])["spans"]

    assert [span["name"] for span in spans] == ["f"]
