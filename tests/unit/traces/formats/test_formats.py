"""Tests of all formats alike, found as the catalog finds them: their golden documents, whole and damaged.

The one property behind them: a document gives all calls that it records, or is refused, or says that it is incomplete.
"""

import json
from copy import deepcopy
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalbook.domain.case import Case
from evalbook.domain.errors import Refused
from evalbook.domain.outcome import EarlyOutcome, Outcome
from evalbook.jsonio.reader import read_json
from evalbook.traces.formats.catalog import AUTO, detect, formats, read_document
from evalbook.traces.wire import read_trace
from evalbook.traces.wire_schema import WireTrace

GOLDENS = Path(__file__).parent / "goldens"
GOLDEN = [
    (name, example["name"], example["document"], example["trace"])
    for name in formats()
    for example in read_json((GOLDENS / f"{name}.json").read_bytes())
]
EXAMPLES = [pytest.param(name, document, trace, id=f"{name}: {title}") for name, title, document, trace in GOLDEN]
WHOLE = [
    pytest.param(name, document, trace, id=f"{name}: {title}")
    for name, title, document, trace in GOLDEN
    if not trace.get("incomplete")
]
NAMES = [AUTO, *formats()]
ARGUMENTS = {"arguments", "input", "args", "tool_args", "tool_kwargs", "kwargs", "parameters", "requestBody"}


def attempt(document, name=AUTO):
    """The trace of a document, None where it is refused or says itself that it is incomplete."""
    try:
        trace = read_document(document, name)
    except Refused:
        return None
    return None if trace.get("incomplete") else trace


def executed(trace):
    """The calls that ran, by name, in no order."""
    return sorted(span["name"] for span in trace["spans"] if span["kind"] == "tool" and span.get("executed", True))


def named(trace):
    return {span["name"] for span in trace["spans"] if span["kind"] == "tool"}


@pytest.mark.parametrize(("name", "document", "trace"), EXAMPLES)
def test_an_example_gives_its_golden_trace(name, document, trace):
    assert formats()[name].read(document) == trace


@pytest.mark.parametrize(("name", "document", "trace"), EXAMPLES)
def test_a_golden_document_shows_the_marks_of_its_format(name, document, trace):
    assert name in detect(document)


@pytest.mark.parametrize(("name", "document", "trace"), EXAMPLES)
def test_a_golden_trace_keeps_the_contract(name, document, trace):
    spans = WireTrace.model_validate(trace).spans

    if trace.get("incomplete"):
        with pytest.raises(EarlyOutcome) as ended:
            read_trace(Case("case", trace=trace))
        assert ended.value.grade.outcome is Outcome.UNSUPPORTED
    else:
        assert len(read_trace(Case("case", trace=trace)).spans) == len(spans)


@pytest.mark.parametrize(("name", "document", "trace"), EXAMPLES)
def test_reading_leaves_the_document_as_it_is(name, document, trace):
    before = deepcopy(document)

    formats()[name].read(document)

    assert document == before


@pytest.mark.parametrize("name", formats())
@pytest.mark.parametrize("document", [None, 5, "text", {}, {"messages": {}}, {"spans": "x"}, [1], [[]]])
def test_a_document_of_no_format_is_refused(name, document):
    with pytest.raises(Refused):
        formats()[name].read(document)


@pytest.mark.parametrize("name", formats())
def test_an_empty_list_is_no_recorded_trace(name):
    with pytest.raises(Refused):
        read_document([], name)


def test_an_empty_conversation_in_its_container_is_a_recorded_trace():
    assert read_document({"messages": []}, "openai_chat") == {"spans": []}


@pytest.mark.parametrize("name", formats())
def test_a_format_says_what_it_is_for_the_table(name):
    declared = formats()[name]

    assert all([declared.title, declared.tools, declared.reads, declared.marks])


@pytest.mark.parametrize("reader", NAMES)
@pytest.mark.parametrize(("name", "document", "trace"), WHOLE)
def test_no_reader_loses_a_call_of_another_format(name, document, trace, reader):
    found = attempt(document, reader)

    assert found is None or executed(found) == executed(trace)


