"""Tests of what makes spans contradict each other, and of their order."""

from hypothesis import given
from hypothesis import strategies as st

from evalbook.domain.span import Span, SpanKind, find_contradiction, in_start_order


def span(span_id, parent=None, start=None, end=None, sequence=None):
    return Span(span_id, SpanKind.TOOL, "t", parent_span_id=parent, start=start, end=end, sequence=sequence)


def order(*spans):
    return "".join(one.span_id for one in in_start_order(spans))


def test_spans_without_a_contradiction_have_none():
    assert find_contradiction([span("a", start=1, end=2), span("b", parent="a", start=1, end=1)]) is None


def test_an_end_before_the_start_contradicts():
    assert find_contradiction([span("a"), span("b", start=2, end=1)]) == (1, "end_time is before start_time")


def test_a_repeated_id_contradicts():
    assert find_contradiction([span("a"), span("b"), span("a")]) == (2, "span_id is the one of an earlier span")


def test_a_span_that_is_its_own_parent_contradicts():
    assert find_contradiction([span("a", parent="a")]) == (0, "parent_span_id leads into a circle")


def test_a_circle_of_parents_contradicts():
    spans = [span("root"), span("a", parent="b"), span("b", parent="c"), span("c", parent="a")]

    assert find_contradiction(spans) == (1, "parent_span_id leads into a circle")


def test_a_parent_outside_the_list_is_no_contradiction():
    assert find_contradiction([span("a", parent="elsewhere")]) is None


def test_a_very_deep_chain_of_parents_is_walked():
    chain = [span(str(depth), parent=str(depth + 1)) for depth in range(50_000)]

    assert find_contradiction(chain) is None


def test_the_start_decides_before_the_order_given():
    assert order(span("a", start=2), span("b", start=1)) == "ba"


def test_equal_starts_are_ordered_by_sequence():
    assert order(span("a", start=1, sequence=2), span("b", start=1, sequence=1)) == "ba"


def test_the_start_decides_before_the_sequence():
    assert order(span("a", start=1, sequence=2), span("b", start=2, sequence=1)) == "ab"


def test_equal_starts_without_sequence_stay_as_given():
    assert order(span("b", start=1), span("a", start=1)) == "ba"


def test_without_any_start_the_sequence_decides():
    assert order(span("a", sequence=3), span("b", sequence=1), span("c", sequence=2)) == "bca"


def test_without_start_and_sequence_the_order_given_stays():
    assert order(span("b"), span("a")) == "ba"


def test_a_span_without_start_stays_behind_the_one_before_it():
    assert order(span("a", start=5), span("b"), span("c", start=1)) == "cab"


def test_a_leading_span_without_start_stays_first():
    assert order(span("a"), span("b", start=5), span("c", start=1)) == "acb"


def test_a_span_without_sequence_stays_behind_the_one_before_it():
    assert order(span("a", sequence=2), span("b"), span("c", sequence=1)) == "cab"


MAYBE = st.none() | st.integers(-3, 3)
SPANS = st.lists(st.tuples(MAYBE, MAYBE), max_size=8).map(
    lambda pairs: [span(str(place), start=start, sequence=sequence) for place, (start, sequence) in enumerate(pairs)]
)


@given(SPANS)
def test_ordering_loses_no_span(spans):
    assert sorted(in_start_order(spans)) == sorted(spans, key=lambda one: one.span_id)


@given(SPANS)
def test_spans_with_a_start_are_in_start_order(spans):
    starts = [one.start for one in in_start_order(spans) if one.start is not None]

    assert starts == sorted(starts)
