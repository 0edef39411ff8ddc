"""What `unevaluatedItems` and `unevaluatedProperties` leave alone: what other schemas in force have evaluated."""

from collections.abc import Collection, Iterator
from typing import Any

from evalbook.jsonio.values import Json
from evalbook.jsonschema_subset.preparing import Prepared
from evalbook.jsonschema_subset.run import spend


def holds(validator: Any, instance: Json, schema: Prepared) -> bool:
    """Whether *instance* is valid against *schema*."""
    return next(validator.descend(instance, schema), None) is None


def evaluated_properties(validator: Any, instance: dict[str, Json], schema: Prepared) -> Collection[str]:
    """The names of the properties that *schema*, apart from its own `unevaluatedProperties`, evaluates."""
    names: set[str] = set()
    for part in _in_force(validator, instance, schema):
        if part is not schema and "unevaluatedProperties" in part:
            return instance.keys()
        names |= part.get("properties", {}).keys() & instance.keys()
        for entry in part.get("patternProperties", ()):
            spend(len(instance))
            names.update(filter(entry.matcher.matches, instance))
        if "additionalProperties" in part:
            names.update(filter(part["additionalProperties"].takes, instance))
    return names


def evaluated_items(validator: Any, instance: list[Json], schema: Prepared) -> Collection[int]:
    """The indexes of the items that *schema*, apart from its own `unevaluatedItems`, evaluates."""
    indexes: set[int] = set()
    for part in _in_force(validator, instance, schema):
        if "items" in part or (part is not schema and "unevaluatedItems" in part):
            return range(len(instance))
        indexes.update(range(len(part.get("prefixItems", ()))))
        if "contains" in part:
            indexes.update(index for index, item in enumerate(instance) if holds(validator, item, part["contains"]))
    return indexes


def _in_force(validator: Any, instance: Json, schema: Prepared) -> Iterator[dict[str, Any]]:
    """*schema* and every schema that applies to the same value through it and holds."""
    if type(schema) is bool:
        return
    yield schema
    for further in _next(validator, instance, schema):
        yield from _in_force(validator, instance, further)


def _next(validator: Any, instance: Json, schema: dict[str, Any]) -> Iterator[Prepared]:
    spend()
    # Where one of these does not hold, neither does the schema around it, so asking again would change nothing.
    if "$ref" in schema:
        yield schema["$ref"]
    yield from schema.get("allOf", ())
    if type(instance) is dict:
        yield from (inner for name, inner in schema.get("dependentSchemas", {}).items() if name in instance)
    for keyword in ("anyOf", "oneOf"):
        yield from (inner for inner in schema.get(keyword, ()) if holds(validator, instance, inner))
    if "if" in schema:
        if holds(validator, instance, schema["if"]):
            yield schema["if"]
            yield schema.get("then", True)
        else:
            yield schema.get("else", True)
