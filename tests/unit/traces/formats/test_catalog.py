"""Tests of telling formats by their marks, and of refusing."""

import pytest

from evalbook.domain.errors import Refused
from evalbook.traces.formats.catalog import detect, formats, read_document

CALL = {"role": "assistant", "content": None, "tool_calls": [{"id": "1", "function": {"name": "f", "arguments": "{}"}}]}
LANGCHAIN = {"type": "ai", "content": "", "tool_calls": [{"name": "g", "args": {}, "id": "2", "type": "tool_call"}]}


def refusal(document, name="auto", trace_id=None):
    with pytest.raises(Refused) as caught:
        read_document(document, name, trace_id)
    return str(caught.value)


@pytest.mark.parametrize("name", formats())
def test_a_format_is_found_under_the_name_of_its_module(name):
    assert formats()[name].name == name


@pytest.mark.parametrize("document", [None, 5, "text", [], {}, [{}], [[]], {"a": 1}, {"steps": [{"action": "f"}]}])
def test_what_has_no_mark_is_of_no_format(document):
    assert not detect(document)
    assert "no mark of any format" in refusal(document)


def test_a_refusal_names_the_format_that_a_document_looks_like():
    assert "looks like openai_chat (call with function)" in refusal([CALL], "gemini_contents")


def test_a_refusal_of_an_unknown_name_lists_the_names():
    assert "bedrock_converse" in refusal([CALL], "bedrock")


def test_dashes_stand_for_underscores():
    assert read_document([CALL], "openai-chat") == read_document([CALL], "openai_chat")


def test_a_conversation_without_a_call_is_an_empty_trace():
    messages = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]

    assert read_document(messages) == {"spans": []}


def test_a_weak_mark_counts_for_nothing_beside_a_strong_one():
    assert "anthropic_messages" not in detect([{"role": "user", "content": "hi"}, CALL])


def test_a_trace_is_asked_for_by_its_id_only_where_documents_hold_several():
    assert "leave the trace's id out" in refusal([CALL], trace_id="t")


def test_items_of_another_format_never_vanish():
    trace = read_document([CALL, {"role": "tool", "tool_call_id": "1", "content": "x"}, LANGCHAIN])

    assert {span["name"] for span in trace["spans"]} == {"f", "g"} or trace["incomplete"]
