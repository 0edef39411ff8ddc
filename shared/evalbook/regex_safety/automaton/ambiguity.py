"""Finds words that lead from a position back to it in two ways, or along two loops at once.

Such words make a backtracking match exponential or polynomial (Weideman et al. 2016; Allauzen, Mohri and Rastogi 2008).
"""

from collections.abc import Hashable, Iterator
from contextlib import suppress
from typing import TypeAlias, TypeVar

from evalbook.regex_safety.automaton.steps import OutOfSteps, Steps
from evalbook.regex_safety.automaton.words import Words

_Pair: TypeAlias = tuple[int, int]
_State = TypeVar("_State", bound=Hashable)
_Found: TypeAlias = dict[_State, tuple[_State, frozenset[str]] | None]
"""The state before each state reached, and the characters that lead from it."""

_MAX_TRIPLES = 4_000
_MAX_PAIRS = 6_000
_MAX_WORDS = 6
_MAX_FORKS = 60
_FORK_STEPS = 100_000


def forking_words(words: Words) -> Iterator[str]:
    """Yield words along which the ways through a loop multiply each time that the word is repeated.

    One loop may hold several, and all count: what is two ways on paper the engine may join to one, or close.
    """
    for component, head in _heads(words).items():
        known = _doubled(words, head)
        found = _multiplying(words, component) if known else []
        for sets in [*found, known] if known else []:
            yield from words.spellings(sets)


def _heads(words: Words) -> dict[int, int]:
    """Return the first position of each strongly connected component."""
    heads: dict[int, int] = {}
    for position in words.looping():
        heads.setdefault(words.component[position], position)
    return heads


def _doubled(words: Words, position: int) -> list[frozenset[str]]:
    """Search the product of the automaton with itself for a way off the diagonal and back to (position, position)."""
    start = (position, position)
    before: _Found[tuple[int, int, bool]] = {(*start, False): None}
    queue = list(before)
    for state in queue:
        left, right, split = state
        for p, q, common in _pairs_after(words, (left, right), words.steps):
            reached = (p, q, split or p != q)
            if reached not in before:
                before[reached] = (state, common)
                queue.append(reached)
        if (*start, True) in before or len(before) > _MAX_PAIRS:
            break
    return _spell(before, (*start, True))


def _pairs_after(words: Words, pair: _Pair, steps: Steps) -> Iterator[tuple[int, int, frozenset[str]]]:
    """Yield the pairs of positions that one character leads to from *pair* without leaving the loop."""
    left, right = pair
    sets, component = words.automaton.sets, words.component
    steps.take(len(words.follow[left]) * len(words.follow[right]) + 1)
    for p in words.follow[left]:
        for q in words.follow[right]:
            common = sets[p] & sets[q]
            if common and component[p] == component[q] == component[left]:
                yield min(p, q), max(p, q), common


def _multiplying(words: Words, component: int) -> list[list[frozenset[str]]]:
    """Return short words that multiply ways, each by another fork, as far as the steps for that go."""
    found = []
    steps = Steps(_FORK_STEPS, words.steps)
    with suppress(OutOfSteps):
        for fork in _forks(words, component, steps):
            word = _back_to(words, fork, steps)
            if word:
                found.append(word)
            if len(found) == _MAX_WORDS:
                break
    return found


def _forks(words: Words, component: int, steps: Steps) -> list[_Pair]:
    """Return pairs of positions of *component* that can follow one position with the same character."""
    forks: dict[_Pair, None] = {}
    for position in words.looping():
        if words.component[position] == component and len(forks) < _MAX_FORKS:
            after = _pairs_after(words, (position, position), steps)
            forks.update(dict.fromkeys((p, q) for p, q, _ in after if p != q))
    return list(forks)[:_MAX_FORKS]


def _back_to(words: Words, fork: _Pair, steps: Steps) -> list[frozenset[str]]:
    """Search for a word from both ends of *fork* to two positions each of which can go on to both ends again."""
    ready = {p for p in range(words.size) if all(end in words.follow[p] for end in fork)}
    first = words.automaton.sets[fork[0]] & words.automaton.sets[fork[1]]
    start = (-1, -1)
    before: _Found[_Pair] = {start: None, fork: (start, first)}
    queue = [fork]
    for pair in queue:
        if ready.issuperset(pair):
            return _spell(before, pair)
        for p, q, common in _pairs_after(words, pair, steps):
            if (p, q) not in before:
                before[p, q] = (pair, common)
                queue.append((p, q))
        if len(before) > _MAX_PAIRS:
            break
    return []


def crossing_words(words: Words) -> Iterator[str]:
    """Yield words that lead from one loop back to itself, from it into a later loop, and from that back to itself."""
    for head in _heads(words).values():
        for other in words.looping():
            if words.component[other] != words.component[head] and (found := _crossing(words, head, other)):
                yield from words.spellings(found)
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
