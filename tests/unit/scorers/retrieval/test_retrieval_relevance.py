"""Tests of retrieval_relevance."""

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbook.domain.case import Case
from evalbook.domain.errors import ParametersRefused
from evalbook.domain.outcome import Code, Outcome
from evalbook.services.scoring import catalog
from tests.unit.scorers.hostile import SOME, Input, array_text, case_text, large_values
from tests.unit.scorers.hostile_traces import retrieval_trace, retrievals

IMPLEMENTATION = catalog.find("retrieval_relevance")

FOUND = {"span_id": "r", "kind": "retrieval", "start_time": 1, "documents": [{"id": "b", "rank": 2}, {"id": "a"}]}
EXAMPLES = [
    ({"metric": "f1", "threshold": 0.8, "k": 2}, {"expected": ["a", "b"], "trace": {"spans": [FOUND]}}, "pass"),
    ({"metric": "precision", "threshold": 0.6}, {"expected": ["a"], "trace": {"spans": [FOUND]}}, "fail"),
    ({"metric": "recall", "threshold": 1, "k": 1}, {"expected": ["b"], "trace": {"spans": [FOUND]}}, "pass"),
    ({"metric": "recall", "threshold": 1}, {"expected": [], "trace": {"spans": [FOUND]}}, "inconclusive"),
    ({"metric": "recall", "threshold": 1}, {"expected": ["a"], "trace": {"spans": []}}, "inconclusive"),
    (
        {
            "metric": "precision",
            "threshold": 0,
            "k": 4,
            "denominator": "k",
            "expected": {"ids": ["a"]},
            "expected_path": "/ids",
        },
        {"trace": {"spans": [FOUND, {"span_id": "s", "kind": "retrieval"}]}},
        "unsupported",
    ),
]
NOTES = """
The expected value is the array of relevant ids, or an object of ids and their grades, numbers from 0 on: `{"d1": 2,
"d2": 0.5}`. An id of an array has the grade 1; an id without a label has 0. See [retrieval](traces.md#retrieval).

| `metric` | value | with `k` |
| --- | --- | --- |
| `precision`, `recall`, `f1` | relevant ids by ids examined, by all relevant ids, and their F1 | of the first k |
| `hit_rate` | 1 where a relevant id was retrieved, else 0 | among the first k |
| `reciprocal_rank` | 1 / rank of the first relevant id, else 0 | among the first k |
| `average_precision` | the precisions at the ranks of relevant ids, summed, by all relevant ids | of the first k |
| `r_precision` | relevant ids among the first R, by R, the count of relevant ids | refused |
| `ndcg` | discounted gain, grade / log2(rank + 1), by that of the ideal ranking | of the first k, the ideal's too |

The values are those of trec_eval on the same ranking, except that nothing retrieved is `inconclusive` and not 0.

- Ids count once, in order of first appearance, over all retrievals of the trace.
- Nothing labelled and nothing retrieved are `inconclusive`, also for recall.
- Relevant is what has a grade of `relevant_from` or more; `ndcg` takes grades as they are. Labels that leave nothing
  relevant, or for `ndcg` no grade above 0, label nothing.
- Ids are strings. A label that is a number is an error; `1` is not `"1"`.
- The comparison is exact: 2/3 is below 0.6667.
"""
SHOWN = [
    (
        {"metric": "recall", "threshold": 0.5, "k": 2},
        {
            "expected": ["d1", "d2", "d3"],
            "trace": {
                "spans": [
                    {"span_id": "1", "kind": "retrieval", "documents": [{"id": "d1"}, {"id": "d9"}, {"id": "d2"}]}
                ]
            },
        },
    ),
    ({"metric": "recall", "threshold": 0.5}, {"expected": [], "trace": {"spans": []}}),
]


