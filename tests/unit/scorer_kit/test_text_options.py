"""The text options: which characters are white space, how options follow each other, where texts first differ."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbook.scorer_kit.text_options import TextOptions, first_difference, normalizer
from tests.unit.json_values import texts

# The characters with the property White_Space in Unicode's PropList.txt.
WHITE_SPACE = {
    *range(0x09, 0x0E),
    0x20,
    0x85,
    0xA0,
    0x1680,
    *range(0x2000, 0x200B),
    0x2028,
    0x2029,
    0x202F,
    0x205F,
    0x3000,
}

ALL = {"trim": True, "collapse_whitespace": True, "ignore_case": True, "normalize_unicode": True}


def normalized(text, **options):
    return normalizer(TextOptions(**options))(text)


@pytest.mark.parametrize("option", ["trim", "collapse_whitespace"])
def test_white_space_is_what_unicode_calls_so(option):
    normalize = normalizer(TextOptions(**{option: True}))

    found = {point for point in range(0x10000) if normalize(chr(point) * 2) in {"", " "}}

    assert found == WHITE_SPACE


def test_trimming_removes_white_space_at_both_ends_only():
    assert normalized("\t a\u3000 b\u2003\n", trim=True) == "a\u3000 b"


def test_each_run_of_white_space_collapses_to_one_space():
    assert normalized(" \t a\r\n\r\nb\u00a0", collapse_whitespace=True) == " a b "


def test_case_is_folded_fully_and_without_a_locale():
    assert normalized("\u1e9e\u00df\u0130I\u0131\u03a3\u03c2", ignore_case=True) == "ssssi\u0307i\u0131\u03c3\u03c3"


def test_nfc_composes_and_keeps_compatibility_characters():
    assert normalized("e\u0301\ufb01\u212b", normalize_unicode=True) == "\u00e9\ufb01\u00c5"


def test_without_options_a_text_stays_as_it_is():
    assert normalized(" \u00c5e\u0301 ") == " \u00c5e\u0301 "


@given(texts, st.sampled_from(["NFC", "NFD"]))
def test_with_all_options_canonically_equal_texts_become_one(text, form):
    assert normalized(unicodedata.normalize(form, text), **ALL) == normalized(text, **ALL)


@given(texts, st.fixed_dictionaries({name: st.booleans() for name in ALL}))
def test_normalizing_twice_changes_nothing_more(text, options):
    once = normalized(text, **options)

    assert normalized(once, **options) == once


@given(st.text("ab", max_size=20), st.text("ab", max_size=20))
def test_texts_are_equal_before_the_first_difference_and_differ_there(left, right):
    at = first_difference(left, right)

    assert left[:at] == right[:at]
    assert left == right or left[at : at + 1] != right[at : at + 1]
