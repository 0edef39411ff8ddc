"""Tests of citation_support."""

import json
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbook.domain.case import Case
from evalbook.domain.errors import ParametersRefused
from evalbook.domain.outcome import Code, Outcome
from evalbook.jsonio.values import ABSENT
from evalbook.services.scoring import catalog
from evalbook.services.scoring.prepared import prepared, prepared_version, stored_parameters
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
    ({"forms": ["parentheses", "ranges"]}, {"output": "Rates rose (doc-2).", "trace": TRACE}, "pass"),
    ({"forms": ["superscript"]}, {"output": "Rates rose².", "trace": TRACE}, "fail"),
    ({"recall_threshold": 0.6}, {"output": "Rates rose [1].", "trace": TRACE}, "fail"),
    (
        {"recall_threshold": 1, "recall_of": "labelled"},
        {"output": "Rates rose [1].", "expected": ["1"], "trace": TRACE},
        "pass",
    ),
]
NOTES = """
It does not judge whether the document supports the claim. What counts as a citation in a text is on the page about
[traces](traces.md#citations).

- `forms` says how the text cites: `brackets`: `[a]`, `[a, b]`. `ranges`, in these: `[1-3]` cites 1, 2 and 3, and `[1,
  2 and 4]` three ids; the ends are unsigned whole numbers, first to last, at most 100 ids. Anything else, and what
  was retrieved under that very text, is the literal id. `lenticular`: `【d9†source】` cites d9. `parentheses`: `(a)`,
  `(a, b)`; words that are no retrieved id make a remark of them. `superscript`: raised numbers, or `<sup>`.
- A form that occurs and is not read is counted in the explanation.
- An answer that cites nothing is `inconclusive` (`NO_CITATIONS`); with `min_citations` or `recall_threshold` it
  fails.
- With `recall_threshold` the answer has to cite at least that share of the ids retrieved, or of those that the
  expected value labels (`recall_of`: `labelled`; a list of ids, as for retrieval_relevance). The score is that share;
  where there is no such id the result is `inconclusive` (`NOTHING_RETRIEVED`, `NOTHING_LABELLED`).
- A version that was stored before there were `forms` reads brackets only.
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
    (
        {"forms": ["brackets", "ranges"], "recall_threshold": 0.5},
        {
            "output": "Fares rose [1-3] (see 4).",
            "trace": {
                "spans": [{"span_id": "1", "kind": "retrieval", "documents": [{"id": f"{n}"} for n in range(5)]}]
            },
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
        {"forms": ["brackets", "ranges", "lenticular", "parentheses", "superscript"]},
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
        "ranges": "[1-100] ",
        "ranges without an end": "[1-",
        "numbers with and": "[1 and 2 and 3] ",
        "ands": "[" + "and " * 40,
        "lenticular brackets": "【a†b】",
        "lenticular brackets without an end": "【a†",
        "parentheses": "(a) ",
        "parentheses without an end": "(a",
        "superscripts": "¹⁻",
        "tags": "<sup>1</sup>",
        "tags without an end": "<sup>1",
    }
    for title, text in unit.items():
        yield title, text * SOME
    yield "many citations", "[a] " * MANY
    yield "a number far from another", "[1" + " " * 40_000 + "and 2]"
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
        "3 distinct ids are cited, by the brackets and lenticular brackets of the output text; "
        "2 are not among 1 distinct document ids from 1 retrieval spans of the trace."
    )


def test_the_ids_stand_in_the_details():
    assert grade("Yes [a] [b].", "a").details == {"cited": ["a", "b"], "not_retrieved": ["b"]}


FORMS = ["brackets", "ranges", "lenticular", "parentheses", "superscript"]


class TestForms:
    def cited(self, output, *known, forms):
        return grade(output, *known, forms=forms).details["cited"]

    @pytest.mark.parametrize(
        ("output", "ids"),
        [
            ("Rose [1-3].", ["1", "2", "3"]),
            ("Rose [1\u20133].", ["1", "2", "3"]),
            ("Rose [9 - 11].", ["9", "10", "11"]),
            ("Rose [7-7].", ["7"]),
            ("Rose [0-1].", ["0", "1"]),
            ("Rose [1, 2 and 4].", ["1", "2", "4"]),
            ("Rose [1, 2, and 4].", ["1", "2", "4"]),
            ("Rose [1, 3-5; 8].", ["1", "3", "4", "5", "8"]),
            ("Rose [1-2 and 4].", ["1", "2", "4"]),
            ("Rose [1-100].", [str(number) for number in range(1, 101)]),
            ("Rose [1-101].", ["1-101"]),
            ("Rose [3-1].", ["3-1"]),
            ("Rose [-1-3].", ["-1-3"]),
            ("Rose [1.5-2].", ["1.5-2"]),
            ("Rose [01-03].", ["01-03"]),
            ("Rose [a-c].", ["a-c"]),
            ("Rose [annex-3].", ["annex-3"]),
            ("Rose [Smith and Jones].", ["Smith and Jones"]),
            ("Rose [1-2-3].", ["1-2-3"]),
            ("Rose [\u0661-\u0663].", ["\u0661-\u0663"]),
        ],
    )
    def test_ranges_cite_the_numbers_from_first_to_last_and_anything_else_itself(self, output, ids):
        assert self.cited(output, forms=["brackets", "ranges"]) == ids

    def test_what_was_retrieved_under_that_very_text_is_that_id_and_no_range(self):
        assert self.cited("Rose [1-3, 5-6].", "1-3", forms=["brackets", "ranges"]) == ["1-3", "5", "6"]
        assert self.cited("Rose [1 and 3].", "1 and 3", forms=["brackets", "ranges"]) == ["1 and 3"]

    def test_without_the_form_a_range_is_a_literal_id_and_counted(self):
        graded = grade("Rose [1-3] [4].", "4", forms=["brackets"])

        assert graded.details["not_retrieved"] == ["1-3"]
        assert graded.explanation.endswith("which the version does not read: ranges 1.")

    def test_ranges_alone_leave_other_brackets_unread(self):
        graded = grade("Rose [1-2] [9].", "1", "2", forms=["ranges"])

        assert graded.outcome is Outcome.PASS
        assert graded.explanation.endswith("does not read: brackets 1.")

    @pytest.mark.parametrize(
        ("output", "ids"),
        [
            ("Rose【d9†report.pdf】.", ["d9"]),
            ("Rose【4:0†source】【4:2†source】.", ["4:0", "4:2"]),
            ("注意【注意】[1]。", ["1"]),
            ("Rose [1]【 d2 †p. 3】.", ["1", "d2"]),
            ("`【d9†x】` [1]", ["1"]),
            ("【†x】 [1]", ["1"]),
        ],
    )
    def test_lenticular_brackets_cite_what_stands_before_the_dagger(self, output, ids):
        assert grade(output).details["cited"] == ids

    @pytest.mark.parametrize(
        ("output", "ids"),
        [
            ("Rose (7).", ["7"]),
            ("Rose (d1, d2).", ["d1", "d2"]),
            ("Rose (known id).", ["known id"]),
            ("Rose (as one would expect) (7).", ["7"]),
            ("Rose ([docs](https://a.example/b)) (7).", ["7"]),
            ("Two report(s) say so (7).", ["7"]),
            ("Rose [x (y)] (7).", ["7"]),
            (r"Rose \(1\) (7).", ["7"]),
            ("`f(x)` (7)", ["7"]),
        ],
    )
    def test_parentheses_cite_ids_and_leave_remarks_alone(self, output, ids):
        assert self.cited(output, "known id", forms=["parentheses"]) == ids

    @pytest.mark.parametrize(
        ("output", "ids"),
        [
            ("Rose\u00b9\u00b2.", ["12"]),
            ("Rose\u00b9,\u00b2.", ["1", "2"]),
            ("Rose<sup>1, d2</sup> on the 4<sup>th</sup>.", ["1", "d2"]),
            ("Rose<SUP>a</SUP>.", ["a"]),
        ],
    )
    def test_superscripts_cite_raised_numbers_and_known_ids(self, output, ids):
        assert self.cited(output, "a", forms=["superscript"]) == ids

    def test_a_raised_range_is_one_where_ranges_are_read(self):
        assert self.cited("Rose\u00b9\u207b\u00b3.", forms=["superscript", "ranges"]) == ["1", "2", "3"]
        assert self.cited("Rose\u00b9\u207b\u00b3.", forms=["superscript"]) == ["1-3"]

    def test_every_form_is_read_in_the_order_of_the_text(self):
        assert self.cited("A¹ b【2†x】 c (3) d [4-5] e.", forms=FORMS) == ["1", "2", "3", "4", "5"]

    def test_forms_that_are_not_read_are_counted_and_their_ids_not_named(self):
        graded = grade("A¹ b【d2†x】 c (d3) (d4) d [5].", "5", forms=["brackets"])

        assert graded.outcome is Outcome.PASS
        assert graded.explanation.endswith(
            " Other forms of citation occur, which the version does not read: "
            "lenticular brackets 1, parentheses 2, superscripts 1."
        )

    def test_a_version_stored_before_there_were_forms_reads_brackets_only(self):
        case = Case("case", output="Rose [1]【2†x】.", trace={"spans": [retrieval("1")]})

        assert prepared_version("citation_support", b"{}").score(case).outcome is Outcome.PASS
        assert prepared("citation_support", b"{}").score(case).outcome is Outcome.FAIL

    def test_a_new_version_stores_the_forms_that_it_means(self):
        stored = stored_parameters("citation_support", b"{}")

        assert json.loads(stored) == {"forms": ["brackets", "lenticular"]}
        assert stored_parameters("citation_support", stored) == stored
        assert stored_parameters("citation_support", b'{"citations_path":"/a"}') == b'{"citations_path":"/a"}'


class TestRecall:
    def test_enough_of_what_was_retrieved_has_to_be_cited(self):
        graded = grade("[1] [2]", "1", "2", "3", recall_threshold=0.6)

        assert (graded.outcome, graded.score) == (Outcome.PASS, pytest.approx(2 / 3))
        assert graded.explanation.endswith(" 2 of 3 retrieved ids are cited; it meets the threshold.")

    def test_the_threshold_is_exact(self):
        assert grade("[1] [2]", "1", "2", "3", recall_threshold=Decimal("0.6667")).outcome is Outcome.FAIL

    def test_a_citation_of_anything_else_fails_however_large_the_recall(self):
        assert grade("[1] [9]", "1", recall_threshold=1).outcome is Outcome.FAIL

    def test_citing_nothing_of_what_was_retrieved_fails(self):
        assert (graded := grade("Yes.", "1", recall_threshold=0.1)).outcome is Outcome.FAIL
        assert graded.score == 0.0

    def test_where_nothing_was_retrieved_there_is_no_recall(self):
        graded = grade("Yes.", recall_threshold=0.1)

        assert (graded.outcome, graded.code) == (Outcome.INCONCLUSIVE, Code.NOTHING_RETRIEVED)

    def labelled(self, output, expected, **parameters):
        version = IMPLEMENTATION.prepare({"recall_threshold": 0.5, "recall_of": "labelled", **parameters})
        return version.score(Case("case", output=output, expected=expected, trace={"spans": [retrieval("1", "2")]}))

    def test_the_labelled_ids_may_be_what_counts(self):
        assert self.labelled("[1]", ["1", "9"]).outcome is Outcome.PASS
        assert self.labelled("[1]", ["7", "8", "9"]).outcome is Outcome.FAIL
        assert self.labelled("[2]", {"ids": ["2"]}, expected_path="/ids").score == 1.0

    def test_where_nothing_is_labelled_there_is_no_recall(self):
        assert self.labelled("[1]", []).code is Code.NOTHING_LABELLED

    @pytest.mark.parametrize(("expected", "code"), [(ABSENT, Code.EXPECTED_MISSING), ([1], Code.EXPECTED_WRONG_TYPE)])
    def test_labels_that_are_none_are_an_error(self, expected, code):
        assert self.labelled("[1]", expected).code is code

    def test_the_expected_value_is_read_for_labels_only(self):
        reads = IMPLEMENTATION.parameters.reads_expected

        assert reads({"recall_threshold": 1, "recall_of": "labelled"})
        assert not reads({"recall_threshold": 1})


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
        ({"forms": []}, "/forms"),
        ({"forms": ["footnotes"]}, "/forms/0"),
        ({"forms": ["brackets"], "citations_path": "/a"}, "/forms"),
        ({"forms": ["brackets"], "citation_pattern": "a"}, "/forms"),
        ({"recall_threshold": 0}, "/recall_threshold"),
        ({"recall_threshold": 1.5}, "/recall_threshold"),
        ({"recall_threshold": None}, "/recall_threshold"),
        ({"recall_of": "labelled"}, "/recall_of"),
        ({"recall_threshold": 1, "recall_of": "expected"}, "/recall_of"),
        ({"recall_threshold": 1, "expected": ["a"]}, "/expected"),
        ({"recall_threshold": 1, "recall_of": "labelled", "expected": [1]}, "/expected"),
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