def hostile_inputs() -> Iterator[Input]:
    labels = {
        "many labels": array_text(f'"d{n}"' for n in range(SOME)),
        "one label": '["d1"]',
        "no label": "[]",
        "a label that is none": array_text([*['"d1"'] * SOME, "0"]),
    }
    for number, metric in enumerate(("precision", "recall", "f1", "average_precision", "ndcg")):
        parameters = {"metric": metric, "threshold": 0.3333333333333333, "k": 10 ** (5 * (number % 3) + 1)}
        for title, trace in retrievals():
            for name, label in labels.items():
                both = case_text(trace=trace, expected=label)
                yield Input(f"{metric}: {title}, {name}", parameters, both)
        for spans, documents in ((1, 100_000), (1_000, 100), (10_000, 1)):
            trace = retrieval_trace([f'{{"id":"d{n}"}}' for n in range(documents)], spans)
            both = case_text(trace=trace, expected=labels["many labels"])
            yield Input(f"{metric}: {spans} times {documents} documents", parameters, both)
    for title, value in large_values():
        both = case_text(trace=retrieval_trace(['{"id":"d1"}']), expected=value)
        yield Input(f"labels: {title}", {"metric": "f1", "threshold": 1, "k": 1}, both)


def retrieval(ids, **fields):
    return {"span_id": "r", "kind": "retrieval", "documents": [{"id": one} for one in ids], **fields}


def grade(expected, *spans, metric="precision", threshold=Decimal("0.5"), trace=None, **parameters):
    prepared = IMPLEMENTATION.prepare({"metric": metric, "threshold": threshold, **parameters})
    return prepared.score(Case("case", expected=expected, trace={"spans": list(spans), **(trace or {})}))


def value(metric, expected, ids, **parameters):
    return grade(list(expected), retrieval(ids), metric=metric, **parameters).score


def test_precision_is_the_share_of_the_retrieved_that_is_relevant():
    assert value("precision", "ab", "axyz") == 0.25


def test_recall_is_the_share_of_the_relevant_that_is_retrieved():
    assert value("recall", "abc", "axb") == pytest.approx(2 / 3)


def test_f1_is_their_harmonic_mean():
    assert value("f1", "abcd", "ax") == pytest.approx(2 * 0.5 * 0.25 / 0.75)


def test_f1_is_zero_where_nothing_relevant_was_retrieved():
    assert value("f1", "a", "x") == 0


def test_only_the_first_k_are_examined():
    assert value("recall", "ab", "axb", k=2) == 0.5


def test_repeated_ids_count_once_before_k():
    assert value("recall", "ab", "aab", k=2) == 1


def test_precision_divides_by_what_was_examined():
    assert value("precision", "ab", "ab", k=10) == 1


def test_precision_divides_by_k_where_asked():
    assert value("precision", "ab", "ab", k=10, denominator="k") == 0.2


def test_repeated_labels_count_once():
    assert value("recall", "aab", "a") == 0.5


def test_the_threshold_itself_passes():
    assert grade(["a"], retrieval("ax"), threshold=Decimal("0.5")).outcome is Outcome.PASS


def test_the_threshold_is_compared_without_rounding():
    assert grade(["a", "b"], retrieval("abx"), threshold=Decimal("0.6667")).outcome is Outcome.FAIL
    assert grade(["a", "b"], retrieval("abx"), threshold=Decimal("0.6666")).outcome is Outcome.PASS


def test_ids_are_ordered_by_the_start_of_their_retrieval():
    late, early = retrieval("x", start_time=2, end_time=2), retrieval("a", span_id="s", start_time=1, end_time=1)

    assert grade(["a"], late, early, k=1).outcome is Outcome.PASS


def test_ids_are_ordered_by_rank():
    ranked = [{"id": "x", "rank": 2}, {"id": "a", "rank": 1}]

    assert grade(["a"], retrieval("", documents=ranked), k=1).outcome is Outcome.PASS


def test_documents_of_another_kind_of_span_were_not_retrieved():
    assert grade(["a"], retrieval("x"), retrieval("a", span_id="s", kind="other")).score == 0


@pytest.mark.parametrize("metric", ["precision", "recall", "f1"])
@pytest.mark.parametrize("spans", [[], [retrieval("")], [retrieval("a", executed=False)]])
def test_nothing_retrieved_is_inconclusive(metric, spans):
    graded = grade(["a"], *spans, metric=metric)

    assert (graded.outcome, graded.code, graded.score) == (Outcome.INCONCLUSIVE, Code.NOTHING_RETRIEVED, None)


@pytest.mark.parametrize("metric", ["precision", "recall", "f1"])
def test_nothing_labelled_is_inconclusive(metric):
    graded = grade([], retrieval("a"), metric=metric)

    assert (graded.outcome, graded.code) == (Outcome.INCONCLUSIVE, Code.NOTHING_LABELLED)


