"""Checking a schema when a version is created: every problem at once, each with its JSON Pointer into the schema."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from evalbook.domain.errors import Problem
from evalbook.jsonio.pointer import Tokens, format_pointer
from evalbook.jsonio.values import Json, kind_of
from evalbook.jsonschema_subset.ecma_patterns import translated
from evalbook.jsonschema_subset.references import (
    MAX_EXPANDED_SIZE,
    edges_of,
    expanded_size,
    longest_chain,
    nodes_on_loops,
    reference_target,
)
from evalbook.jsonschema_subset.vocabulary import HOLDERS, KEYWORDS, SHAPES, Holds, held, why_refused

MAX_DEPTH: Final = 64
# Each pattern is checked for backtracking, which takes milliseconds.
MAX_PATTERNS: Final = 200

PatternProblems = Callable[[str, str], Iterable[Problem]]
"""Names what is wrong with a pattern (the first argument, as the matcher takes it) at a pointer (the second)."""


def places_of(document: Json) -> tuple[dict[Tokens, Json], list[Tokens]]:
    """Every place of *document* that holds a schema, in document order; and those that are nested too deeply.

    What stands at a place need not be a schema at all, and is walked no further then.
    """
    places: dict[Tokens, Json] = {}
    too_deep: list[Tokens] = []
    pending: list[tuple[Tokens, Json, int]] = [((), document, 0)]
    while pending:
        tokens, schema, depth = pending.pop()
        if depth > MAX_DEPTH:
            too_deep.append(tokens)
            continue
        places[tokens] = schema
        pending += [(tokens + further, inner, depth + 1) for _, further, inner in reversed([*held(schema)])]
    return places, too_deep


def author_patterns(document: Json) -> Iterator[tuple[str, str]]:
    """Every pattern of a *document* without problems, as the matcher takes it, and its pointer."""
    for pattern, tokens in _patterns(places_of(document)[0]):
        yield translated(pattern), format_pointer(tokens)


def _patterns(places: dict[Tokens, Json]) -> Iterator[tuple[str, Tokens]]:
    """Every pattern at *places* and where it stands."""
    for tokens, schema in places.items():
        if type(schema) is not dict:
            continue
        if type(schema.get("pattern")) is str:
            yield schema["pattern"], (*tokens, "pattern")
        named = schema.get("patternProperties")
        for pattern in named if type(named) is dict else ():
            yield pattern, (*tokens, "patternProperties", pattern)


def schema_problems(document: Json, pattern_problems: PatternProblems) -> list[Problem]:
    """Name all that keeps *document* from being a schema of the subset; pointers start at *document*."""
    places, too_deep = places_of(document)
    if len({pattern for pattern, _ in _patterns(places)}) > MAX_PATTERNS:
        return [Problem("", f"has more than {MAX_PATTERNS} different patterns")]
    problems = [Problem(format_pointer(tokens), f"is nested more than {MAX_DEPTH} schemas deep") for tokens in too_deep]
    for tokens, schema in places.items():
        problems += _of_place(tokens, schema, places)
    for pattern, tokens in _patterns(places):
        problems += _of_pattern(pattern, format_pointer(tokens), pattern_problems)
    return problems or list(_of_the_whole(places))


def _of_place(tokens: Tokens, schema: Json, places: dict[Tokens, Json]) -> Iterator[Problem]:
    if type(schema) is bool:
        return
    if type(schema) is not dict:
        yield Problem(format_pointer(tokens), f"must be a schema, an object or a boolean, not {kind_of(schema)}")
        return
    for keyword, value in schema.items():
        pointer = format_pointer((*tokens, keyword))
        wrong = _misuse(keyword, value, tokens)
        if wrong:
            yield Problem(pointer, wrong)
        elif keyword == "$ref":
            yield from _of_reference(value, pointer, places)


def _misuse(keyword: str, value: Json, tokens: Tokens) -> str | None:
    """What is wrong with a keyword or the kind of its value; what it holds is looked at elsewhere."""
    if keyword not in KEYWORDS:
        return why_refused(keyword)
    holds = HOLDERS.get(keyword)
    if holds is None:
        misplaced = keyword == "$schema" and tokens
        return None if SHAPES[keyword].fits(value) and not misplaced else f"must be {SHAPES[keyword].words}"
    fits = holds is Holds.ONE or (type(value) is dict if holds is Holds.MAP else type(value) is list and value)
    return None if fits else f"must be {holds.value}"


def _of_reference(reference: str, pointer: str, places: dict[Tokens, Json]) -> Iterator[Problem]:
    try:
        target = reference_target(reference)
    except ValueError as error:
        yield Problem(pointer, str(error))
        return
    if target not in places:
        yield Problem(pointer, "leads to no schema of this document")


def _of_pattern(pattern: str, pointer: str, problems: PatternProblems) -> Iterator[Problem]:
    try:
        shown = translated(pattern)
    except ValueError as error:
        yield Problem(pointer, str(error))
        return
    yield from problems(shown, pointer)


def _of_the_whole(places: dict[Tokens, Json]) -> Iterator[Problem]:
    edges = edges_of(places)
    pointers = [format_pointer(tokens) for tokens in places]
    loops = nodes_on_loops(edges.in_place)
    if loops:
        yield from (Problem(pointers[node], "refers back to itself without going down the instance") for node in loops)
        return
    if longest_chain(edges.in_place) > MAX_DEPTH:
        yield Problem("", f"has more than {MAX_DEPTH} schemas that apply one through the other to the same value")
    if expanded_size(edges) > MAX_EXPANDED_SIZE:
        yield Problem(
            "", f"has more than {MAX_EXPANDED_SIZE} schemas once every reference is replaced by what it names"
        )
