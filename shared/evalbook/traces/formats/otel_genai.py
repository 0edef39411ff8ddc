"""OpenTelemetry spans with the GenAI semantic conventions, and what frameworks wrote before those settled."""

from collections.abc import Iterable
from typing import Final

from evalbook.jsonio.values import Json
from evalbook.traces.formats._format import Format
from evalbook.traces.formats._handoffs import with_handoffs
from evalbook.traces.formats._marks import Mark
from evalbook.traces.formats._otel import RecordedSpan, recorded_spans
from evalbook.traces.formats._parts import WireSpan, arguments_of, document_of, parsed, text_of

_KINDS: Final = {
    "execute_tool": "tool",
    "retrieval": "retrieval",
    "invoke_agent": "agent",
    "chat": "llm",
    "generate_content": "llm",
    "text_completion": "llm",
    "agent_handoff": "handoff",
}
_MCP: Final = "mcp.method.name"
_ARGUMENTS: Final = ("gen_ai.tool.call.arguments", "tool_arguments", "gcp.vertex.agent.tool_call_args")
_SOURCE: Final = ("gen_ai.agent.handoff.source.name", "gen_ai.handoff.from_agent")
_TARGET: Final = ("gen_ai.agent.handoff.target.name", "gen_ai.handoff.to_agent")


def read(document: Json) -> dict[str, Json]:
    """The wire trace of exported spans: OTLP/JSON, an object with `spans`, or a list of spans.

    Raises:
        Refused: The document holds no list of spans.
    """
    recorded = recorded_spans(document)
    spans = [_span(span) for span in recorded]
    _join_tool_server_records(recorded, spans)
    return {"spans": with_handoffs(spans)}


def _span(span: RecordedSpan) -> WireSpan:
    kind = _kind(span)
    if kind == "tool":
        return span.wire(
            kind, text_of(span.first("gen_ai.tool.name", "traceloop.entity.name")), **_call(span), **_ends(span)
        )
    if kind == "retrieval":
        return span.wire(kind, None, **_documents(span.first("gen_ai.retrieval.documents")))
    if kind == "handoff":
        return span.wire(kind, None, **_ends(span))
    return span.wire(kind, text_of(span.first("gen_ai.agent.name")) if kind == "agent" else None)


def _kind(span: RecordedSpan) -> str:
    operation = span.first("gen_ai.operation.name")
    if type(operation) is str:
        return _KINDS.get(operation, "other")
    is_tool = span.first("traceloop.span.kind") == "tool" or span.first(_MCP) == "tools/call"
    # Definitions of tools stand on model spans too, under other names: this one names a tool that was called.
    return "tool" if is_tool or text_of(span.first("gen_ai.tool.name")) else "other"


def _call(span: RecordedSpan) -> WireSpan:
    fields = arguments_of(span.first(*_ARGUMENTS))
    if call_id := text_of(span.first("gen_ai.tool.call.id")):
        fields["call_id"] = call_id
    if span.first("pydantic_ai.tool.deferral.name") is not None:
        fields["executed"] = False
    return fields


def _ends(span: RecordedSpan) -> WireSpan:
    ends = {"source_agent": text_of(span.first(*_SOURCE)), "target_agent": text_of(span.first(*_TARGET))}
    return {name: agent for name, agent in ends.items() if agent}


def _documents(value: Json) -> WireSpan:
    """The documents of a retrieval: opt-in, as a structure or a JSON text, each with or without an id."""
    documents = parsed(value) if type(value) is str else value
    return {"documents": [document_of(one, "id") for one in documents]} if type(documents) is list else {}


def _join_tool_server_records(recorded: Iterable[RecordedSpan], spans: list[WireSpan]) -> None:
    """Give an MCP span right below the call that it serves that call's id: the two are records of one call."""
    by_id = {span["span_id"]: span for span in spans}
    for source, span in zip(recorded, spans, strict=True):
        above = by_id.get(span["parent_span_id"])
        if source.first(_MCP) is None or span["kind"] != "tool" or above is None or "call_id" in span:
            continue
        if (above["kind"], above["name"]) == ("tool", span["name"]):
            span["call_id"] = above.setdefault("call_id", above["span_id"])


FORMAT: Final = Format(
    name="otel_genai",
    title="OpenTelemetry GenAI conventions",
    tools="",
    reads="",
    unread="",
    family="spans",
    marks=(
        Mark(view="attributes", has=("gen_ai.operation.name",)),
        Mark(view="attributes", has=("gen_ai.tool.name",)),
    ),
    read=read,
)
