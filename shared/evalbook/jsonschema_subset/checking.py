"""Checking a schema when a version is created: every problem at once, each with its JSON Pointer into the schema."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from evalbook.domain.errors import Problem
from evalbook.jsonio.pointer import Tokens
from evalbook.jsonio.values import Json, kind_of
from evalbook.jsonschema_subset.ecma_patterns import translated
from evalbook.jsonschema_subset.formats import FormatUse, why_not_asserted
from evalbook.jsonschema_subset.references import (
    MAX_EXPANDED_SIZE,
    edges_of,
    expanded_size,
    longest_chain,
    nodes_on_loops,
    reference_target,
)
from evalbook.jsonschema_subset.upgrading import Upgrade, upgraded
from evalbook.jsonschema_subset.vocabulary import (
    HOLDERS,
    KEYWORDS,
    Holds,
    held,
    is_annotation,
    why_refused,
    wrong_shape,
)

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
    """Yield every pattern of a *document* without problems, as the matcher takes it, and its pointer."""
    upgrade = upgraded(document)
    for pattern, tokens in _patterns(places_of(upgrade.document)[0]):
        yield translated(pattern), upgrade.origin(tokens)


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


def schema_problems(document: Json, pattern_problems: PatternProblems, formats: FormatUse = "assert") -> list[Problem]:
    """Name all that keeps *document* from being used, upgraded; pointers start at *document* as it was sent."""
    upgrade = upgraded(document)
    return sorted(upgrade.problems) + [
        each
        for each in _Check(upgrade, pattern_problems, formats).problems()
        if each.pointer not in {problem.pointer for problem in upgrade.problems}
    ]


@dataclass(frozen=True, slots=True)
class _Check:
    """The check of one upgraded document."""

    upgrade: Upgrade
    pattern_problems: PatternProblems
    formats: FormatUse

    def problems(self) -> Iterator[Problem]:
        places, too_deep = places_of(self.upgrade.document)
        for tokens in too_deep:
            yield self._problem(tokens, f"is nested more than {MAX_DEPTH} schemas deep: name parts of it under $defs")
        for tokens, schema in places.items():
            yield from self._of_place(tokens, schema, places)
        yield from self._of_patterns(places)
        yield from self._of_the_whole(places)

    def _problem(self, tokens: Tokens, message: str) -> Problem:
        return Problem(self.upgrade.origin(tokens), message)

    def _of_place(self, tokens: Tokens, schema: Json, places: dict[Tokens, Json]) -> Iterator[Problem]:
        if type(schema) is bool:
            return
        if type(schema) is not dict:
            instead = _TUPLE if type(schema) is list and tokens and tokens[-1] == "items" else ""
            yield self._problem(tokens, f"must be a schema, an object or a boolean, not {kind_of(schema)}{instead}")
            return
        for keyword, value in schema.items():
            wrong = _misuse(keyword, value, tokens)
            if wrong is None and keyword == "$ref":
                wrong = _why_unusable(value, places)
            elif wrong is None and keyword == "format" and self.formats == "assert":
                wrong = why_not_asserted(value)
            if wrong:
                yield self._problem((*tokens, keyword), wrong)

    def _of_patterns(self, places: dict[Tokens, Json]) -> Iterator[Problem]:
        different = list(dict.fromkeys(pattern for pattern, _ in _patterns(places)))
        if len(different) > MAX_PATTERNS:
            yield Problem("", f"has more than {MAX_PATTERNS} different patterns: leave out those that say least")
        checked = frozenset(different[:MAX_PATTERNS])
        for pattern, tokens in _patterns(places):
            if pattern in checked:
                yield from self._of_pattern(pattern, self.upgrade.origin(tokens))

    def _of_pattern(self, pattern: str, pointer: str) -> Iterator[Problem]:
        try:
            shown = translated(pattern)
        except ValueError as error:
            yield Problem(pointer, str(error))
            return
        yield from self.pattern_problems(shown, pointer)

    def _of_the_whole(self, places: dict[Tokens, Json]) -> Iterator[Problem]:
        edges, every_place = edges_of(places), list(places)
        if loops := nodes_on_loops(edges.in_place):
            for node in loops:
                yield self._problem(every_place[node], "refers back to itself without going down the instance")
            return
        if longest_chain(edges.in_place) > MAX_DEPTH:
            yield Problem("", f"has more than {MAX_DEPTH} schemas that apply one through the other to the same value")
        if expanded_size(edges) > MAX_EXPANDED_SIZE:
            yield Problem("", f"can apply more than {MAX_EXPANDED_SIZE} schemas on one way down the output")


_TUPLE: Final = ": write prefixItems, or name the draft that has it in $schema"


def _misuse(keyword: str, value: Json, tokens: Tokens) -> str | None:
    """Say what is wrong with a keyword or the kind of its value; what it holds is looked at elsewhere."""
    holds = HOLDERS.get(keyword)
    if holds is None:
        if keyword not in KEYWORDS and not is_annotation(keyword):
            return why_refused(keyword)
        return wrong_shape(keyword, value, at_root=not tokens)
    fits = holds is Holds.ONE or (type(value) is dict if holds is Holds.MAP else type(value) is list and value)
    return None if fits else f"must be {holds.value}"


def _why_unusable(reference: str, places: dict[Tokens, Json]) -> str | None:
    try:
        target = reference_target(reference)
    except ValueError as error:
        return str(error)
    return None if target in places else "leads to no schema of this document"
