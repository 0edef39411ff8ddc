"""Optimal assignment of pairs that are worth more or less."""

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from evalbook.scorer_kit.assignment import best_assignment


def worth(values, columns):
    return sum(values[row][column] for row, column in enumerate(columns) if column is not None)


def best_by_trying_all(values):
    rows, columns = len(values), len(values[0])
    slots = [*range(columns), *[None] * (rows - columns)]
    return max(worth(values, order) for order in permutations(slots, rows))


TABLES = st.tuples(st.integers(1, 5), st.integers(1, 5)).flatmap(
    lambda size: st.lists(
        st.lists(st.integers(-5, 9), min_size=size[1], max_size=size[1]), min_size=size[0], max_size=size[0]
    )
)


@given(values=TABLES)
def test_no_other_assignment_is_worth_more(values):
    columns = best_assignment(values)
    taken = [column for column in columns if column is not None]

    assert len(set(taken)) == len(taken) == min(len(values), len(values[0]))
    assert worth(values, columns) == best_by_trying_all(values)


def test_nothing_is_assigned_where_there_is_nothing():
    assert best_assignment([]) == []
    assert best_assignment([[], []]) == [None, None]


def test_values_of_any_size_are_added_exactly():
    large = 10**30

    assert best_assignment([[large, large + 1], [large, large + 2]]) == [0, 1]
