"""Pairings: as many pairs as there can be, by brute force on small inputs."""

from itertools import combinations, pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbook.scorer_kit.pairing import longest_common_subsequence, longest_increasing_pairing, maximum_matching

SMALL = st.integers(0, 5)
OPTIONS = st.lists(st.lists(SMALL, unique=True), max_size=5)
NAMES = st.lists(st.sampled_from("abc"), max_size=6)


def most_pairs(options):
    """The size of a largest matching, by trying every order in which the left nodes may choose."""
    best = 0
    for order in permutations(range(len(options))):
        taken = set()
        for node in order:
            taken.update(sorted(set(options[node]) - taken)[:1])
        best = max(best, len(taken))
    return max(best, brute(options, frozenset()))


def brute(options, taken):
    if not options:
        return 0
    skipped = brute(options[1:], taken)
    return max([skipped, *(1 + brute(options[1:], taken | {each}) for each in options[0] if each not in taken)])


def longest(left, right):
    """The length of a longest common subsequence, by trying all."""
    for size in range(min(len(left), len(right)), 0, -1):
        if set(combinations(left, size)) & set(combinations(right, size)):
            return size
    return 0


@given(OPTIONS)
def test_a_matching_has_as_many_pairs_as_there_can_be(options):
    partners = maximum_matching(options, 6)

    assert sum(partner is not None for partner in partners) == most_pairs(options)


@given(OPTIONS)
def test_a_matching_gives_each_a_partner_of_its_own_that_fits(options):
    partners = [partner for partner in maximum_matching(options, 6) if partner is not None]

    assert len(set(partners)) == len(partners)
    assert all(
        partner in options[node] for node, partner in enumerate(maximum_matching(options, 6)) if partner is not None
    )


def test_what_a_greedy_search_takes_away_is_given_back():
    assert maximum_matching([[0, 1], [0]], 2) == [1, 0]


def test_a_long_chain_of_changes_needs_no_recursion():
    size = 5_000

    assert None not in maximum_matching([*([place, place + 1] for place in range(size)), [0]], size + 1)


@given(NAMES, NAMES)
def test_a_common_subsequence_is_as_long_as_it_can_be(left, right):
    assert len(longest_common_subsequence(left, right)) == longest(left, right)


@given(NAMES, NAMES)
def test_a_common_subsequence_pairs_equals_in_order(left, right):
    pairs = longest_common_subsequence(left, right)

    assert all(left[row] == right[column] for row, column in pairs)
    assert pairs == sorted(pairs)
    assert len({column for _, column in pairs}) == len(pairs)


@given(NAMES, NAMES)
def test_an_increasing_pairing_by_equality_is_a_common_subsequence(left, right):
    pairs = longest_increasing_pairing(len(left), len(right), lambda row, column: left[row] == right[column])

    assert len(pairs) == longest(left, right)
    assert all(one[0] < two[0] and one[1] < two[1] for one, two in pairwise(pairs))


@pytest.mark.parametrize("pair", [(-1, -2), (0, 2**61 - 1)])
def test_elements_of_equal_hash_are_not_taken_for_equal(pair):
    assert hash(pair[0]) == hash(pair[1])
    assert longest_common_subsequence([pair[0]], [pair[1]]) == []
