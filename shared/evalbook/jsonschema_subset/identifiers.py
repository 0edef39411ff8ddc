"""What a document calls its own schemas: base addresses and anchors (RFC 3986; JSON Schema core, sections 8 and 9)."""

from collections.abc import Iterator
from typing import Final
from urllib.parse import quote, unquote, urldefrag, urljoin

from evalbook.jsonio.pointer import Tokens, format_pointer, parse_pointer
from evalbook.jsonio.values import Json
from evalbook.jsonschema_subset.drafts import SchemaDraft

_FRAGMENT_SAFE: Final = "/~!$&'()*+,;=:@?"


def own_address(schema: dict[str, Json], draft: SchemaDraft) -> str | None:
    """Return the address by which *schema* calls itself, with its fragment; None where it does not."""
    if draft.ignores_siblings_of_references and "$ref" in schema:
        return None
    named = schema.get("id" if draft is SchemaDraft.DRAFT_04 else "$id")
    return named if type(named) is str else None


def fragment_of(tokens: Tokens) -> str:
    """Return the reference, '#' and a JSON Pointer, to the place *tokens* of its own document."""
    return "#" + quote(format_pointer(tokens), safe=_FRAGMENT_SAFE)


class Identifiers:
    """The schemas of one document by address and anchor; each is known by where it stands in the document."""

    def __init__(self, draft: SchemaDraft) -> None:
        self._draft = draft
        self._resources: dict[str, Tokens] = {"": ()}
        self._anchors: dict[tuple[str, str], Tokens] = {}
        self._dynamic: dict[str, int] = {}

    def enter(self, tokens: Tokens, schema: dict[str, Json], base: str) -> str:
        """Take up *schema*, which stands at *tokens* under the address *base*; return the address inside it."""
        named = own_address(schema, self._draft)
        address, anchor = urldefrag(named) if named is not None else ("", "")
        if address:
            base = urljoin(base, address)
            self._resources[base] = tokens
        for name in [anchor, *self._anchors_of(schema)]:
            if name:
                self._anchors[base, name] = tokens
        return base

    def _anchors_of(self, schema: dict[str, Json]) -> Iterator[str]:
        if self._draft <= SchemaDraft.DRAFT_07:
            return
        for keyword in ("$anchor", "$dynamicAnchor"):
            name = schema.get(keyword)
            if type(name) is str:
                yield name
                self._dynamic[name] = self._dynamic.get(name, 0) + (keyword == "$dynamicAnchor")
        if schema.get("$recursiveAnchor") is True:
            self._dynamic[""] = self._dynamic.get("", 0) + 1

    def target(self, reference: str, base: str) -> Tokens:
        """Return where the schema stands that *reference* names in a schema under the address *base*.

        Raises:
            ValueError: It leads out of the document, to an anchor that is not there, or is no JSON Pointer.
        """
        address, fragment = (base, reference[1:]) if reference.startswith("#") else urldefrag(urljoin(base, reference))
        if address not in self._resources:
            raise ValueError("leads out of the schema, and nothing is fetched: put what it names under $defs")
        name = unquote(fragment, errors="strict")
        if name and not name.startswith("/"):
            if (address, name) not in self._anchors:
                raise ValueError("leads to no anchor of this document: refer by JSON Pointer, '#/$defs/...'")
            return self._anchors[address, name]
        return self._resources[address] + parse_pointer(name)

    def is_static(self, reference: str) -> bool:
        """Whether a dynamic or recursive *reference* can only lead to where it would lead as `$ref`.

        It can where at most one schema of the document offers itself under that name.
        """
        return self._dynamic.get(urldefrag(reference)[1], 0) <= 1
