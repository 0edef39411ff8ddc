"""Preparing a checked schema once: references resolved, patterns compiled, what keywords need brought to hand."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, Protocol

from evalbook.jsonio.canonical import canonical_json
from evalbook.jsonio.pointer import Tokens
from evalbook.jsonio.values import Json
from evalbook.jsonschema_subset.checking import places_of
from evalbook.jsonschema_subset.ecma_patterns import translated
from evalbook.jsonschema_subset.formats import FORMATS, FormatUse
from evalbook.jsonschema_subset.references import reference_target
from evalbook.jsonschema_subset.run import current
from evalbook.jsonschema_subset.vocabulary import HOLDERS, Holds, is_annotation

_NUMBERS: Final = (int, Decimal, float)
_KINDS: Final = dict.fromkeys(_NUMBERS, _NUMBERS)
_LEFT_OUT: Final = frozenset({"$schema", "$id", "$defs"})


class PatternMatcher(Protocol):
    """A compiled pattern."""

    def matches(self, text: str) -> bool:
        """Whether the pattern is found in *text*; may end the scorer with `EarlyOutcome`."""


# The library quotes the value that the schema false refuses, so false is prepared as a keyword that nothing satisfies.
FALSE: Final = "false"

Compile = Callable[[str], PatternMatcher]
"""Compiles a pattern that was found to have no problems."""

Prepared = Any
"""A schema as the keywords of `validation` read it: a boolean, or a dict from keyword to what the keyword needs."""


@dataclass(frozen=True, slots=True)
class ObjectMembers:
    """The values of an enum, so that asking for one costs no more for many."""

    spellings: frozenset[bytes]
    kinds: frozenset[type]

    def __contains__(self, value: Json) -> bool:
        """Whether *value* equals one of the values."""
        return type(value) in self.kinds and current().spelling(value) in self.spellings


def members_of(values: list[Json]) -> ObjectMembers:
    """The members of the enum *values*."""
    # Equal numbers may be of different types, one kind of value otherwise has one.
    kinds = frozenset(kind for each in values for kind in _KINDS.get(type(each), (type(each),)))
    return ObjectMembers(frozenset(map(canonical_json, values)), kinds)


@dataclass(frozen=True, slots=True)
class Rest:
    """The schema of the properties that neither `properties` nor `patternProperties` beside it names."""

    schema: Prepared
    names: frozenset[str]
    matchers: tuple[PatternMatcher, ...]

    def takes(self, name: str) -> bool:
        """Whether the schema is for the property *name*."""
        return name not in self.names and not any(matcher.matches(name) for matcher in self.matchers)


@dataclass(frozen=True, slots=True)
class Patterned:
    """One entry of `patternProperties`."""

    pattern: str
    matcher: PatternMatcher
    schema: Prepared


class Preparation:
    """A document whose *places* are all prepared; *root* is the one at the root."""

    def __init__(self, document: Json, compile_pattern: Compile, formats: FormatUse = "assert") -> None:
        self._compile = compile_pattern
        self._left_out = _LEFT_OUT if formats == "assert" else _LEFT_OUT | {"format"}
        self._matchers: dict[str, PatternMatcher] = {}
        places, _ = places_of(document)
        # Every place gets its dict first, so that a reference is a reference to the very dict.
        self.places: dict[Tokens, Prepared] = {
            tokens: True if schema is True else {FALSE: True} if schema is False else {}
            for tokens, schema in places.items()
        }
        for tokens, schema in places.items():
            if type(schema) is dict:
                self._fill(tokens, schema)
        self.root = self.places[()]

    def _fill(self, tokens: Tokens, schema: dict[str, Json]) -> None:
        filled = self.places[tokens]
        for keyword, value in schema.items():
            if keyword not in self._left_out and not is_annotation(keyword):
                filled[keyword] = self._needed(tokens, keyword, value, schema)

    def _needed(self, tokens: Tokens, keyword: str, value: Json, schema: dict[str, Json]) -> Any:
        """What the keyword is called with."""
        needed: Any
        match keyword:
            case "$ref":
                needed = self.places[reference_target(value)]
            case "pattern":
                needed = self._matcher(value)
            case "patternProperties":
                place = (*tokens, keyword)
                needed = [Patterned(name, self._matcher(name), self.places[(*place, name)]) for name in value]
            case "additionalProperties":
                matchers = tuple(map(self._matcher, schema.get("patternProperties", ())))
                needed = Rest(self.places[(*tokens, keyword)], frozenset(schema.get("properties", ())), matchers)
            case "format":
                needed = FORMATS[value]
            case "enum":
                needed = members_of(value)
            case "multipleOf":
                needed = Fraction(value)
            case _:
                needed = self._held(tokens, keyword, value)
        return needed

    def _held(self, tokens: Tokens, keyword: str, value: Json) -> Any:
        holds = HOLDERS.get(keyword)
        if holds is Holds.ONE:
            return self.places[(*tokens, keyword)]
        if holds is Holds.LIST:
            return [self.places[(*tokens, keyword, str(index))] for index in range(len(value))]
        if holds is Holds.MAP:
            return {name: self.places[(*tokens, keyword, name)] for name in value}
        return value

    def _matcher(self, pattern: str) -> PatternMatcher:
        if pattern not in self._matchers:
            self._matchers[pattern] = self._compile(translated(pattern))
        return self._matchers[pattern]
