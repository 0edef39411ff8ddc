"""References inside a schema, and what following them comes to: loops, chains, expanded size.

A schema is seen as a graph: a node is a place that holds a schema, an edge leads to a schema it holds or refers to. An
edge is *in place* where both apply to the same value, otherwise it consumes a level of the instance.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

from evalbook.jsonio.pointer import Tokens, parse_pointer
from evalbook.jsonio.values import Json
from evalbook.jsonschema_subset.vocabulary import IN_PLACE, UNEVALUATED, held

MAX_EXPANDED_SIZE: Final = 10_000
# What is evaluated is found by evaluating again: each level of it triples the work below at the worst (measured: 2.6).
_UNEVALUATED_FACTOR: Final = 3

# To one property or item, one schema of these applies.
_ALTERNATIVES: Final = ("properties", "prefixItems")

Graph = Sequence[Sequence[int]]


def reference_target(reference: str) -> Tokens:
    """The place that *reference*, the value of a `$ref`, names in its own document.

    Raises:
        ValueError: It leads out of the document or is no JSON Pointer (RFC 6901, section 6).
    """
    if not reference.startswith("#"):
        raise ValueError("leads out of the schema: only '#' and '#/...' are allowed, nothing is fetched")
    fragment = unquote(reference[1:], errors="strict")
    if fragment and not fragment.startswith("/"):
        raise ValueError("names an anchor: refer by JSON Pointer, '#/$defs/...'")
    return parse_pointer(fragment)


@dataclass(frozen=True, slots=True)
class Edges:
    """The edges of a schema's graph, by node number; at most one of *alternatives* applies to a part."""

    in_place: Graph
    all: Graph
    together: Graph
    alternatives: Sequence[Sequence[frozenset[int]]]
    factors: Sequence[int]


def edges_of(places: Mapping[Tokens, Json]) -> Edges:
    """Return the graph of a document whose *places* hold schemas; a reference that leads to none of them is no edge."""
    numbers = {tokens: number for number, tokens in enumerate(places)}
    in_place: list[list[int]] = []
    every: list[list[int]] = []
    together: list[list[int]] = []
    alternatives: list[list[frozenset[int]]] = []
    for tokens, schema in places.items():
        applied = [(keyword, numbers[further]) for keyword, further in _applied(tokens, schema) if further in numbers]
        every.append([target for _, target in applied])
        in_place.append([target for keyword, target in applied if keyword in IN_PLACE])
        together.append([target for keyword, target in applied if keyword not in _ALTERNATIVES])
        alternatives.append(
            [frozenset(target for keyword, target in applied if keyword == one) for one in _ALTERNATIVES]
        )
    factors = [
        _UNEVALUATED_FACTOR if type(schema) is dict and UNEVALUATED & schema.keys() else 1 for schema in places.values()
    ]
    return Edges(in_place, every, together, alternatives, factors)


def _applied(tokens: Tokens, schema: Json) -> Iterator[tuple[str, Tokens]]:
    for keyword, further, _ in held(schema):
        if keyword != "$defs":
            yield keyword, tokens + further
    if type(schema) is dict and type(schema.get("$ref")) is str:
        with suppress(ValueError):
            yield "$ref", reference_target(schema["$ref"])


def nodes_on_loops(graph: Graph) -> list[int]:
    """The nodes from which an edge of *graph* leads back to where a walk came from: one for each loop found."""
    found: list[int] = []
    for path, node, finished in _walk(graph):
        if not finished and any(target in path for target in graph[node]):
            found.append(node)
    return sorted(set(found))


def longest_chain(graph: Graph) -> int:
    """How many edges the longest path of *graph*, which has no loop, has."""
    lengths = [0] * len(graph)
    for _, node, finished in _walk(graph):
        if finished:
            lengths[node] = max((1 + lengths[target] for target in graph[node]), default=0)
    return max(lengths, default=0)


def expanded_size(edges: Edges) -> int:
    """Return how many schemas apply, at most, to all that lies on one way down an instance, itself included.

    References count as what they name, what is recursive once, what applies in place beside `unevaluated*` three
    times. The result stops growing above `MAX_EXPANDED_SIZE`.
    """
    component = _components(edges.all)
    members: dict[int, list[int]] = {}
    for node, number in enumerate(component):
        members.setdefault(number, []).append(node)
    sizes: dict[int, int] = {}
    for number in sorted(members, reverse=True):
        own = sum(_size_below(node, edges, component, sizes) for node in members[number])
        sizes[number] = min(len(members[number]) + own, MAX_EXPANDED_SIZE + 1)
    return sizes[component[0]]


def _size_below(node: int, edges: Edges, component: Sequence[int], sizes: Mapping[int, int]) -> int:
    """Return what *node* adds to the size of its component, whose own *sizes* are not known yet."""
    in_place = set(edges.in_place[node])
    size = sum(
        sizes.get(component[target], 0) * (edges.factors[node] if target in in_place else 1)
        for target in edges.together[node]
    )
    largest = (max((sizes.get(component[each], 0) for each in group), default=0) for group in edges.alternatives[node])
    return size + sum(largest)


def _components(graph: Graph) -> list[int]:
    """Number every node's strongly connected component, in topological order (Kosaraju's algorithm)."""
    finished_order = [node for _, node, finished in _walk(graph) if finished]
    backwards: list[list[int]] = [[] for _ in graph]
    for node, targets in enumerate(graph):
        for target in targets:
            backwards[target].append(node)
    component = [-1] * len(graph)
    number = 0
    for start in reversed(finished_order):
        if component[start] >= 0:
            continue
        pending = [start]
        while pending:
            node = pending.pop()
            if component[node] < 0:
                component[node] = number
                pending += backwards[node]
        number += 1
    return component


def _walk(graph: Graph) -> Iterator[tuple[set[int], int, bool]]:
    """Walk *graph* depth first without recursion: the nodes on the path, a node, whether all below it is done."""
    seen: set[int] = set()
    path: set[int] = set()
    for root in range(len(graph)):
        pending = [(root, False)]
        while pending:
            node, finished = pending.pop()
            if finished:
                path.discard(node)
                yield path, node, True
            elif node not in seen:
                seen.add(node)
                path.add(node)
                yield path, node, False
                pending.append((node, True))
                pending += [(target, False) for target in reversed(graph[node])]
