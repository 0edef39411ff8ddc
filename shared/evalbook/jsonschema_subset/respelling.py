"""How 2020-12 spells what older drafts spell otherwise, keyword by keyword."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from evalbook.jsonio.values import Json, is_number
from evalbook.jsonschema_subset.drafts import SchemaDraft, draft_at

Spelling = list[tuple[str, Json]]
"""Keywords with their values; the schemas in a value stand where they stood in the value before."""


@dataclass(frozen=True, slots=True)
class Spelt:
    """A keyword as its document spells it, and what matters around it."""

    keyword: str
    value: Json
    schema: Mapping[str, Json]
    draft: SchemaDraft
    at_root: bool

    @property
    def as_it_is(self) -> Spelling:
        """The keyword unchanged: what has no other spelling, or is wrong and for the check to refuse."""
        return [(self.keyword, self.value)]


def respelt(spelt: Spelt) -> Spelling:
    """Return what 2020-12 has in place of *spelt*; nothing where the keyword has no meaning beyond its document."""
    respelling = _RESPELLINGS.get(spelt.keyword)
    return spelt.as_it_is if respelling is None else respelling(spelt)


def _dialect(spelt: Spelt) -> Spelling:
    if spelt.at_root:
        return [("$schema", SchemaDraft.DRAFT_2020_12.address)]
    repeated = type(spelt.value) is str and draft_at(spelt.value) is spelt.draft
    return [] if repeated else spelt.as_it_is


def _name(spelt: Spelt) -> Spelling:
    """The document keeps its name; those of schemas inside have served once the references are JSON Pointers."""
    if type(spelt.value) is not str:
        return spelt.as_it_is
    old = spelt.keyword == "id"
    kept = spelt.at_root and not spelt.value.startswith("#") and (not old or spelt.draft is SchemaDraft.DRAFT_04)
    return [("$id", spelt.value)] if kept and not (old and "$id" in spelt.schema) else []


def _definitions(spelt: Spelt) -> Spelling:
    return [("$defs", spelt.value)]


def _items(spelt: Spelt) -> Spelling:
    is_tuple = type(spelt.value) is list and spelt.draft < SchemaDraft.DRAFT_2020_12
    return [("prefixItems", spelt.value)] if is_tuple else spelt.as_it_is


def _additional_items(spelt: Spelt) -> Spelling:
    if spelt.draft is SchemaDraft.DRAFT_2020_12:
        return spelt.as_it_is
    # Beside any other `items`, or none, it says nothing (draft-07 validation, section 6.4.2).
    return [("items", spelt.value)] if type(spelt.schema.get("items")) is list else []


def _dependencies(spelt: Spelt) -> Spelling:
    if spelt.draft > SchemaDraft.DRAFT_07 or type(spelt.value) is not dict:
        return spelt.as_it_is
    names = {name: inner for name, inner in spelt.value.items() if type(inner) is list}
    schemas = {name: inner for name, inner in spelt.value.items() if type(inner) is not list}
    split: Spelling = [("dependentRequired", names), ("dependentSchemas", schemas)]
    return [(keyword, members) for keyword, members in split if members]


def _exclusive(spelt: Spelt) -> Spelling:
    """draft-04 says by a boolean whether the bound beside it is exclusive."""
    if spelt.draft is not SchemaDraft.DRAFT_04 or type(spelt.value) is not bool:
        return spelt.as_it_is
    bound = spelt.schema.get(_BOUNDS[spelt.keyword])
    if spelt.value:
        return [(spelt.keyword, bound)] if is_number(bound) else spelt.as_it_is
    return []


def _bound(spelt: Spelt) -> Spelling:
    exclusive = spelt.draft is SchemaDraft.DRAFT_04 and spelt.schema.get(_EXCLUSIVE[spelt.keyword]) is True
    return [] if exclusive and is_number(spelt.value) else spelt.as_it_is


def _anchor(spelt: Spelt) -> Spelling:
    return [] if type(spelt.value) is str else spelt.as_it_is


def _recursive_anchor(spelt: Spelt) -> Spelling:
    known = spelt.draft is SchemaDraft.DRAFT_2019_09 and type(spelt.value) is bool
    return [] if known else spelt.as_it_is


def _dynamic_reference(spelt: Spelt) -> Spelling:
    since = SchemaDraft.DRAFT_2019_09 if spelt.keyword == "$recursiveRef" else SchemaDraft.DRAFT_2020_12
    taken = spelt.draft is since and type(spelt.value) is str and "$ref" not in spelt.schema
    return [("$ref", spelt.value)] if taken else spelt.as_it_is


_BOUNDS: Final = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}
_EXCLUSIVE: Final = {bound: exclusive for exclusive, bound in _BOUNDS.items()}
_RESPELLINGS: Final[Mapping[str, Callable[[Spelt], Spelling]]] = MappingProxyType(
    {
        "$schema": _dialect,
        "$id": _name,
        "id": _name,
        "definitions": _definitions,
        "items": _items,
        "additionalItems": _additional_items,
        "dependencies": _dependencies,
        "$anchor": _anchor,
        "$dynamicAnchor": _anchor,
        "$recursiveAnchor": _recursive_anchor,
    }
    | dict.fromkeys(_BOUNDS, _exclusive)
    | dict.fromkeys(_EXCLUSIVE, _bound)
    | dict.fromkeys(("$dynamicRef", "$recursiveRef"), _dynamic_reference)
)
