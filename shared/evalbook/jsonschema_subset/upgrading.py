"""Upgrading a document of an older draft to 2020-12: the same values are valid against what comes out.

What a draft spells otherwise is respelt, addresses and anchors become JSON Pointers, and what a draft ignores beside a
`$ref` is left out. A schema that is referred to in a container of the author's own moves to the root's `$defs`. A
document of 2020-12 that refers by JSON Pointer to where schemas stand comes out as it is, and so does what came out
once. One thing is lost: draft-04 takes 1.0 for no integer, every later draft does.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final

from evalbook.domain.errors import Problem
from evalbook.jsonio.pointer import Tokens, format_pointer, resolve
from evalbook.jsonio.values import Json
from evalbook.jsonschema_subset.containers import Containers
from evalbook.jsonschema_subset.drafts import SchemaDraft, draft_of, unknown_to
from evalbook.jsonschema_subset.identifiers import Identifiers, fragment_of
from evalbook.jsonschema_subset.references import reference_target
from evalbook.jsonschema_subset.respelling import Spelt, respelt
from evalbook.jsonschema_subset.vocabulary import HOLDERS, Holds, held, is_annotation

_DYNAMIC: Final = frozenset({"$dynamicRef", "$recursiveRef"})
_BESIDE_REFERENCES: Final = frozenset({"$ref", "$schema", "$defs", "definitions"})


@dataclass(frozen=True, slots=True)
class Upgrade:
    """A document as 2020-12 has it, what kept parts of it from being upgraded, and where each part comes from."""

    document: Json
    problems: tuple[Problem, ...]
    _origins: Mapping[Tokens, Tokens]

    def origin(self, tokens: Tokens) -> str:
        """Return the pointer, in the document as it was sent, to what stands at *tokens* in the upgraded one."""
        known = next(length for length in range(len(tokens), -1, -1) if tokens[:length] in self._origins)
        return format_pointer(self._origins[tokens[:known]] + tokens[known:])


def upgraded(document: Json) -> Upgrade:
    """Upgrade *document* from the draft that its `$schema` names; without one it is of 2020-12.

    What is no schema, or no keyword of that draft, stays as it is: it is for the check that follows to refuse.
    """
    draft = draft_of(document)
    if draft is None:
        known = ", ".join(f"'{each.address}'" for each in SchemaDraft)
        problem = Problem("/$schema", f"names no draft that is known here: write one of {known}")
        return Upgrade(document, (problem,), {(): ()})
    return _Upgrading(document, draft).finished()


@dataclass(frozen=True, slots=True)
class _Entry:
    """A keyword of a schema as 2020-12 has it, and where its value stood."""

    keyword: str
    value: Json
    origin: Tokens


@dataclass(frozen=True, slots=True)
class _Place:
    """A schema: where it stood, its address, and its keywords; or something else that stood where a schema should."""

    origin: Tokens
    value: Json
    base: str = ""
    entries: tuple[_Entry, ...] = ()


@dataclass(slots=True)
class _Upgrading:
    """The upgrade of one document: its places by where they stand in the end."""

    document: Json
    draft: SchemaDraft
    places: dict[Tokens, _Place] = field(default_factory=dict)
    moved: dict[Tokens, Tokens] = field(default_factory=dict)
    problems: dict[Tokens, Problem] = field(default_factory=dict)
    identifiers: Identifiers = field(init=False)

    def finished(self) -> Upgrade:
        """Return the whole document, upgraded."""
        self.identifiers = Identifiers(self.draft)
        self._walk([((), (), self.document, "")])
        self._move_out_of_containers()
        self._compare_contains()
        origins: dict[Tokens, Tokens] = {}
        built: dict[Tokens, Json] = {}
        # What a schema holds comes after it: from the end on, that is there when it is needed.
        for tokens, place in reversed(self.places.items()):
            built[tokens] = self._built(tokens, place, built)
            origins[tokens] = place.origin
            for entry in place.entries:
                origins.setdefault((*tokens, entry.keyword), entry.origin)
        return Upgrade(built[()], tuple(self.problems.values()), origins)

    def _walk(self, pending: list[tuple[Tokens, Tokens, Json, str]]) -> None:
        while pending:
            tokens, origin, schema, outer = pending.pop()
            self.moved[origin] = tokens
            if type(schema) is not dict:
                self.places[tokens] = _Place(origin, schema)
                continue
            base = self.identifiers.enter(origin, schema, outer)
            entries = tuple(self._entries(schema, origin))
            self.places[tokens] = _Place(origin, schema, base, entries)
            pending += reversed(
                [
                    ((*tokens, *below), (*entry.origin, *below[1:]), inner, base)
                    for entry in entries
                    for _, below, inner in held({entry.keyword: entry.value})
                ]
            )

    def _move_out_of_containers(self) -> None:
        """Move what is referred to in containers to the root's `$defs`, and leave the containers out."""
        containers = Containers(self.document, self.moved)
        root_definitions = [entry.value for entry in self.places[()].entries if entry.keyword == "$defs"]
        if any(type(each) is not dict for each in root_definitions):
            return
        taken = {name for each in root_definitions if type(each) is dict for name in each}
        looked_at = 0
        added: dict[str, Json] = {}
        while looked_at < len(self.places):
            fresh = list(self.places.values())[looked_at:]
            looked_at = len(self.places)
            containers.referred |= (targets := {each for place in fresh for each in self._targets(place)})
            for target in sorted(targets, key=len):
                if owner := containers.owner_of(target):
                    name = _free_name(target, taken)
                    base = self.places[self.moved[owner.schema]].base
                    added[name] = resolve(self.document, target)
                    self._walk([(("$defs", name), target, added[name], base)])
                    containers.opened.append(target)
        if added:
            self._leave_out(containers, _Entry("$defs", added, ()))

    def _leave_out(self, containers: Containers, definitions: _Entry) -> None:
        left_out = containers.left_out()
        for tokens, place in self.places.items():
            kept = tuple(entry for entry in place.entries if entry.origin not in left_out)
            self.places[tokens] = replace(place, entries=kept)
        root = self.places[()]
        self.places[()] = replace(root, entries=(*root.entries, definitions))

    def _targets(self, place: _Place) -> Iterator[Tokens]:
        for entry in place.entries:
            if entry.keyword == "$ref" and type(entry.value) is str:
                with suppress(ValueError):
                    yield self.identifiers.target(entry.value, place.base)

    def _entries(self, schema: dict[str, Json], origin: Tokens) -> Iterator[_Entry]:
        alone = "$ref" in schema and self.draft.ignores_siblings_of_references
        for keyword, value in schema.items():
            if alone and keyword not in _BESIDE_REFERENCES and not is_annotation(keyword):
                continue
            here = (*origin, keyword)
            if ignored := unknown_to(self.draft, keyword):
                self._refuse(here, ignored)
            for name in self._defined_twice(keyword, schema):
                self._refuse((*here, name), "stands under $defs too, which is the same: rename one of them")
            for new, inner in respelt(Spelt(keyword, value, schema, self.draft, at_root=not origin)):
                yield _Entry(new, inner, here)

    def _defined_twice(self, keyword: str, schema: dict[str, Json]) -> list[str]:
        if keyword != "definitions" or type(schema[keyword]) is not dict or type(schema.get("$defs")) is not dict:
            return []
        return [name for name in schema[keyword] if name in schema["$defs"]]

    def _compare_contains(self) -> None:
        """Refuse what 2019-09 and 2020-12 mean differently: whether `contains` evaluates the items it finds."""
        keywords = [(entry.keyword, entry.origin) for place in self.places.values() for entry in place.entries]
        if self.draft is SchemaDraft.DRAFT_2019_09 and any(keyword == "unevaluatedItems" for keyword, _ in keywords):
            for keyword, origin in keywords:
                if keyword == "contains":
                    self._refuse(origin, f"means another thing beside unevaluatedItems since {_LATEST}: name {_LATEST}")

    def _refuse(self, tokens: Tokens, message: str) -> None:
        self.problems.setdefault(tokens, Problem(format_pointer(tokens), message))

    def _built(self, tokens: Tokens, place: _Place, built: Mapping[Tokens, Json]) -> Json:
        if type(place.value) is not dict:
            return place.value
        document: dict[str, Json] = {}
        for entry in place.entries:
            value = _with_held(entry, (*tokens, entry.keyword), built)
            if entry.keyword == "$ref" and type(value) is str:
                value = self._reference(value, place.base, entry.origin)
                if value is None:
                    continue
            both = entry.keyword == "$defs" and type(value) is dict and type(document.get("$defs")) is dict
            document[entry.keyword] = document[entry.keyword] | value if both else value
        return document

    def _reference(self, reference: str, base: str, origin: Tokens) -> str | None:
        """Return *reference* as it leads to the same schema in the upgraded document; None where it leads nowhere."""
        try:
            target = self.identifiers.target(reference, base)
        except ValueError as error:
            self._refuse(origin, str(error))
            return None
        if target not in self.moved:
            self._refuse(origin, "leads to no schema of this document")
            return None
        if origin[-1] in _DYNAMIC and not self.identifiers.is_static(reference):
            self._refuse(origin, "leads to one schema or another, by the way that was taken to it: write $ref")
            return None
        new = self.moved[target]
        return reference if _leads_to(reference, new) else fragment_of(new)


_LATEST: Final = SchemaDraft.DRAFT_2020_12


def _with_held(entry: _Entry, tokens: Tokens, built: Mapping[Tokens, Json]) -> Json:
    """Return the value of *entry*, whose schemas stand, *built*, under *tokens*."""
    holds, value = HOLDERS.get(entry.keyword), entry.value
    if holds is Holds.ONE:
        return built[tokens]
    if holds is Holds.LIST and type(value) is list:
        return [built[(*tokens, str(index))] for index in range(len(value))]
    if holds is Holds.MAP and type(value) is dict:
        return {name: built[(*tokens, name)] for name in value}
    return value


def _free_name(tokens: Tokens, taken: set[str]) -> str:
    """Return a name for what stood at *tokens* that is not *taken* yet, and take it."""
    name = "/".join(tokens)
    while name in taken:
        name += "'"
    taken.add(name)
    return name


def _leads_to(reference: str, tokens: Tokens) -> bool:
    try:
        return reference_target(reference) == tokens
    except ValueError:
        return False