def places_of_keys(value, path=()):
    """Every key of a document that is no member of a call's own arguments, with the path to its object."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in members:
        if isinstance(value, dict):
            yield path, key
        if key not in ARGUMENTS:
            yield from places_of_keys(member, (*path, key))


def with_other_key(document, path, key, new):
    document = deepcopy(document)
    holder = document
    for step in path:
        holder = holder[step]
    members = {new if name == key else name: member for name, member in holder.items()}
    holder.clear()
    holder.update(members)
    return document


@pytest.mark.parametrize("reader", [AUTO, "its own"])
@pytest.mark.parametrize(("name", "document", "trace"), WHOLE)
def test_a_key_of_another_name_never_hides_a_call(name, document, trace, reader):
    lost = []
    for path, key in places_of_keys(document):
        for new in (f"{key}_2", "zz"):
            found = attempt(with_other_key(document, path, key, new), AUTO if reader == AUTO else name)
            if found is not None and not set(executed(trace)) <= set(executed(found)):
                lost.append((path, key, new))

    assert lost == []


def list_of(document):
    """The list of a document's items and the way back from such a list to a document."""
    if isinstance(document, list):
        return document, lambda items: items
    if not isinstance(document, dict):
        return None
    for name, member in document.items():
        if isinstance(member, list) and len(member) > 1:
            return member, lambda items, name=name: {**document, name: items}
    return None


def said_in(items, trace):
    """The tools of a trace's calls that *items* still name as a whole text."""
    texts = json.dumps(items, default=str)
    return {name for name in named(trace) if f'"{name}"' in texts}


@pytest.mark.parametrize(("name", "document", "trace"), WHOLE)
@settings(max_examples=40)
@given(data=st.data())
def test_a_shuffled_or_cut_document_keeps_the_calls_that_it_names(name, document, trace, data):
    found = list_of(document)
    if found is None:
        return
    items, rebuild = found
    kept = data.draw(st.permutations(items))[: data.draw(st.integers(1, len(items)))]

    read = attempt(rebuild(kept))

    assert read is None or said_in(kept, trace) - answered_only(kept) <= named(read)


def answered_only(items):
    """Names that are no tools of calls: of agents, and of the form of an answer."""
    return {"final_result", "final_answer"}


WRAPPERS = {
    "under data": lambda document: {"data": document},
    "under messages": lambda document: {"messages": document},
    "in a list": lambda document: [document],
    "in an object in a list": lambda document: [{"x": document}],
}


@pytest.mark.parametrize(("name", "document", "trace"), WHOLE)
@pytest.mark.parametrize("way", WRAPPERS)
def test_a_document_in_another_keeps_its_calls(name, document, trace, way):
    found = attempt(WRAPPERS[way](document))

    assert found is None or executed(found) == executed(trace)


@pytest.mark.parametrize(("name", "document", "trace"), WHOLE)
@settings(max_examples=40)
@given(other=st.sampled_from([example.values for example in WHOLE]), first=st.booleans())
def test_two_formats_in_one_list_keep_the_calls_of_both(name, document, trace, other, first):
    ours, theirs = list_of(document), list_of(other[1])
    if ours is None or theirs is None:
        return
    items = [*ours[0], *theirs[0]] if first else [*theirs[0], *ours[0]]
    expected = set(executed(trace)) | set(executed(other[2]))

    for found in (attempt(items), attempt(items, name)):
        assert found is None or expected <= set(executed(found))


def pieces_of(document):
    """The keys and the texts of a document."""
    if isinstance(document, dict):
        return {*document, *(piece for member in document.values() for piece in pieces_of(member))}
    if isinstance(document, list):
        return {piece for member in document for piece in pieces_of(member)}
    return {document} if isinstance(document, str) else set()


PIECES = {
    name: sorted({piece for owner, _, document, _ in GOLDEN if owner == name for piece in pieces_of(document)})
    for name in formats()
}
ALONE = {"parent_span_id": None, "start_time": None}


def items(name):
    """Objects made of a format's own keys and texts."""
    words = st.sampled_from(PIECES[name])
    atoms = st.none() | st.booleans() | st.integers(-2, 2) | words
    inner = atoms | st.lists(atoms, max_size=2) | st.dictionaries(words, atoms, max_size=3)
    values = inner | st.lists(st.dictionaries(words, inner, max_size=4), max_size=2)
    return st.dictionaries(words, values, max_size=4)


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
        decided = {**span, **ALONE, "executed": span.get("executed") is not False}
        assert read_trace(Case("case", trace={"spans": [decided]})).spans[0].name == span["name"]
