"""Tests of the readers of other formats, against small examples in each format."""

from collections import Counter
from copy import deepcopy
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalbook.domain.case import Case
from evalbook.domain.errors import Refused
from evalbook.jsonio.reader import read_json
from evalbook.traces.formats._parts import arguments_of, document_of
from evalbook.traces.formats.catalog import formats
from evalbook.traces.wire import read_trace
from evalbook.traces.wire_schema import WireTrace

GOLDENS = Path(__file__).parent / "goldens"
EXAMPLES = [
    pytest.param(name, example["document"], example["trace"], id=f"{name}: {example['name']}")
    for name in formats()
    for example in read_json((GOLDENS / f"{name}.json").read_bytes())
]


@pytest.mark.parametrize(("name", "document", "trace"), EXAMPLES)
def test_an_example_gives_its_golden_trace(name, document, trace):
    assert formats()[name].read(document) == trace


@pytest.mark.parametrize(("name", "document", "trace"), EXAMPLES)
def test_a_golden_trace_keeps_the_contract(name, document, trace):
    assert len(read_trace(Case("case", trace=trace)).spans) == len(WireTrace.model_validate(trace).spans)


@pytest.mark.parametrize("name", formats())
@pytest.mark.parametrize("document", [None, 5, "text", {}, {"messages": {}}, {"spans": "x"}, [1], [[]]])
def test_a_document_of_another_format_is_refused(name, document):
    with pytest.raises(Refused):
        formats()[name].read(document)


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


@pytest.mark.parametrize(("name", "document", "trace"), EXAMPLES)
def test_reading_leaves_the_document_as_it_is(name, document, trace):
    before = deepcopy(document)

    formats()[name].read(document)

    assert document == before


FIELDS = {
    "anthropic_messages": ["content", "type", "id", "name", "input", "tool_use_id", "is_error", "source"],
    "langchain_messages": ["type", "data", "kwargs", "id", "tool_calls", "name", "args", "artifact", "page_content"],
    "openai_chat": ["role", "tool_calls", "id", "function", "name", "arguments", "tool_call_id", "function_call"],
    "openinference": ["span_id", "parent_id", "attributes", "status", "start_time", "openinference.span.kind", "id"],
    "otel_genai": ["attributes", "key", "value", "arrayValue", "kvlistValue", "values", "gen_ai.operation.name"],
}
START = {
    "anthropic_messages": {},
    "langchain_messages": {},
    "openai_chat": {},
    "openinference": {"span_id": "a"},
    "otel_genai": {"spanId": "a"},
}
ALONE = {"parent_span_id": None, "start_time": None}
WORDS = ["ai", "tool", "assistant", "tool_use", "tool_result", "TOOL", "RETRIEVER", "execute_tool", "a", "1", "{}", ""]


def items(name):
    """Objects with the fields of a format, holding anything."""
    fields = st.sampled_from(FIELDS[name])
    atoms = st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from(WORDS)
    inner = atoms | st.lists(atoms, max_size=2) | st.dictionaries(fields, atoms, max_size=3)
    values = inner | st.lists(st.dictionaries(fields, inner, max_size=4), max_size=2)
    return st.builds(lambda item: {**START[name], **item}, st.dictionaries(fields, values, max_size=4))


@pytest.mark.parametrize("name", formats())
@settings(max_examples=60)
@given(data=st.data())
def test_any_list_of_objects_gives_spans_of_the_contract_or_is_refused(name, data):
    document = data.draw(st.lists(items(name), max_size=3))

    try:
        trace = formats()[name].read(document)
    except Refused:
        return

    # One span at a time: ids, parents and times are the document's own and may contradict each other.
    for span in trace["spans"]:
        assert read_trace(Case("case", trace={"spans": [{**span, **ALONE}]})).spans[0].name == span["name"]
