"""How much of an expected value's leaves an output has, and what it has that it must not have."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from evalbook.domain.outcome import Code, EarlyOutcome, errored
from evalbook.jsonio.canonical import canonical_json
from evalbook.jsonio.values import Json, is_number
from evalbook.scorer_kit.assignment import best_assignment
from evalbook.scorers.structured._leaves import Elements, Leaf, LeafMembers, Node, total_weight

Lists = Literal["ordered", "any_order", "subset", "superset"]
Near = Callable[[Json, Json], bool]
Place = tuple[str | int, ...]
Element = tuple[int, Node]

MAX_COMPARED_PAIRS: Final = 250_000
"""How many pairs of elements of two arrays are compared at most, those that are equal left out."""


@dataclass(frozen=True, slots=True)
class Match:
    """What comparing two trees comes to: weights, and what differs, as a tree of places."""

    matched: int = 0
    total: int = 0
    forbidden: int = 0
    here: bool = False
    below: tuple[tuple[str | int, "Match"], ...] = ()

    def places(self, place: Place = ()) -> Iterator[Place]:
        """Yield the places that differ."""
        if self.here:
            yield place
        for token, match in self.below:
            yield from match.places((*place, token))


_FORBIDDEN: Final = Match(forbidden=1, here=True)


@dataclass(frozen=True, slots=True)
class LeafMatcher:
    """Compares an output with an expected value."""

    lists: Lists
    additional_fields: bool
    near: Near | None
    """Whether two numbers that differ are near enough; None where they have to be equal."""

    def match(self, expected: Node, output: Node) -> Match:
        """Return how *output* matches *expected*."""
        if isinstance(expected, Leaf):
            same = isinstance(output, Leaf) and self._same(expected.value, output.value)
            return Match(expected.weight if same else 0, expected.weight, here=not same and expected.weight > 0)
        if isinstance(expected, LeafMembers) and isinstance(output, LeafMembers):
            return self._members(expected, output)
        if isinstance(expected, Elements) and isinstance(output, Elements):
            return self._elements(expected, output)
        return _missing(expected)

    def _same(self, expected: Json, output: Json) -> bool:
        if is_number(expected) and is_number(output):
            return bool(expected == output) or (self.near is not None and self.near(output, expected))
        return type(expected) is type(output) and bool(expected == output)

    def _members(self, expected: LeafMembers, output: LeafMembers) -> Match:
        parts: list[tuple[str | int, Match]] = [
            (name, self.match(node, output.items[name]) if name in output.items else _missing(node))
            for name, node in expected.items.items()
        ]
        if not self.additional_fields:
            parts += [(name, _FORBIDDEN) for name in output.items if name not in expected.items]
        return _summed(parts, expected.weight)

    def _elements(self, expected: Elements, output: Elements) -> Match:
        if self.lists == "subset" and expected.items and not output.items:
            # Every element of an empty array is an expected one: the array is the leaf that is there.
            weight = max(total_weight(node) for _, node in expected.items)
            return Match(weight, weight)
        pairs = self._paired(expected.items, output.items)
        found, taken = {index for index, _, _ in pairs}, {index for _, index, _ in pairs}
        parts: list[tuple[str | int, Match]] = [(index, match) for index, _, match in pairs]
        if self.lists != "subset":
            parts += [(index, _missing(node)) for index, node in expected.items if index not in found]
        if self.lists != "superset":
            parts += [(index, _FORBIDDEN) for index, _ in output.items if index not in taken]
        return _summed(parts, expected.weight)

    def _paired(self, expected: Sequence[Element], output: Sequence[Element]) -> list[tuple[int, int, Match]]:
        """Return which elements are compared with each other, by their indexes, and what comes of it."""
        if self.lists == "ordered":
            pairs = zip(expected, output, strict=False)
            return [(index, other, self.match(node, found)) for (index, node), (other, found) in pairs]
        equal, expected, output = self._equals(expected, output)
        if len(expected) * len(output) > MAX_COMPARED_PAIRS:
            counted = f"{len(expected)} expected elements and {len(output)} of the output"
            message = f"In an array {counted} are without an equal; at most {MAX_COMPARED_PAIRS:,} pairs are compared."
            raise EarlyOutcome(errored(Code.INPUT_TOO_LONG, message))
        table = [[self.match(node, found) for _, found in output] for _, node in expected]
        columns = best_assignment(self._values(table))
        assigned = [
            (expected[row][0], output[column][0], table[row][column])
            for row, column in enumerate(columns)
            if column is not None
        ]
        return equal + assigned

    def _equals(
        self, expected: Sequence[Element], output: Sequence[Element]
    ) -> tuple[list[tuple[int, int, Match]], Sequence[Element], Sequence[Element]]:
        """Pair elements that are equal; taking them first loses nothing where equality is no matter of degree."""
        if self.near is not None:
            return [], expected, output
        places: dict[bytes, list[Element]] = {}
        for element in reversed(output):
            places.setdefault(_spelt(element[1]), []).append(element)
        pairs: list[tuple[int, int, Match]] = []
        left: list[Element] = []
        for index, node in expected:
            if equals := places.get(_spelt(node)):
                weight = total_weight(node)
                pairs.append((index, equals.pop()[0], Match(weight, weight)))
            else:
                left.append((index, node))
        taken = {other for _, other, _ in pairs}
        return pairs, left, [element for element in output if element[0] not in taken]

    def _values(self, table: Sequence[Sequence[Match]]) -> list[list[int]]:
        """Return what pairs are worth: matched weight, then few forbidden; in subsets first how little lacks."""
        scale = 1 + sum(match.total + match.forbidden for row in table for match in row)
        if self.lists == "subset":
            return [[match.matched - (match.total - match.matched) * scale for match in row] for row in table]
        return [[match.matched * scale - match.forbidden for match in row] for row in table]


def _missing(node: Node) -> Match:
    weight = total_weight(node)
    return Match(0, weight, here=weight > 0)


def _summed(parts: Sequence[tuple[str | int, Match]], weight: int) -> Match:
    """Return the sum of *parts*; *weight* is an empty container's, matched where nothing forbidden is in it."""
    forbidden = sum(part.forbidden for _, part in parts)
    return Match(
        sum(part.matched for _, part in parts) + (0 if forbidden else weight),
        sum(part.total for _, part in parts) + weight,
        forbidden,
        below=tuple((token, part) for token, part in parts if part.here or part.below),
    )


def _spelt(node: Node) -> bytes:
    return canonical_json(_plain(node))


def _plain(node: Node) -> Json:
    if isinstance(node, Leaf):
        return node.value
    if isinstance(node, LeafMembers):
        return {name: _plain(member) for name, member in node.items.items()}
    return [_plain(element) for _, element in node.items]
