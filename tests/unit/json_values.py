"""Strategies for JSON values as the strict reader gives them."""

from decimal import Decimal

from hypothesis import strategies as st

from evalbook.jsonio.values import Json

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
"""Any text without surrogates, which JSON in UTF-8 cannot hold."""

whole_numbers = st.one_of(st.integers(-5, 5), st.integers(), st.integers(-(10**398), 10**399))

fractions = st.builds(
    lambda coefficient, exponent: Decimal(f"{coefficient}E{exponent}"),
    st.one_of(st.integers(-20, 20), st.integers(-(10**30), 10**30)),
    st.one_of(st.integers(-2, 2), st.integers(-400, 400)),
)
"""Numbers written with an exponent."""

numbers = whole_numbers | fractions
scalars = st.none() | st.booleans() | numbers | texts


def containers(members: st.SearchStrategy[Json]) -> st.SearchStrategy[Json]:
    """Arrays and objects of *members*."""
    return st.lists(members, max_size=4) | st.dictionaries(texts, members, max_size=4)


values: st.SearchStrategy[Json] = st.recursive(scalars, containers, max_leaves=10)
"""Any JSON value."""

small_values: st.SearchStrategy[Json] = st.recursive(
    st.sampled_from([None, True, False, 0, 1, Decimal("1.0"), Decimal("0.0"), "", "a", "1"]),
    lambda members: st.lists(members, max_size=2) | st.dictionaries(st.sampled_from("ab"), members, max_size=2),
    max_leaves=6,
)
"""Few values that often equal each other."""
