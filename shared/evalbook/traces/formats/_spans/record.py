"""One recorded span, log record, run or observation, whatever container and platform it came from."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from evalbook.jsonio.values import Json
from evalbook.traces.formats._parts import parsed, text_of

_MAX_DEPTH: Final = 12
_JSON_STARTS: Final = ("{", "[", '"')
_NO_IDS: Final = frozenset({"", "null", "None", "none", "undefined", "<not specified>"})


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a span, or a log record that belongs to one; `attributes` by dotted name."""

    pointer: str
    name: str
    attributes: Mapping[str, Json]
    body: Json = None


@dataclass(slots=True, kw_only=True)
class Record:
    """A span as recorded: `attributes` hold every dotted name, also those of the levels in between.

    Times are nanoseconds or RFC 3339 texts. `timed` is False where a time was there and could not be read, or none was
    there: such a span is ordered by its place. `end` None beside a start says that it has not ended. An entry is
    where a request came in from another process: its parent is not expected in the document.
    """

    pointer: str
    span_id: str
    parent_id: str | None = None
    trace_id: str | None = None
    name: str = ""
    scope: str = ""
    attributes: Mapping[str, Json] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    start: Json = None
    end: Json = None
    timed: bool = False
    status: str = "unset"
    error: str | None = None
    is_log: bool = False
    is_entry: bool = False
    sequence: int | None = None

    def first(self, *names: str) -> Json:
        """The first of the attributes *names* that is there, None where none is."""
        return next((self.attributes[name] for name in names if self.attributes.get(name) is not None), None)

    def has_any(self, *prefixes: str) -> bool:
        """Whether an attribute's name is, or is below, one of *prefixes*."""
        return any(is_below(name, prefixes) for name, value in self.attributes.items() if value is not None)


def is_below(name: str, prefixes: tuple[str, ...]) -> bool:
    """Whether *name* is one of *prefixes* or stands below one; a prefix that ends in a dot or colon is a beginning."""
    return any(name == one or name.startswith(one if one[-1] in ".:_" else f"{one}.") for one in prefixes)


def dotted(attributes: Mapping[str, Json]) -> dict[str, Json]:
    """*attributes* by dotted name, each level of nesting under its own name too; lists stay whole."""
    return dict(_dotted("", attributes, 0))


def _dotted(prefix: str, value: Json, depth: int) -> Iterator[tuple[str, Json]]:
    if prefix:
        yield prefix, value
    if isinstance(value, Mapping) and depth < _MAX_DEPTH:
        for name, member in value.items():
            yield from _dotted(f"{prefix}.{name}" if prefix else str(name), member, depth + 1)


def nested(attributes: Mapping[str, Json], prefix: str) -> Json:
    """What stands at *prefix*, with flattened names made structures again: members with numbers for names are lists."""
    whole = attributes.get(prefix)
    if whole is not None and not (isinstance(whole, Mapping) and any(name[:1].isdecimal() for name in whole)):
        return whole
    tree: dict[str, Json] = {}
    for name, value in attributes.items():
        if name.startswith(f"{prefix}.") and not isinstance(value, Mapping):
            _plant(tree, name[len(prefix) + 1 :].split("."), value)
    return _listed(tree, 0) if tree else None


def _plant(tree: dict[str, Json], path: list[str], value: Json) -> None:
    for step in path[:-1]:
        below = tree.setdefault(step, {})
        if type(below) is not dict:
            return
        tree = below
    if path[-1] not in tree:
        tree[path[-1]] = value


def _listed(tree: Json, depth: int) -> Json:
    if type(tree) is not dict or depth > _MAX_DEPTH:
        return tree
    if tree and all(name.isdecimal() and len(name) <= 9 for name in tree):  # noqa: PLR2004
        return [_listed(tree[name], depth + 1) for name in sorted(tree, key=int)]
    return {name: _listed(member, depth + 1) for name, member in tree.items()}


def structure_of(value: Json) -> Json:
    """*value*, or what it spells where it is a JSON text of an object or array, even of a text of one; None elsewhere.

    A producer encodes twice at most.
    """
    for _ in range(2):
        if type(value) is str and value.lstrip().startswith(_JSON_STARTS):
            value = parsed(value)
    return value if type(value) in (dict, list) else None


def id_of(value: Json) -> str | None:
    """*value* as an id: a text, or a number as one; empty texts and those that spell 'none' are no ids."""
    if type(value) is int:
        return str(value)
    return value if type(value) is str and value.strip() and value not in _NO_IDS else None


def name_of(value: Json) -> str | None:
    """*value* as a name, None where it is no text or an empty one."""
    text = text_of(value)
    return text if text is not None and text.strip() else None
