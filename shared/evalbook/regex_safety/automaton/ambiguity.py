"""Finds words that lead from a position back to it in two ways, or along two loops at once.

Such words make a backtracking match exponential or polynomial (Weideman et al. 2016; Allauzen, Mohri and Rastogi 2008).
"""

from collections import Counter
from collections.abc import Hashable, Iterator
from typing import TypeAlias, TypeVar

from evalbook.regex_safety.automaton.words import Words

_State = TypeVar("_State", bound=Hashable)
_Found: TypeAlias = dict[_State, tuple[_State, frozenset[str]] | None]
"""The state before each state reached, and the characters that lead from it."""

_MAX_TRIPLES = 4_000
_MAX_PAIRS = 6_000
_MAX_HEADS = 6


def doubled_words(words: Words) -> Iterator[str]:
    """Yield words with two ways from a position back to it; empty where there is none."""
    tried: Counter[int] = Counter()
    for position in words.looping():
        if tried[words.component[position]] < _MAX_HEADS:
            tried[words.component[position]] += 1
            yield from words.alphabet.words(_doubled(words, position))


def _doubled(words: Words, position: int) -> list[frozenset[str]]:
    """Search the product of the automaton with itself for a way off the diagonal and back to (position, position)."""
    start = (position, position)
    before: _Found[tuple[int, int, bool]] = {(*start, False): None}
    queue = list(before)
    sets, component = words.automaton.sets, words.component
    for state in queue:
        left, right, split = state
        words.steps.take(len(words.follow[left]) * len(words.follow[right]) + 1)
        for p in words.follow[left]:
            for q in words.follow[right]:
                common = sets[p] & sets[q]
                if not common or component[p] != component[position] or component[q] != component[position]:
                    continue
                reached = (min(p, q), max(p, q), split or p != q)
                if reached not in before:
                    before[reached] = (state, common)
                    queue.append(reached)
        if (*start, True) in before or len(before) > _MAX_PAIRS:
            break
    return _spell(before, (*start, True))


def crossing_words(words: Words) -> Iterator[str]:
    """Yield words that lead from one loop back to itself, from it into a later loop, and from that back to itself."""
    heads: dict[int, int] = {}
    for position in words.looping():
        heads.setdefault(words.component[position], position)
    for head in heads.values():
        for other in words.looping():
            if words.component[other] != words.component[head] and (found := _crossing(words, head, other)):
                yield from words.alphabet.words(found)
                break


def _crossing(words: Words, head: int, other: int) -> list[frozenset[str]]:
    start, goal = (head, head, other), (head, other, other)
    before: _Found[tuple[int, int, int]] = {start: None}
    queue = [start]
    sets, component = words.automaton.sets, words.component
    for state in queue:
        first, middle, last = state
        for p in words.follow[first]:
            for q in words.follow[middle]:
                if component[p] != component[head] or not sets[p] & sets[q]:
                    continue
                words.steps.take(len(words.follow[last]) + 1)
                for r in words.follow[last]:
                    common = sets[p] & sets[q] & sets[r]
                    reached = (p, q, r)
                    if common and component[r] == component[other] and reached not in before:
                        before[reached] = (state, common)
                        queue.append(reached)
        if goal in before or len(before) > _MAX_TRIPLES:
            break
    return _spell(before, goal)


def _spell(before: _Found[_State], goal: _State) -> list[frozenset[str]]:
    sets = []
    step = before.get(goal)
    while step is not None:
        state, common = step
        sets.append(common)
        step = before[state]
    return sets[::-1]
