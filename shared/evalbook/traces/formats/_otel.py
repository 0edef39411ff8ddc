"""OpenTelemetry spans in the shapes people have them in: OTLP/JSON, the SDK's own JSON, and lists of plain objects."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from evalbook.domain.errors import Problem, Refused
from evalbook.domain.timestamps import nanoseconds
from evalbook.jsonio.values import Json
from evalbook.traces.formats._parts import WireSpan, listed, objects, text_of

_RESOURCES: Final = ("resourceSpans", "resource_spans")
_SCOPES: Final = ("scopeSpans", "scope_spans", "instrumentationLibrarySpans")
_DIGITS: Final = re.compile(r"-?[0-9]{1,25}")
_ERRORS: Final = frozenset({2, "2", "ERROR", "STATUS_CODE_ERROR", "StatusCode.ERROR"})
_OKS: Final = frozenset({1, "1", "OK", "STATUS_CODE_OK", "StatusCode.OK"})


@dataclass(frozen=True, slots=True)
class RecordedSpan:
    """One span: `base` holds the wire fields that do not depend on what it records."""

    display_name: str
    attributes: Mapping[str, Json]
    base: WireSpan

    def first(self, *names: str) -> Json:
        """The first of the attributes *names* that is there, written flat or nested; None where none is."""
        found = (_attribute(self.attributes, name) for name in names)
        return next((value for value in found if value is not None), None)

    def wire(self, kind: str, name: str | None, **fields: Json) -> WireSpan:
        """The span as a case's trace holds it."""
        return {**self.base, "kind": kind, "name": name or self.display_name, **fields}


def recorded_spans(document: Json) -> list[RecordedSpan]:
    """The spans of an exported *document*.

    Raises:
        Refused: It holds no list of spans, or one of them is no object or has no id.
    """
    spans = objects(_spans(document))
    nameless = [index for index, span in enumerate(spans) if _id(span, "span_id", "spanId") is None]
    if nameless:
        raise Refused([Problem(f"/{index}", "has no span_id") for index in nameless])
    return [_recorded(span) for span in spans]


def _spans(document: Json) -> list[Json]:
    if type(document) is dict and any(name in document for name in _RESOURCES):
        scopes = [scope for resource in objects(listed(document, *_RESOURCES)) for scope in listed(resource, *_SCOPES)]
        return [span for scope in objects(scopes) for span in listed(scope, "spans")]
    return listed(document, "spans")


def _recorded(span: dict[str, Json]) -> RecordedSpan:
    attributes = _attributes(span.get("attributes"))
    start = _time(_first(span, "start_time", "startTimeUnixNano", "start_time_unix_nano"))
    end = _time(_first(span, "end_time", "endTimeUnixNano", "end_time_unix_nano"))
    base: WireSpan = {
        "span_id": _id(span, "span_id", "spanId"),
        "parent_span_id": _id(span, "parent_span_id", "parentSpanId", "parent_id"),
        "start_time": start,
        "end_time": end or None,
        "status": _status(span),
    }
    error = attributes.get("error.type")
    if error is not None:
        base |= {"status": "error", "error": {"type": error}}
    return RecordedSpan(text_of(span.get("name")) or "", attributes, base)


def _first(span: Mapping[str, Json], *names: str) -> Json:
    return next((span[name] for name in names if span.get(name) is not None), None)


def _id(span: Mapping[str, Json], *names: str) -> str | None:
    context = span.get("context")
    return text_of(_first(span, *names)) or (text_of(_first(context, *names)) if type(context) is dict else None)


def _time(value: Json) -> Json:
    """A time as the wire takes it; one without an offset could be any time, and is left out."""
    if type(value) is str and _DIGITS.fullmatch(value):
        return int(value)
    if type(value) is str:
        return value if nanoseconds(value) is not None else None
    return value if type(value) is int else None


def _status(span: Mapping[str, Json]) -> str:
    status = span.get("status", span.get("status_code"))
    if type(status) is dict:
        status = _first(status, "code", "status_code")
    if type(status) not in (str, int):
        return "unset"
    return "error" if status in _ERRORS else "ok" if status in _OKS else "unset"


def _attributes(raw: Json) -> Mapping[str, Json]:
    """Attributes by name, from an object or from OTLP's list of keys and typed values."""
    if type(raw) is dict:
        return raw
    pairs = [pair for pair in raw if type(pair) is dict] if type(raw) is list else []
    return {pair["key"]: _any_value(pair.get("value")) for pair in pairs if text_of(pair.get("key"))}


def _any_value(value: Json) -> Json:
    if type(value) is not dict or len(value) != 1:
        return None
    ((kind, held),) = value.items()
    if kind == "intValue":
        return _time(held)
    values = held.get("values") if type(held) is dict else None
    if kind == "arrayValue":
        return [_any_value(element) for element in values] if type(values) is list else []
    return dict(_attributes(values)) if kind == "kvlistValue" else held


def _attribute(attributes: Mapping[str, Json], name: str) -> Json:
    """The attribute *name*, whose dots may also be levels of nesting."""
    if name in attributes:
        return attributes[name]
    for dot in re.finditer(r"\.", name):
        below = attributes.get(name[: dot.start()])
        if type(below) is dict and (found := _attribute(below, name[dot.end() :])) is not None:
            return found
    return None


def flattened(attributes: Mapping[str, Json]) -> dict[str, Json]:
    """*attributes* with the names of nested objects and lists joined by dots, as OpenInference writes them."""
    return dict(_leaves("", attributes))


def _leaves(prefix: str, value: Any) -> Iterator[tuple[str, Json]]:
    members = value.items() if isinstance(value, Mapping) else enumerate(value) if type(value) is list else None
    if members is None:
        yield prefix, value
        return
    for name, member in members:
        yield from _leaves(f"{prefix}.{name}" if prefix else str(name), member)
