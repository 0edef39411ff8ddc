"""Tests of citation_support."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbook.domain.case import Case
from evalbook.domain.errors import ParametersRefused
from evalbook.domain.outcome import Code, Outcome
from evalbook.jsonio.values import ABSENT
from evalbook.services.scoring import catalog
from tests.unit.scorers.hostile import (
    FAIL,
    MANY,
    SOME,
    Input,
    array_text,
    case_text,
    large_values,
    long_texts,
    object_text,
)
from tests.unit.scorers.hostile_traces import retrieval_trace, retrievals

IMPLEMENTATION = catalog.find("citation_support")

FOUND = {"span_id": "r", "kind": "retrieval", "documents": [{"id": "1"}, {"id": "doc-2", "score": 0.5}]}
TRACE = {"spans": [FOUND]}
EXAMPLES = [
    ({}, {"output": "Rates rose [1, doc-2], see [docs](https://a.example).", "trace": TRACE}, "pass"),
    ({}, {"output": "Rates rose [1, 3].", "trace": TRACE}, "fail"),
    ({}, {"output": "Rates rose.", "trace": TRACE}, "inconclusive"),
    ({"min_citations": 2}, {"output": "Rates rose [1].", "trace": TRACE}, "fail"),
    ({"citations_path": "/sources"}, {"output": {"sources": ["1", "doc-2"]}, "trace": TRACE}, "pass"),
    ({"citation_pattern": r"doc-\d"}, {"output": "Rates rose (doc-2).", "trace": TRACE}, "pass"),
    ({}, {"output": "[1]", "trace": {"spans": [FOUND, {"span_id": "s", "kind": "retrieval"}]}}, "unsupported"),
]
NOTES = """
It does not judge whether the document supports the claim. What counts as a citation in a text is on the page about
[traces](traces.md#citations).

- An answer that cites nothing is `inconclusive` (`NO_CITATIONS`); with `min_citations` it fails.
- A trace in which nothing was retrieved is a recorded trace: whatever is cited was not retrieved, and fails.
"""
SHOWN = [
    (
        {},
        {
            "output": "Fares rose [d1], and [the ministry](https://example.org) denies it [d7].",
            "trace": {"spans": [{"span_id": "1", "kind": "retrieval", "documents": [{"id": "d1"}, {"id": "d2"}]}]},
        },
    ),
]


def hostile_inputs() -> Iterator[Input]:
    trace = retrieval_trace(['{"id":"a"}'])
    versions: tuple[dict[str, Any], ...] = (
        {},
        {"citation_pattern": r"\[([a-z ]*)\]", "match_timeout_ms": 2_000},
        {"citation_pattern": r"[a-z ]*=", "match_timeout_ms": 2_000, "max_input_chars": 1_000_000},
        {"citation_pattern": r"."},
        {"min_citations": 10**300},
    )
    for number, parameters in enumerate(versions):
        for title, text in _answers():
            both = case_text(output=json.dumps(text), trace=trace)
            yield Input(f"{title}, version {number}", parameters, both)
    for title, value in large_values(levels=98):
        both = case_text(output=object_text([("cited", value)]), trace=trace)
        yield Input(f"list: {title}", {"citations_path": "/cited"}, both, FAIL)
    for title, found in retrievals():
        for cited in (array_text(f'"d{n}"' for n in range(SOME)), array_text(['"d1"'] * SOME)):
            both = case_text(output=cited, trace=found)
            yield Input(f"{title}, cited", {"citations_path": ""}, both)


def _answers() -> Iterator[tuple[str, str]]:
    """Texts that look like Markdown with citations, beside the long texts of all kinds."""
    yield from long_texts(SOME)
    unit = {
        "citations": "[a] ",
        "lists of citations": "[a, b; c] ",
        "links": "[a](b) ",
        "links without an end": "[a](b ",
        "links in angle brackets": "[a](<b ",
        "titles without an end": '[a](b "',
        "labels": "[a][b]",
        "definitions": "[a]: /b\n",
        "definitions without an end": "[a\n",
        "task boxes": "- [x] a\n",
        "code spans": "`[a]` ",
        "fences": "```\n[a]\n",
        "footnotes": "[^1] ",
        "escaped brackets": r"\[a\] ",
    }
    for title, text in unit.items():
        yield title, text * SOME
    yield "many citations", "[a] " * MANY
    yield "growing runs of backticks", " ".join("`" * n for n in range(400))
    yield "a fence that is none", "`" * 49_000 + "x`" + "a" * 49_000
    yield "empty lines with blanks", ("\n" + " " * 40) * 2_000


def retrieval(*ids, **fields):
    return {"span_id": "r", "kind": "retrieval", "documents": [{"id": one} for one in ids], **fields}


def grade(output, *ids, spans=None, **parameters):
    spans = [retrieval(*ids)] if spans is None else spans
    return IMPLEMENTATION.prepare(parameters).score(Case("case", output=output, trace={"spans": spans}))


def test_citing_what_was_retrieved_passes():
    assert grade("Rates rose [1] and fell [2, 3].", "1", "2", "3").outcome is Outcome.PASS


def test_citing_anything_else_fails():
    assert grade("Rates rose [1] and fell [999].", "1").outcome is Outcome.FAIL


def test_ids_compare_exactly():
    assert grade("Yes [Doc-01].", "doc-01").outcome is Outcome.FAIL


def test_an_answer_without_citations_is_inconclusive():
    graded = grade("Rates rose.", "1")

    assert (graded.outcome, graded.code) == (Outcome.INCONCLUSIVE, Code.NO_CITATIONS)


def test_no_citations_are_a_fail_where_some_are_asked_for():
    assert grade("Rates rose.", "1", min_citations=1).outcome is Outcome.FAIL


def test_distinct_ids_are_counted():
    assert grade("[1] [1]", "1", "2", min_citations=2).outcome is Outcome.FAIL
    assert grade("[1] [2]", "1", "2", min_citations=2).outcome is Outcome.PASS


def test_a_trace_without_retrieval_fails_what_is_cited():
    assert grade("Yes [1].", spans=[]).outcome is Outcome.FAIL


def test_a_trace_without_retrieval_and_no_citation_is_inconclusive():
    assert grade("Yes.", spans=[]).code is Code.NO_CITATIONS


def test_an_id_with_a_comma_is_one_id_where_it_was_retrieved():
    assert grade("Yes [Smith, 2020].", "Smith, 2020").outcome is Outcome.PASS


def test_the_explanation_counts_and_names_no_id():
    assert grade("Yes [a] [b] [c].", "a").explanation == (
        "3 distinct ids are cited, by the brackets of the output text; "
        "2 are not among 1 distinct document ids from 1 retrieval spans of the trace."
    )


def test_the_ids_stand_in_the_details():
    assert grade("Yes [a] [b].", "a").details == {"cited": ["a", "b"], "not_retrieved": ["b"]}


class TestCitationsPath:
    def test_a_list_in_the_output_is_read(self):
        assert grade({"sources": ["1"]}, "1", citations_path="/sources").outcome is Outcome.PASS
        assert grade({"sources": ["2"]}, "1", citations_path="/sources").outcome is Outcome.FAIL

    def test_it_starts_from_the_output_path(self):
        output = {"answer": {"sources": ["1"]}}

        assert grade(output, "1", output_path="/answer", citations_path="/sources").outcome is Outcome.PASS

    def test_an_empty_list_cites_nothing(self):
        assert grade([], "1", citations_path="").code is Code.NO_CITATIONS

    @pytest.mark.parametrize("output", [{}, {"sources": None}, {"sources": "1"}, {"sources": [1]}, "text"])
    def test_anything_but_a_list_of_strings_fails(self, output):
        assert grade(output, "1", citations_path="/sources").outcome is Outcome.FAIL


class TestCitationPattern:
    def test_the_groups_of_a_match_are_the_ids(self):
        assert grade("Yes (doc 7).", "7", citation_pattern=r"\(doc (\d+)\)").outcome is Outcome.PASS

    def test_without_groups_a_match_is_the_id(self):
        assert grade("Yes D7.", "D7", citation_pattern=r"D\d").outcome is Outcome.PASS

    def test_a_group_that_took_no_part_is_no_id(self):
        assert grade("<a> {b}", "a", "b", citation_pattern=r"<(\w)>|{(\w)}").outcome is Outcome.PASS

    def test_a_stopped_match_is_a_timeout(self):
        graded = grade("x" * 30_000 + "!", "1", citation_pattern="x+$", match_timeout_ms=1)

        assert (graded.outcome, graded.code) == (Outcome.TIMEOUT, Code.MATCH_TIME_LIMIT)


class TestPrecedence:
    def test_an_output_that_is_too_long_is_an_error_also_without_trace(self):
        prepared = IMPLEMENTATION.prepare({"max_input_chars": 2})

        assert prepared.score(Case("case", output="long")).code is Code.INPUT_TOO_LONG

    def test_an_invalid_trace_is_an_error_also_without_output(self):
        prepared = IMPLEMENTATION.prepare({})

        assert prepared.score(Case("case", trace="text")).code is Code.TRACE_INVALID

    def test_documents_that_were_not_kept_stand_before_an_output_of_the_wrong_type(self):
        graded = grade(5, spans=[{"span_id": "r", "kind": "retrieval"}])

        assert (graded.outcome, graded.code) == (Outcome.UNSUPPORTED, Code.DOCUMENTS_UNAVAILABLE)

    def test_an_output_that_was_not_recorded_is_unsupported(self):
        assert grade(ABSENT, "1").code is Code.OUTPUT_UNAVAILABLE

    def test_an_output_of_the_wrong_type_fails(self):
        assert grade({"text": "[1]"}, "1").outcome is Outcome.FAIL


@pytest.mark.parametrize(
    ("parameters", "pointer"),
    [
        ({"min_citations": 0}, "/min_citations"),
        ({"min_citations": None}, "/min_citations"),
        ({"citations_path": "sources"}, "/citations_path"),
        ({"citations_path": None}, "/citations_path"),
        ({"citation_pattern": "("}, "/citation_pattern"),
        ({"citation_pattern": ""}, "/citation_pattern"),
        ({"citation_pattern": 5}, "/citation_pattern"),
        ({"citation_pattern": "a", "citations_path": "/a"}, "/citation_pattern"),
        ({"max_input_chars": 0}, "/max_input_chars"),
    ],
)
def test_parameters_against_the_contract_are_refused(parameters, pointer):
    with pytest.raises(ParametersRefused) as caught:
        IMPLEMENTATION.prepare(parameters)

    assert pointer in {problem.pointer for problem in caught.value.problems}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text("[]()`\\ a,1\n", max_size=12),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["sources", "a"]), inner, max_size=2),
    max_leaves=4,
)


@given(JSON, st.sampled_from([{}, {"citations_path": "/sources"}, {"citation_pattern": r"\[(.)"}]))
def test_no_output_makes_it_raise(output, parameters):
    graded = grade(output, "a", **parameters)

    assert graded.outcome in {Outcome.PASS, Outcome.FAIL, Outcome.INCONCLUSIVE}
    assert grade(output, "a", **parameters) == graded
