"""Optimal pairings: what a greedy search would leave unpaired although a partner was there."""

from collections import deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Final

from rapidfuzz.distance import LCSseq

_FREE: Final = -1

Pairs = list[tuple[int, int]]
Fits = Callable[[int, int], bool]


def maximum_matching(options: Sequence[Sequence[int]], size: int) -> list[int | None]:
    """Return for each left node its partner among *size* right nodes, as many pairs as there can be; None without one.

    *options* lists for each left node the right nodes that fit it. Hopcroft and Karp, 1973: O(edges * sqrt(nodes)).
    """
    left, right = [_FREE] * len(options), [_FREE] * size
    while (depths := _depths(options, left, right)) is not None:
        used = [iter(each) for each in options]
        for node, partner in enumerate(left):
            if partner == _FREE:
                _augment(node, used, depths, left, right)
    return [None if partner == _FREE else partner for partner in left]


def _depths(options: Sequence[Sequence[int]], left: Sequence[int], right: Sequence[int]) -> list[int] | None:
    """Return how far each left node is from a free one; None where no path leads to another."""
    depths = [0 if partner == _FREE else _FREE for partner in left]
    queue, reached = deque(node for node, partner in enumerate(left) if partner == _FREE), False
    while queue:
        node = queue.popleft()
        for option in options[node]:
            other = right[option]
            if other == _FREE:
                reached = True
            elif depths[other] == _FREE:
                depths[other] = depths[node] + 1
                queue.append(other)
    return depths if reached else None


def _augment(root: int, used: Sequence[Iterator[int]], depths: list[int], left: list[int], right: list[int]) -> None:
    """Flip one augmenting path from *root*, where there is one that no other has used up; without recursion."""
    path: list[tuple[int, int]] = []
    nodes = [root]
    while nodes:
        node = nodes[-1]
        for option in used[node]:
            other = right[option]
            if other == _FREE:
                for one, taken in [*path, (node, option)]:
                    left[one], right[taken] = taken, one
                return
            if depths[other] == depths[node] + 1:
                path.append((node, option))
                nodes.append(other)
                break
        else:
            depths[node] = _FREE - 1
            nodes.pop()
            if path:
                path.pop()


def longest_common_subsequence(left: Sequence[Hashable], right: Sequence[Hashable]) -> Pairs:
    """Return the index pairs of a longest common subsequence of two sequences of hashable elements, in order."""
    # The library compares elements by their hashes, which may collide; numbers given out here cannot.
    numbers: dict[Hashable, int] = {}
    one, other = ([numbers.setdefault(each, len(numbers)) for each in side] for side in (left, right))
    blocks = LCSseq.opcodes(one, other)
    return [
        (block.src_start + place, block.dest_start + place)
        for block in blocks
        if block.tag == "equal"
        for place in range(block.src_end - block.src_start)
    ]


def longest_increasing_pairing(rows: int, columns: int, fits: Fits) -> Pairs:
    """Return the most pairs (row, column) that *fits* takes, both indices increasing.

    It serves where fitting is no equality: the textbook table of a longest common subsequence, rows * columns calls of
    *fits*.
    """
    lengths = [[0] * (columns + 1) for _ in range(rows + 1)]
    fit = [[fits(row, column) for column in range(columns)] for row in range(rows)]
    for row in range(rows - 1, -1, -1):
        current, below = lengths[row], lengths[row + 1]
        for column in range(columns - 1, -1, -1):
            longest = max(below[column], current[column + 1])
            current[column] = max(longest, below[column + 1] + 1) if fit[row][column] else longest
    return _walked(lengths, fit)


def _walked(lengths: Sequence[Sequence[int]], fit: Sequence[Sequence[bool]]) -> Pairs:
    pairs: Pairs = []
    row = column = 0
    while row < len(fit) and column < len(fit[0]):
        if fit[row][column] and lengths[row][column] == lengths[row + 1][column + 1] + 1:
            pairs.append((row, column))
            row, column = row + 1, column + 1
        elif lengths[row + 1][column] >= lengths[row][column + 1]:
            row += 1
        else:
            column += 1
    return pairs
