"""Finding where a small value breaks a schema by the native validator's own errors, fifty times as fast as by walking.

Its errors come all at once, some ten microseconds each, and those of a recursion that branches without an end in sight.
So it is asked only where values times schemas stay small; otherwise `validation` walks, and stops when it has enough.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from evalbook.domain.outcome import EarlyOutcome
from evalbook.jsonio.pointer import Tokens
from evalbook.jsonio.values import Json
from evalbook.jsonschema_subset.deciding import EXACT, Decider
from evalbook.jsonschema_subset.leaves import LEAVES
from evalbook.jsonschema_subset.preparing import FALSE, Prepared
from evalbook.jsonschema_subset.references import edges_of, expanded_size, nodes_on_loops, reference_target
from evalbook.jsonschema_subset.validation import Failure

# Values times schemas: each pair is an error at the worst.
MAX_PAIRS: Final = 20_000
# What the native validator reports without the place that the walk gives, or only as a whole.
_WALKED: Final = frozenset({"contains", "propertyNames", "unevaluatedItems", "unevaluatedProperties"})
_BRANCHING: Final = frozenset({"anyOf", "oneOf", "not", "if"})
_EACH_NAME: Final = frozenset({"required", "dependentRequired"})
_CONTAINERS: Final = (dict, list)


def place_of(schema_tokens: Sequence[str | int], places: Mapping[Tokens, Json]) -> Tokens:
    """Return where *schema_tokens*, which follow references by `$ref`, lead to among *places*."""
    place: Tokens = ()
    for token in schema_tokens:
        followed = token == "$ref" and place in places
        place = reference_target(places[place]["$ref"]) if followed else (*place, str(token))
    return place


@dataclass(frozen=True, slots=True)
class Locator:
    """Finds the failures of values of at most `max_values` values inside one another."""

    decider: Decider
    places: Mapping[Tokens, Json]
    prepared: Mapping[Tokens, Prepared]
    max_values: int

    def failures(self, instance: Json, most: int) -> list[Failure] | None:
        """Return the first *most* failures of *instance*, which is not valid; None where it has to be walked."""
        if not within_size(instance, self.max_values):
            return None
        found: dict[Failure, None] = {}
        for error in self.decider.validator.iter_errors(instance):
            for failure in self._of_error(error, instance):
                found[failure] = None
                if len(found) == most:
                    return list(found)
        return list(found) or None

    def _of_error(self, error: Any, instance: Json) -> Iterator[Failure]:
        tokens, where = tuple(error.evaluation_path), tuple(error.instance_path)
        keyword = str(tokens[-1]) if tokens else FALSE
        above = tokens[:-1]
        if keyword == EXACT:
            yield from self._exact(above, where, _at(instance, where))
        elif keyword in _EACH_NAME and error.kind.name == "required":
            yield from self._names(keyword, above, where, _at(instance, where))
        elif keyword == "additionalProperties" and place_of(above, self.places) in self.places:
            rest = self.prepared[place_of(above, self.places)][keyword]
            yield from (Failure(FALSE, tokens, (*where, name)) for name in _at(instance, where) if rest.takes(name))
        else:
            yield Failure(FALSE if error.kind.name == "falseSchema" else keyword, tokens, where)

    def _exact(self, above: tuple[str | int, ...], where: tuple[str | int, ...], value: Json) -> Iterator[Failure]:
        for keyword, check, wanted in self.decider.checks_at[place_of(above, self.places)]:
            try:
                broken = bool(check(None, wanted, value, None))
            except EarlyOutcome:
                continue
            if broken:
                yield Failure(keyword, (*above, keyword), where)

    def _names(
        self, keyword: str, above: tuple[str | int, ...], where: tuple[str | int, ...], value: Json
    ) -> Iterator[Failure]:
        wanted = self.prepared[place_of(above, self.places)][keyword]
        for each in LEAVES[keyword](None, wanted, value, None) or ():
            yield Failure(keyword, (*above, keyword, *each.relative_schema_path), where)


def locator(
    decider: Decider | None, places: Mapping[Tokens, Json], prepared: Mapping[Tokens, Prepared]
) -> Locator | None:
    """Return a locator for the document that has these *places*; None where every failing value has to be walked."""
    if decider is None:
        return None
    keywords = frozenset().union(*(schema for schema in places.values() if type(schema) is dict))
    edges = edges_of(places)
    if keywords & _WALKED or (keywords & _BRANCHING and nodes_on_loops(edges.all)):
        return None
    return Locator(decider, places, prepared, MAX_PAIRS // expanded_size(edges))


def within_size(value: Json, most: int) -> bool:
    """Whether *value* and all inside it are at most *most* values."""
    inside = [value] if type(value) in _CONTAINERS else []
    left = most - 1
    while inside:
        left -= sum(map(len, inside))
        if left < 0:
            return False
        # The elements are looked at once, since a value that breaks a schema is often a long list with one at fault.
        held: list[Json] = []
        for holder in inside:
            held.extend(holder.values() if type(holder) is dict else holder)
        inside = [each for each in held if type(each) in _CONTAINERS]
    return left >= 0


def _at(value: Json, tokens: tuple[str | int, ...]) -> Any:
    for token in tokens:
        value = value[token]
    return value
