"""Containers of the author's own: members of a document that are no keywords, and hold schemas that are referred to.

Validators ignore them where they stand, and follow a `$ref` into them: `#/$defs/group/name`,
`#/components/schemas/name`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from rapidfuzz.distance import Indel

from evalbook.jsonio.pointer import Tokens, resolve
from evalbook.jsonio.values import Json
from evalbook.jsonschema_subset.vocabulary import HOLDERS, is_annotation, is_own_annotation, is_unknown

_DEFINITIONS: Final = ("$defs", "definitions")
_MISSPELT: Final = sorted(each.casefold() for each in {*HOLDERS, "dependencies", "additionalItems"} - {"$defs"})
# Of what is this alike (1: equal, 0: no character in common), one is the other misspelt.
_ALIKE: Final = 0.82


def is_container(keyword: str) -> bool:
    """Whether *keyword* is none of any draft, and no misspelt one that would check something."""
    name = keyword.casefold()
    misspelt = any(Indel.normalized_similarity(name, each) >= _ALIKE for each in _MISSPELT)
    return is_own_annotation(keyword) or (is_unknown(keyword) and not misspelt)


def _leaves(keyword: str) -> bool:
    """Whether a member named *keyword* has to go: a keyword may hold what was first found without knowing that."""
    return is_container(keyword) and not is_annotation(keyword)


@dataclass(frozen=True, slots=True)
class Owner:
    """The schema around a container, by where it stands, and the container's name."""

    schema: Tokens
    keyword: str


@dataclass(slots=True)
class Containers:
    """The containers of *document*; *schemas* are the places of schemas, and grow as schemas are found in containers.

    *referred* is every place that a reference leads to, *opened* those of them that stood in a container.
    """

    document: Json
    schemas: Mapping[Tokens, Tokens]
    referred: set[Tokens] = field(default_factory=set)
    opened: list[Tokens] = field(default_factory=list)

    def owner_of(self, target: Tokens) -> Owner | None:
        """Return whose container holds the schema at *target*; None where a schema is known, or none can be, there."""
        if target in self.schemas or type(found := resolve(self.document, target)) not in (dict, bool):
            return None
        owner = self._around(target)
        between = [target[:length] for length in range(len(owner.schema) + 1, len(target))]
        named = [*between, target] if type(found) is dict else between
        # Which address holds inside a container that calls itself by one is not agreed on.
        calls_itself = any(
            type(resolve(self.document, (*each, word))) is str for each in named for word in ("$id", "id")
        )
        return owner if is_container(owner.keyword) and not calls_itself else None

    def _around(self, target: Tokens) -> Owner:
        length = next(length for length in range(len(target) - 1, -1, -1) if target[:length] in self.schemas)
        return Owner(target[:length], target[length])

    def left_out(self) -> set[Tokens]:
        """Return where the members stand that nothing reads once what is referred to has left them."""
        owners = {self._around(target) for target in self.opened}
        found = {(*each.schema, each.keyword) for each in owners if _leaves(each.keyword)}
        for group in {each.schema for each in owners if self._is_group(each.schema)}:
            members = resolve(self.document, group)
            names = [name for name, value in members.items() if type(value) is dict] if type(members) is dict else []
            found |= {(*group, name) for name in names if _leaves(name)}
        return found

    def _is_group(self, schema: Tokens) -> bool:
        """Whether *schema* stands among definitions and nothing refers to it: it applies to no value."""
        return (
            len(schema) > 1
            and schema[-2] in _DEFINITIONS
            and schema[:-2] in self.schemas
            and (schema not in self.referred)
        )
