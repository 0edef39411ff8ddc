"""Documents that are nearly right, and some that are none: every reader refuses or gives a trace that can be read."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbook.domain.case import Case
from evalbook.domain.errors import Refused
from evalbook.domain.outcome import EarlyOutcome
from evalbook.jsonio.canonical import plain_json
from evalbook.jsonio.reader import NotStrictJson, read_json
from evalbook.traces.formats.catalog import AUTO, formats, read_document
from evalbook.traces.wire import read_trace
from tests.fakes.mutations import JSON, mutated_text

GOLDENS = Path(__file__).parent / "goldens"
DOCUMENTS = {
    path.stem: [entry["document"] for entry in json.loads(path.read_text("utf-8"))] for path in GOLDENS.glob("*.json")
}
NAMES = st.sampled_from([AUTO, *formats()])


def read(text, name):
    """The trace that a reader makes of a text as it is sent, None where the text or the document is refused."""
    try:
        return read_document(read_json(text.removeprefix("\ufeff").encode("utf-8", "surrogatepass")), name)
    except (NotStrictJson, Refused):
        return None


def ending_of(trace):
    """The outcome with which reading *trace* ends a scorer, None where it goes on."""
    try:
        read_trace(Case("case", trace=read_json(plain_json(trace))))
    except EarlyOutcome as ending:
        return ending.grade.outcome
    return None


@given(st.data(), NAMES)
def test_a_mutated_document_is_refused_or_becomes_a_trace_that_scorers_can_read(data, name):
    document = data.draw(st.sampled_from([each for found in DOCUMENTS.values() for each in found]))

    trace = read(data.draw(mutated_text(document)), name)

    if trace is not None:
        assert ending_of(trace) in (None, "unsupported", "error")


@given(JSON, NAMES)
def test_what_is_no_document_at_all_is_refused(value, name):
    assert read(json.dumps(value), name) is None


@pytest.mark.parametrize("name", list(formats()))
def test_every_format_has_a_document_to_mutate(name):
    assert DOCUMENTS[name]
