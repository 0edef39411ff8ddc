"""Globs: `*` stands for any characters, nothing else is special."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbook.scorer_kit.globs import any_of

LETTERS = st.text("ab*.", max_size=8)


@given(LETTERS, st.text("ab.", max_size=8))
def test_a_glob_matches_what_its_expression_matches(pattern, name):
    expression = ".*".join(re.escape(part) for part in pattern.split("*"))

    assert any_of([pattern])(name) is (re.fullmatch(expression, name) is not None)


def test_one_of_several_is_enough():
    assert any_of(["x", "delete_*"])("delete_user")


def test_no_pattern_matches_nothing():
    assert not any_of([])("a")


@pytest.mark.parametrize("name", ["a" * 100_000, "b" * 100_000])
def test_many_stars_on_a_long_name_are_answered(name):
    assert any_of(["*a" * 1_000 + "*c"])(name) is False
