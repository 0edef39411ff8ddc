"""The containers that spans are exported in, walked to the span objects; what may hold spans unread is a gap."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from evalbook.domain.errors import Problem, Refused
from evalbook.jsonio.values import Json, kind_of
from evalbook.traces.formats._gaps import Gaps, key_pointer, looks_like_printed_call, may_be_call

_OTLP: Final = (
    "resourceSpans", "resource_spans", "resourceLogs", "resource_logs", "scopeSpans", "scope_spans",
    "instrumentationLibrarySpans", "scopeLogs", "scope_logs", "logRecords", "log_records",
)  # fmt: skip
_LISTS: Final = (
    "spans",
    "observations",
    "runs",
    "traces",
    "batches",
    "data",
    "calls",
    "logs",
    "records",
    "items",
    "results",
)
_HOLDERS: Final = frozenset((*_OTLP, *_LISTS))
_HEADS: Final = ("trace", "trace.group")
_SCOPES: Final = ("scope", "instrumentation_scope", "instrumentationScope", "instrumentationLibrary")
_LOG_LISTS: Final = frozenset({"logRecords", "log_records", "logs"})
_LOG_MEMBERS: Final = ("body", "observedTimeUnixNano", "severityNumber", "severityText", "timeUnixNano")
_SPAN_ID: Final = ("span_id", "spanId")
_SPAN_MEMBERS: Final = frozenset({
    *_SPAN_ID, "traceId", "trace_id", "run_type", "span_data", "span_attributes", "op_name", "dotted_order",
    "parent_id", "parentObservationId",
})  # fmt: skip
_HOLDER_MEMBERS: Final = frozenset({
    *_SCOPES, "resource", "trace", "schemaUrl", "schema_url", "info", "id", "name", "projectId", "project_id",
    "metadata", "environment", "tags", "scores", "session_id", "sessionId", "timestamp", "createdAt", "updatedAt",
    "input", "output",
    "meta", "object", "htmlPath", "latency", "totalCost", "public", "bookmarked", "release", "version", "userId",
})  # fmt: skip
_COUNTS: Final = ("span_count", "spanCount", "totalSpans")
_MORE: Final = ("has_more", "hasMore", "next_page_token", "nextPageToken", "next_cursor", "nextCursor", "nextToken")
_MAX_DEPTH: Final = 40
_MAX_WORD: Final = 64
"""A text as short as this may be a kind or a name, such as OTLP writes of an attribute."""


@dataclass(frozen=True, slots=True)
class FoundSpans:
    """A span object where it stands, with the scope (the instrumentation) of the batch that it is in."""

    pointer: str
    source: dict[str, Json]
    scope: Json
    is_log: bool
    parent: dict[str, Json] | None = None


def find_spans(document: Json, gaps: Gaps) -> list[FoundSpans]:
    """The span objects of an exported *document*, in its order.

    Raises:
        Refused: It is no container of spans, or something in it is no span.
    """
    walk = _Walk(gaps)
    walk.visit(document, "", None, is_log=False)
    if walk.strangers:
        raise Refused([Problem(pointer, text) for pointer, text in walk.strangers])
    if not walk.found and not walk.is_marked:
        raise Refused([Problem("", "must be an array of spans or an object with one, such as resourceSpans or spans")])
    return walk.found


class _Walk:
    def __init__(self, gaps: Gaps) -> None:
        self.gaps = gaps
        self.found: list[FoundSpans] = []
        self.strangers: list[tuple[str, str]] = []
        self.is_marked = False

    def visit(self, node: Json, pointer: str, scope: Json, *, is_log: bool, depth: int = 0) -> None:
        """Take *node* for a list, a container, or a span."""
        if type(node) is list and depth < _MAX_DEPTH:
            for index, element in enumerate(node):
                self.visit(element, f"{pointer}/{index}", scope, is_log=is_log, depth=depth + 1)
        elif type(node) is not dict or depth >= _MAX_DEPTH:
            self.strangers.append((pointer, f"must be an object, not {kind_of(node)}"))
        elif _is_container(node):
            self._open(node, pointer, scope, is_log=is_log, depth=depth)
        elif is_log or _is_span(node) or _is_log(node):
            self._take(node, pointer, scope, is_log=is_log or _is_log(node), depth=depth)
        elif node.get("object") not in _HEADS:
            self.strangers.append((pointer, "is no span: has no span_id"))

    def _open(self, node: dict[str, Json], pointer: str, scope: Json, *, is_log: bool, depth: int) -> None:
        scope = next((node[name] for name in _SCOPES if node.get(name) is not None), scope)
        before = len(self.found)
        for name, member in node.items():
            at = key_pointer(pointer, name)
            holds = name in _HOLDERS or (name == "trace" and type(member) is dict and _is_container(member))
            if holds and type(member) in (list, dict):
                self.is_marked = self.is_marked or name in ("spans", "resourceSpans", "resource_spans")
                self.visit(member, at, scope, is_log=is_log or name in _LOG_LISTS, depth=depth + 1)
            elif name not in _HOLDER_MEMBERS and holds_spans(member):
                self.gaps.add(at, "may hold spans and is no list of a known container")
        self._check_whole(node, pointer, len(self.found) - before)

    def _check_whole(self, node: dict[str, Json], pointer: str, count: int) -> None:
        note_dropped(node, pointer, self.gaps)
        if any(type(node.get(name)) is int and node[name] > count for name in _COUNTS):
            self.gaps.add(pointer, "says that it has more spans than it holds")
        meta = node.get("meta")
        pages = meta.get("totalPages") if type(meta) is dict else None
        if any(node.get(name) for name in _MORE) or (type(pages) is int and pages > 1):
            self.gaps.add(pointer, "is one page of several: read all pages as one document")

    def _take(self, node: dict[str, Json], pointer: str, scope: Json, *, is_log: bool, depth: int) -> None:
        scope = next((node[name] for name in _SCOPES if node.get(name) is not None), scope)
        self.found.append(FoundSpans(pointer, node, scope, is_log))
        for index, child in enumerate(_children(node)):
            at = f"{pointer}/child_runs/{index}"
            before = len(self.found)
            self.visit(child, at, scope, is_log=False, depth=depth + 1)
            if len(self.found) > before:
                first = self.found[before]
                self.found[before] = FoundSpans(first.pointer, first.source, first.scope, first.is_log, node)


def _children(node: Mapping[str, Json]) -> list[Json]:
    children = node.get("child_runs")
    return children if type(children) is list else []


def _is_container(node: Mapping[str, Json]) -> bool:
    """Whether *node* holds spans and is none itself; a run with `data` or `results` of its own is a span."""
    if any(type(node.get(name)) in (list, dict) for name in (*_OTLP, "spans", "observations", "batches")):
        return True
    if type(node.get("trace")) is dict and not _is_span(node):
        return _is_container(node["trace"])
    return not _is_span(node) and not _is_log(node) and any(type(node.get(name)) in (list, dict) for name in _LISTS)


def _is_span(node: Mapping[str, Json]) -> bool:
    context = node.get("context", node.get("_spanContext"))
    if any(node.get(name) is not None for name in _SPAN_ID):
        return True
    if type(context) is dict and any(context.get(name) is not None for name in _SPAN_ID):
        return True
    if node.get("id") is None:
        return False
    return any(
        name in node for name in ("traceId", "trace_id", "run_type", "span_data", "op_name", "dotted_order")
    ) or ("span_attributes" in node and "root_span_id" in node)


def _is_log(node: Mapping[str, Json]) -> bool:
    attributes = node.get("attributes")
    named = type(attributes) is dict and "event.name" in attributes
    is_timed_span = any(
        name in node for name in ("startTimeUnixNano", "start_time", "startTime", "start_time_unix_nano")
    )
    return not is_timed_span and (named or any(name in node for name in _LOG_MEMBERS)) and "role" not in node


def holds_spans(value: Json, depth: int = 0) -> bool:
    """Whether *value*, which is not read, shows members or texts as spans and calls have them."""
    if type(value) is str:
        return looks_like_printed_call(value) or (depth > 0 and len(value) <= _MAX_WORD and may_be_call(value))
    if depth > _MAX_DEPTH:
        return True
    if type(value) is list:
        return any(holds_spans(element, depth + 1) for element in value)
    return type(value) is dict and any(_tells(name, member, depth) for name, member in value.items())


def _tells(name: str, member: Json, depth: int) -> bool:
    if name in _SPAN_MEMBERS or may_be_call(name):
        return member not in (None, "", [], {}, 0)
    return holds_spans(member, depth + 1)


def note_dropped(node: Mapping[str, Json], pointer: str, gaps: Gaps) -> None:
    """Note what the exporter says it dropped: attributes, events or spans; links hold no calls."""
    for name, count in node.items():
        lower = name.lower()
        if lower.startswith("dropped") and "link" not in lower and str(count).strip("0") and count not in (None, False):
            gaps.add(key_pointer(pointer, name), "counts records that the exporter dropped")


def span_children(found: list[FoundSpans]) -> Iterator[tuple[str, str]]:
    """Pairs of a run's pointer and the id of a child that it names, which must be among the spans."""
    for one in found:
        for name in ("child_run_ids", "direct_child_run_ids"):
            ids = one.source.get(name)
            yield from ((key_pointer(one.pointer, name), id_) for id_ in (ids if type(ids) is list else []) if id_)
