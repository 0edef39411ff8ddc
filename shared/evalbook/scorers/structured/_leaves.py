"""JSON values as trees of leaves with weights: what is ignored left out, the text options applied to every string."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Final, NamedTuple

from evalbook.jsonio.pointer import Tokens, parse_pointer
from evalbook.jsonio.values import Json

ANY_TOKEN: Final = "*"


@dataclass(frozen=True, slots=True)
class Leaf:
    """A text, number, boolean or null."""

    value: Json
    weight: int


@dataclass(frozen=True, slots=True)
class LeafMembers:
    """An object; a leaf itself where it has `weight`, that is where it was empty before anything was ignored."""

    items: dict[str, "Node"]
    weight: int


@dataclass(frozen=True, slots=True)
class Elements:
    """An array, each element with its index; a leaf itself as an object is."""

    items: list[tuple[int, "Node"]]
    weight: int


Node = Leaf | LeafMembers | Elements


class _Weighing(NamedTuple):
    tokens: Tokens
    weight: int
    literal: int
    """How many of its tokens name a member or index: of two as deep, the one that names more counts."""


def total_weight(node: Node) -> int:
    """Return the weight of all leaves of *node*."""
    if isinstance(node, Leaf):
        return node.weight
    below = node.items.values() if isinstance(node, LeafMembers) else (element for _, element in node.items)
    return node.weight + sum(map(total_weight, below))


class TreeBuilder:
    """Makes trees of values; a leaf weighs 1, or what the deepest path that leads to it or above it says.

    Weights are whole numbers: all are multiplied by the least number that makes them so.
    """

    def __init__(
        self, ignore: Sequence[str], weights: Sequence[tuple[str, Fraction]], normalized: Callable[[str], str]
    ) -> None:
        scale = lcm(1, *(weight.denominator for _, weight in weights))
        self._ignored = [parse_pointer(path) for path in ignore]
        self._weights = [_weighing(parse_pointer(path), int(weight * scale)) for path, weight in weights]
        self._scale = scale
        self._normalized = normalized

    def tree(self, value: Json) -> Node:
        """Return the tree of *value*."""
        whole = [one for one in self._weights if not one.tokens]
        return self._node(value, self._ignored, self._weights, whole[0].weight if whole else self._scale)

    def _node(self, value: Json, ignored: list[Tokens], weights: list[_Weighing], weight: int) -> Node:
        if type(value) is dict:
            members = {
                name: self._below(name, member, ignored, weights, weight)
                for name, member in value.items()
                if not _ignores(ignored, name)
            }
            return LeafMembers(members, 0 if value else weight)
        if type(value) is list:
            elements = [
                (index, self._below(str(index), element, ignored, weights, weight))
                for index, element in enumerate(value)
                if not _ignores(ignored, str(index))
            ]
            return Elements(elements, 0 if value else weight)
        return Leaf(self._normalized(value) if type(value) is str else value, weight)

    def _below(self, token: str, value: Json, ignored: list[Tokens], weights: list[_Weighing], weight: int) -> Node:
        """Return the tree of what stands at *token*, the paths shortened by it."""
        further = [path[1:] for path in ignored if _leads(path, token)]
        weighing = [one._replace(tokens=one.tokens[1:]) for one in weights if _leads(one.tokens, token)]
        here = [one for one in weighing if not one.tokens]
        return self._node(value, further, weighing, max(here, key=lambda one: one.literal).weight if here else weight)


def _weighing(tokens: Tokens, weight: int) -> _Weighing:
    return _Weighing(tokens, weight, sum(token != ANY_TOKEN for token in tokens))


def _leads(path: Tokens, token: str) -> bool:
    return bool(path) and path[0] in (ANY_TOKEN, token)


def _ignores(ignored: list[Tokens], token: str) -> bool:
    return any(len(path) == 1 and path[0] in (ANY_TOKEN, token) for path in ignored)
