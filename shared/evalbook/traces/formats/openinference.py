"""OpenInference spans (Phoenix, Arize): typed by `openinference.span.kind`, everything else in flattened attributes."""

import re
from collections.abc import Mapping
from typing import Final

from evalbook.jsonio.values import Json
from evalbook.traces.formats._format import Format
from evalbook.traces.formats._handoffs import owner_of, with_handoffs
from evalbook.traces.formats._marks import Mark
from evalbook.traces.formats._otel import RecordedSpan, flattened, recorded_spans
from evalbook.traces.formats._parts import WireSpan, arguments_of, document_of, text_of

_KINDS: Final = {"TOOL": "tool", "RETRIEVER": "retrieval", "AGENT": "agent", "LLM": "llm"}
_DOCUMENT_FIELD: Final = re.compile(r"retrieval\.documents\.([0-9]{1,6})\.document\.(\w+)")
_HANDOFF: Final = re.compile(r"handoff to (.+)", re.IGNORECASE)
_POSITIONAL: Final = frozenset({"args", "kwargs", "sanitize_inputs_outputs"})


def read(document: Json) -> dict[str, Json]:
    """The wire trace of exported spans: OTLP/JSON, an object with `spans`, or a list of spans.

    Raises:
        Refused: The document holds no list of spans.
    """
    spans = [_span(span) for span in recorded_spans(document)]
    by_id = {span["span_id"]: span for span in spans}
    for span in spans:
        if span["kind"] == "handoff":
            span["source_agent"] = owner_of(span, by_id)
    return {"spans": with_handoffs(spans)}


def _span(span: RecordedSpan) -> WireSpan:
    kind = _KINDS.get(str(span.first("openinference.span.kind")).upper(), "other")
    if kind == "tool":
        return _call(span)
    if kind == "retrieval":
        return span.wire(kind, None, **_documents(flattened(span.attributes)))
    return span.wire(kind, text_of(span.first("agent.name")) if kind == "agent" else None)


def _call(span: RecordedSpan) -> WireSpan:
    name = text_of(span.first("tool.name", "tool_call.function.name"))
    if handoff := _HANDOFF.fullmatch(name or span.display_name):
        return span.wire("handoff", None, target_agent=handoff[1])
    call_id = text_of(span.first("tool_call.id", "tool.id"))
    return span.wire("tool", name, **_arguments(span), **({"call_id": call_id} if call_id else {}))


def _arguments(span: RecordedSpan) -> WireSpan:
    """A call's arguments: its input, else `tool.parameters`, where some write the tool's definition instead."""
    called = arguments_of(span.first("tool_call.function.arguments", "input.value"))
    arguments = called.get("arguments")
    if arguments is not None:
        return _unwrapped(arguments) if arguments.keys() >= {"args", "kwargs"} else called
    parameters = arguments_of(span.first("tool.parameters"))
    return called if _is_definition(parameters.get("arguments")) else parameters or called


def _unwrapped(wrapped: Mapping[str, Json]) -> WireSpan:
    """The keyword arguments that a wrapper recorded; positional ones have no names to be compared by."""
    if wrapped.keys() - _POSITIONAL:
        return {"arguments": dict(wrapped)}
    return arguments_of(wrapped["kwargs"]) if not wrapped["args"] else {"arguments_invalid": True}


def _is_definition(parameters: Json) -> bool:
    """Whether *parameters* describe arguments instead of being some: a type for each, or a JSON Schema."""
    members = parameters.values() if type(parameters) is dict else ()
    return bool(members) and all(type(member) is dict and "type" in member for member in members)


def _documents(attributes: Mapping[str, Json]) -> WireSpan:
    fields: dict[int, dict[str, Json]] = {}
    for name, value in attributes.items():
        if found := _DOCUMENT_FIELD.fullmatch(name):
            fields.setdefault(int(found[1]), {})[found[2]] = value
    return {"documents": [document_of(fields[place], "id") for place in sorted(fields)]} if fields else {}


FORMAT: Final = Format(
    name="openinference",
    title="OpenInference spans (Phoenix, Arize)",
    tools="",
    reads="",
    unread="",
    family="spans",
    marks=(Mark(view="attributes", has=("openinference.span.kind",)),),
    read=read,
)
