"""Positive marks: what a document must show to be of a format, as data.

A mark looks at one view of a document: its items, their parts, the spans' attributes. Which views there are depends on
no format; so the marks of all formats are looked for in one pass over the document.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Literal

from evalbook.jsonio.values import Json

View = Literal["document", "item", "part", "call", "span", "attributes", "event"]
Node = Mapping[str, Json]
Texts = frozenset[str] | re.Pattern[str]

CONTAINERS: Final = (
    "messages", "contents", "items", "output", "outputs", "input", "entries", "data", "events", "observations", "runs",
    "spans", "steps", "history", "calls", "traces", "choices", "candidates",
)  # fmt: skip
"""Members under which documents hold their list of items."""

_ENVELOPES: Final = ("message", "data", "kwargs", "content", "value", "event_data")
_PART_LISTS: Final = ("content", "parts", "contents")
_RESOURCES: Final = ("resourceSpans", "resource_spans", "resourceLogs", "resource_logs", "batches")
_SPAN_LISTS: Final = (
    "spans", "observations", "runs", "child_runs", "calls", "data", "traces", "items", "results", "records", "logs",
)  # fmt: skip
_SCOPES: Final = (
    "scopeSpans", "scope_spans", "instrumentationLibrarySpans", "scopeLogs", "scope_logs",
)  # fmt: skip
_RECORDS: Final = ("spans", "logRecords", "log_records")
_MAX_DEPTH: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatMark:
    """One sign of a format: a node of *view* has all of *has* (not null), *equals* as said, and none of *lacks*.

    A weak mark counts only where no format shows another one: what several formats share. `equals` holds, for a member,
    the texts that it may be, or a pattern that it must match as a whole. A member of a member is named `a/b`.
    """

    view: View
    has: tuple[str, ...] = ()
    equals: Mapping[str, Texts] = field(default_factory=dict)
    lacks: tuple[str, ...] = ()
    says: str = ""
    weak: bool = False

    def fits(self, node: Node) -> bool:
        """Whether *node* shows the mark."""
        return (
            all(_at(node, name) is not None for name in self.has)
            and all(_is_one_of(_at(node, name), texts) for name, texts in self.equals.items())
            and not any(name in node for name in self.lacks)
        )

    def __str__(self) -> str:
        if self.says:
            return self.says
        named = [*self.has, *(_shown(name, texts) for name, texts in self.equals.items())]
        return f"{self.view} with {', '.join(named)}"


def _at(node: Node, path: str) -> Json:
    """The member of *node*, or of its members, at *path*: names joined by `/`."""
    if path in node:
        return node[path]
    head, _, below = path.partition("/")
    member = node.get(head) if below else None
    return _at(member, below) if type(member) is dict else None


def _is_one_of(value: Json, texts: Texts) -> bool:
    if type(value) is not str:
        return False
    return value in texts if isinstance(texts, frozenset) else texts.fullmatch(value) is not None


def _shown(name: str, texts: Texts) -> str:
    return f"{name} {' or '.join(sorted(texts)[:3]) if isinstance(texts, frozenset) else 'of its form'}"


class Views:
    """The nodes of one document, view by view; each view is made when it is first looked at."""

    def __init__(self, document: Json) -> None:
        self._document = document

    def nodes(self, view: View) -> list[Node]:
        """The objects that *view* shows."""
        found: list[Node] = getattr(self, view)
        return found

    @cached_property
    def document(self) -> list[Node]:
        """The document itself, where it is an object."""
        return [self._document] if type(self._document) is dict else []

    @cached_property
    def item(self) -> list[Node]:
        """The elements of the document's list or lists."""
        return [item for item in _items(self._document) if type(item) is dict]

    @cached_property
    def part(self) -> list[Node]:
        """The elements of the items' lists of parts, also of messages in an envelope."""
        return [part for item in self.item for part in _parts(item) if type(part) is dict]

    @cached_property
    def call(self) -> list[Node]:
        """The elements of the items' `tool_calls`."""
        lists = [body.get("tool_calls") for item in self.item for body in _bodies(item)]
        return [call for calls in lists if type(calls) is list for call in calls if type(call) is dict]

    @cached_property
    def span(self) -> list[Node]:
        """The spans (and log records) of OTLP/JSON, of `spans`, or of a list; and the runs below a run."""
        return [span for span, _ in self._scoped]

    @cached_property
    def attributes(self) -> list[Node]:
        """Each span's attributes by dotted name, with `scope.name` and `span.name` beside them."""
        return [attributes_of(span, scope) for span, scope in self._scoped]

    @cached_property
    def event(self) -> list[Node]:
        """Each span event: its name and its attributes by dotted name."""
        lists = [span.get(name) for span in self.span for name in ("events", "span_events")]
        events = [event for found in lists if type(found) is list for event in found if type(event) is dict]
        return [{**attributes_of(event, None), "name": _event_name(event)} for event in events]

    @cached_property
    def _scoped(self) -> list[tuple[Node, Json]]:
        return list(_spans(self._document))


