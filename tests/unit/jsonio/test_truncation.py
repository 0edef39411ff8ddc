"""A body is cut to 16 KB and says how much was left out."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbook.jsonio.truncation import MAX_BODY_BYTES, cut_body

long_values = st.recursive(
    st.integers() | st.none() | st.builds(lambda text, count: text * count, st.text(max_size=4), st.integers(0, 6_000)),
    lambda members: st.lists(members, max_size=5) | st.dictionaries(st.text(max_size=5), members, max_size=5),
    max_leaves=8,
)


def size_of(body):
    return len(json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode())


def test_a_body_that_fits_is_left_alone():
    body = {"details": {"text": "x" * (MAX_BODY_BYTES - 23)}}

    assert size_of(body) == MAX_BODY_BYTES
    assert cut_body(body) is body


def test_one_byte_more_is_cut():
    cut = cut_body({"details": {"text": "x" * (MAX_BODY_BYTES - 22)}})

    assert cut["left_out_bytes"] > 0
    assert size_of(cut) <= MAX_BODY_BYTES


def test_the_front_of_a_text_is_kept():
    text = "abc" * 10_000

    cut = cut_body({"details": {"first": 1, "text": text, "last": 2}})

    kept = cut["details"]["text"]
    assert cut["details"] == {"first": 1, "text": text[: len(kept)]}
    assert len(kept) > 2_000


@pytest.mark.parametrize("many", [list(range(10_000)), tuple(range(10_000))])
def test_the_first_elements_of_a_list_are_kept(many):
    cut = cut_body({"details": {"many": many}})

    kept = cut["details"]["many"]
    assert kept == list(range(len(kept)))
    assert len(kept) > 1_000


def test_a_value_that_does_not_fit_and_cannot_be_cut_is_left_out_with_all_that_follows():
    cut = cut_body({"details": {"text": "x" * 16_000, "number": 10**400, "last": 1}})

    assert cut == {"details": {"text": "x" * 16_000}, "left_out_bytes": 420}


@given(st.dictionaries(st.text(max_size=5), long_values, max_size=5))
def test_a_cut_body_fits_and_says_what_was_left_out(details):
    body = {"details": details}

    cut = cut_body(body)

    assert size_of(cut) <= MAX_BODY_BYTES
    if cut is not body:
        rest = {name: value for name, value in cut.items() if name != "left_out_bytes"}
        assert cut["left_out_bytes"] == size_of(body) - size_of(rest)
        assert cut["left_out_bytes"] > 0