@pytest.mark.parametrize("documents", [{"documents": [{"id": "a"}, {}]}, {"documents": [{"id": None}]}])
def test_a_document_without_id_is_unsupported(documents):
    graded = grade(["a"], retrieval("", **documents))

    assert (graded.outcome, graded.code) == (Outcome.UNSUPPORTED, Code.DOCUMENTS_UNAVAILABLE)


def test_documents_that_were_not_kept_are_unsupported():
    graded = grade(["a"], retrieval("a"), {"span_id": "s", "kind": "retrieval"})

    assert graded.code is Code.DOCUMENTS_UNAVAILABLE


def test_empty_documents_that_were_not_captured_are_unsupported():
    assert grade(["a"], retrieval(""), trace={"captured": {"documents": False}}).code is Code.DOCUMENTS_UNAVAILABLE


@pytest.mark.parametrize("expected", ["a", {"a": "1"}, None, [1], ["a", None]])
def test_an_expected_value_that_is_no_list_of_strings_is_an_error(expected):
    graded = grade(expected, retrieval("a"))

    assert (graded.outcome, graded.code) == (Outcome.ERROR, Code.EXPECTED_WRONG_TYPE)


def test_no_expected_value_is_an_error():
    graded = IMPLEMENTATION.prepare({"metric": "f1", "threshold": 1}).score(Case("case"))

    assert (graded.outcome, graded.code) == (Outcome.ERROR, Code.EXPECTED_MISSING)


def test_an_invalid_trace_stands_before_a_label_list_that_is_empty():
    assert grade([], retrieval("a"), retrieval("a")).code is Code.TRACE_INVALID


def test_no_trace_is_unsupported():
    graded = IMPLEMENTATION.prepare({"metric": "f1", "threshold": 1}).score(Case("case", expected=["a"]))

    assert (graded.outcome, graded.code) == (Outcome.UNSUPPORTED, Code.TRACE_UNAVAILABLE)


def test_the_expected_value_may_be_a_parameter():
    parameters = {"metric": "f1", "threshold": 1, "expected": {"ids": ["a"]}, "expected_path": "/ids"}

    graded = IMPLEMENTATION.prepare(parameters).score(Case("case", expected=["x"], trace={"spans": [retrieval("a")]}))

    assert graded.outcome is Outcome.PASS


def test_an_explanation_says_where_ids_and_labels_came_from():
    assert grade(["a", "b"], retrieval("abx")).explanation == (
        "precision is 2/3 over 3 of 3 distinct document ids from 1 retrieval spans of the trace, "
        "against 2 distinct relevant ids from the example's expected value; it meets the threshold."
    )


@pytest.mark.parametrize(
    ("parameters", "pointer"),
    [
        ({"threshold": 1}, "/metric"),
        ({"metric": "f1"}, "/threshold"),
        ({"metric": "map", "threshold": 1}, "/metric"),
        ({"metric": "f1", "threshold": Decimal("1.1")}, "/threshold"),
        ({"metric": "f1", "threshold": "1"}, "/threshold"),
        ({"metric": "f1", "threshold": 1, "k": 0}, "/k"),
        ({"metric": "f1", "threshold": 1, "k": Decimal("1.5")}, "/k"),
        ({"metric": "f1", "threshold": 1, "k": None}, "/k"),
        ({"metric": "f1", "threshold": 1, "denominator": "k"}, "/k"),
        ({"metric": "f1", "threshold": 1, "expected": [1]}, "/expected"),
        ({"metric": "f1", "threshold": 1, "expected": []}, "/expected"),
        ({"metric": "f1", "threshold": 1, "expected": {"a": "1"}}, "/expected"),
        ({"metric": "f1", "threshold": 1, "expected": {"a": 0}}, "/expected"),
        ({"metric": "r_precision", "threshold": 1, "k": 5}, "/k"),
        ({"metric": "ndcg", "threshold": 0}, "/threshold"),
        ({"metric": "hit_rate", "threshold": Decimal("0.0")}, "/threshold"),
        ({"metric": "ndcg", "threshold": 1, "relevant_from": 0}, "/relevant_from"),
        ({"metric": "ndcg", "threshold": 1, "relevant_from": True}, "/relevant_from"),
    ],
)
def test_parameters_against_the_contract_are_refused(parameters, pointer):
    with pytest.raises(ParametersRefused) as caught:
        IMPLEMENTATION.prepare(parameters)

    assert pointer in {problem.pointer for problem in caught.value.problems}


