"""The drafts of JSON Schema that a document may be written in, and what each of them does not know yet."""

from collections.abc import Mapping
from enum import IntEnum
from types import MappingProxyType
from typing import Final

from evalbook.jsonio.values import Json


class SchemaDraft(IntEnum):
    """A draft; later ones are larger."""

    DRAFT_04 = 4
    DRAFT_06 = 6
    DRAFT_07 = 7
    DRAFT_2019_09 = 2019
    DRAFT_2020_12 = 2020

    def __str__(self) -> str:
        """Return its name, as people call it."""
        return _NAMES[self]

    @property
    def address(self) -> str:
        """Its meta-schema's address, without the empty fragment that older drafts end theirs with."""
        return _ADDRESSES[self]

    @property
    def ignores_siblings_of_references(self) -> bool:
        """Whether `$ref` is alone in its schema: what stands beside it is not there (draft-07, section 8.3)."""
        return self <= SchemaDraft.DRAFT_07


_NAMES: Final[Mapping[SchemaDraft, str]] = MappingProxyType(
    {
        SchemaDraft.DRAFT_04: "draft-04",
        SchemaDraft.DRAFT_06: "draft-06",
        SchemaDraft.DRAFT_07: "draft-07",
        SchemaDraft.DRAFT_2019_09: "2019-09",
        SchemaDraft.DRAFT_2020_12: "2020-12",
    }
)
_ADDRESSES: Final[Mapping[SchemaDraft, str]] = MappingProxyType(
    {
        draft: f"http://json-schema.org/{name}/schema"
        if draft <= SchemaDraft.DRAFT_07
        else f"https://json-schema.org/draft/{name}/schema"
        for draft, name in _NAMES.items()
    }
)
# Some documents write the address with the other scheme, and mean the same draft.
_DRAFTS: Final[Mapping[str, SchemaDraft]] = MappingProxyType(
    {address.partition("://")[2]: draft for draft, address in _ADDRESSES.items()}
)

# The first draft that knows a keyword which checks something; a draft ignores what it does not know.
_SINCE: Final[Mapping[str, SchemaDraft]] = MappingProxyType(
    dict.fromkeys(("const", "contains", "propertyNames"), SchemaDraft.DRAFT_06)
    | dict.fromkeys(("if", "then", "else"), SchemaDraft.DRAFT_07)
    | dict.fromkeys(("dependentRequired", "dependentSchemas", "$anchor"), SchemaDraft.DRAFT_2019_09)
    | dict.fromkeys(("minContains", "maxContains"), SchemaDraft.DRAFT_2019_09)
    | dict.fromkeys(("unevaluatedItems", "unevaluatedProperties", "$recursiveRef"), SchemaDraft.DRAFT_2019_09)
    | dict.fromkeys(("prefixItems", "$dynamicRef", "$dynamicAnchor"), SchemaDraft.DRAFT_2020_12)
)


def draft_of(document: Json) -> SchemaDraft | None:
    """Return the draft that *document* names in `$schema`: 2020-12 where it names none, None where it is unknown."""
    named = document.get("$schema") if type(document) is dict else None
    if named is None:
        return SchemaDraft.DRAFT_2020_12
    return draft_at(named) if type(named) is str else None


def draft_at(address: str) -> SchemaDraft | None:
    """Return the draft whose meta-schema has this *address*."""
    scheme, _, rest = address.removesuffix("#").partition("://")
    return _DRAFTS.get(rest) if scheme in ("http", "https") else None


def unknown_to(draft: SchemaDraft, keyword: str) -> str | None:
    """Say why *keyword* would check nothing in a document of *draft*; None where the draft knows it."""
    since = _SINCE.get(keyword)
    if since is None or since <= draft:
        return None
    return f"is ignored by {draft}: name {since} or a later draft in $schema ('{since.address}'), or remove it"