def _event_name(event: Node) -> Json:
    return event.get("name", event.get("event_name"))


def _items(document: Json) -> Iterator[Json]:
    if type(document) is list:
        yield from document
    elif type(document) is dict:
        yield document
        for name in CONTAINERS:
            held = document.get(name)
            if type(held) is list:
                yield from held
            elif type(held) is dict:
                yield from _items_below(held)


def _items_below(held: dict[str, Json]) -> Iterator[Json]:
    """The items of a container in a container: `{data: {spans}}`, `{output: {message}}`."""
    yield held
    for name in CONTAINERS:
        below = held.get(name)
        if type(below) is list:
            yield from below
    if type(held.get("message")) is dict:
        yield held["message"]


def _bodies(item: Node) -> Iterator[Node]:
    """*item* and what stands in its envelopes, as deep as two of them go."""
    yield item
    for name in _ENVELOPES:
        body = item.get(name)
        if type(body) is dict:
            yield body
            for below in _ENVELOPES:
                inner = body.get(below)
                if type(inner) is dict:
                    yield inner


def _parts(item: Node) -> Iterator[Json]:
    for body in _bodies(item):
        for name in _PART_LISTS:
            held = body.get(name)
            if type(held) is list:
                yield from held


def _spans(document: Json) -> Iterator[tuple[Node, Json]]:
    for batch in document if type(document) is list else [document]:
        if type(batch) is not dict:
            continue
        resources = [one for name in _RESOURCES if type(batch.get(name)) is list for one in batch[name]]
        if resources:
            yield from _otlp_spans(resources)
        else:
            yield from _plain_spans(batch, 0)


def _otlp_spans(resources: list[Json]) -> Iterator[tuple[Node, Json]]:
    scopes = [scope for one in resources if type(one) is dict for name in _SCOPES for scope in _objects(one.get(name))]
    for scope in scopes:
        for name in _RECORDS:
            for span in _objects(scope.get(name)):
                yield span, scope.get("scope")


def _plain_spans(batch: Node, depth: int) -> Iterator[tuple[Node, Json]]:
    yield batch, batch.get("scope") or batch.get("instrumentation_scope") or batch.get("instrumentationScope")
    if depth < _MAX_DEPTH:
        data = batch.get("data")
        holders = [batch, data] if type(data) is dict else [batch]
        for holder in holders:
            for name in _SPAN_LISTS:
                for span in _objects(holder.get(name)):
                    yield from _plain_spans(span, depth + 1)


def _objects(value: Json) -> list[dict[str, Json]]:
    return [one for one in value if type(one) is dict] if type(value) is list else []


def attributes_of(node: Node, scope: Json) -> dict[str, Json]:
    """The attributes of a span or event by dotted name, texts alone, with `scope.name` and `span.name` beside them."""
    raw = node.get("attributes")
    if type(raw) is list:
        raw = {str(pair.get("key")): _plain(pair.get("value")) for pair in raw if type(pair) is dict}
    found = dict(_dotted("", raw, 0)) if type(raw) is dict else {}
    named = {"span.name": node.get("name"), "scope.name": scope.get("name") if type(scope) is dict else scope}
    return {**found, **{name: value for name, value in named.items() if value is not None}}


def _plain(value: Json) -> Json:
    return next(iter(value.values())) if type(value) is dict and len(value) == 1 else value


def _dotted(prefix: str, value: Json, depth: int) -> Iterator[tuple[str, Json]]:
    if type(value) is dict and depth < _MAX_DEPTH:
        for name, member in value.items():
            yield from _dotted(f"{prefix}.{name}" if prefix else name, member, depth + 1)
    yield prefix, value