IDS = st.text("abcd", min_size=1, max_size=6)


@given(IDS, IDS, st.integers(1, 5), st.integers(0, 12))
def test_the_verdict_is_that_of_exact_fractions(relevant, retrieved, k, twelfths):
    examined = list(dict.fromkeys(retrieved))[:k]
    recall = Fraction(len(set(examined) & set(relevant)), len(set(relevant)))
    threshold = Decimal(twelfths) / 12

    graded = grade(list(relevant), retrieval(retrieved), metric="recall", k=k, threshold=threshold)

    assert (graded.outcome is Outcome.PASS) == (recall >= Fraction(threshold))


ATOMS = st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from(["a", "retrieval", "r"])
VALUES = ATOMS | st.lists(ATOMS | st.dictionaries(st.sampled_from(["id", "rank"]), ATOMS, max_size=2), max_size=2)


@given(VALUES, st.dictionaries(st.sampled_from(["span_id", "documents", "kind", "executed"]), VALUES, max_size=2))
def test_no_case_makes_it_raise(expected, fields):
    assert grade(expected, retrieval("x", **fields)).outcome in set(Outcome)


@pytest.mark.parametrize(
    ("metric", "ids", "k", "wanted"),
    [
        ("hit_rate", "xya", None, 1),
        ("hit_rate", "xya", 2, 0),
        ("reciprocal_rank", "xya", None, 1 / 3),
        ("reciprocal_rank", "xya", 2, 0),
        ("average_precision", "axb", None, (1 + 2 / 3) / 3),
        ("average_precision", "axb", 2, 1 / 3),
        ("r_precision", "axbc", None, 2 / 3),
        ("r_precision", "a", None, 1 / 3),
        ("ndcg", "abc", None, 1),
        ("ndcg", "xa", None, (1 / log2(3)) / (1 + 1 / log2(3) + 1 / 2)),
        ("ndcg", "xa", 2, (1 / log2(3)) / (1 + 1 / log2(3))),
    ],
)
def test_rank_metrics_with_three_relevant_ids(metric, ids, k, wanted):
    parameters = {} if k is None else {"k": k}

    assert grade(["a", "b", "c"], retrieval(ids), metric=metric, **parameters).score == pytest.approx(wanted, abs=1e-12)


def test_grades_are_gains_for_ndcg_and_relevance_from_a_bound_on_for_the_others():
    grades = {"a": 3, "b": 1, "c": 0}

    ndcg = grade(grades, retrieval("ba"), metric="ndcg").score
    precisions = [grade(grades, retrieval("abc"), relevant_from=bound).score for bound in (1, 2, Decimal("0.5"))]

    assert ndcg == pytest.approx((1 + 3 / log2(3)) / (3 + 1 / log2(3)))
    assert precisions == pytest.approx([2 / 3, 1 / 3, 2 / 3])


def test_an_ideal_ranking_has_an_ndcg_of_exactly_1():
    grades = {f"d{n}": n % 7 for n in range(200)}
    ids = sorted(grades, key=lambda one: -grades[one])

    assert grade(grades, retrieval(ids), metric="ndcg", threshold=1).outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("metric", "expected"), [("precision", {"a": 0}), ("ndcg", {"a": 0}), ("average_precision", {}), ("ndcg", [])]
)
def test_labels_without_gain_label_nothing(metric, expected):
    assert grade(expected, retrieval("a"), metric=metric).code == Code.NOTHING_LABELLED


def test_what_is_below_relevant_from_still_gains():
    assert grade({"a": Decimal("0.5")}, retrieval("a"), metric="ndcg").score == 1
    assert grade({"a": Decimal("0.5")}, retrieval("a"), metric="recall").code == Code.NOTHING_LABELLED


@pytest.mark.parametrize("metric", ["hit_rate", "reciprocal_rank", "average_precision", "r_precision", "ndcg"])
def test_nothing_retrieved_is_inconclusive_for_rank_metrics_too(metric):
    assert grade(["a"], retrieval(""), metric=metric).code == Code.NOTHING_RETRIEVED


@pytest.mark.parametrize("label", [-1, True, None, "1", [1]])
def test_a_grade_that_is_no_number_from_0_on_is_an_error(label):
    assert grade({"a": 1, "b": label}, retrieval("a")).code == Code.EXPECTED_WRONG_TYPE
