"""The wire trace as a pydantic model: for the published JSON Schema, and to hold the hand-written reader to it."""

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, WithJsonSchema, model_validator

from evalbook.domain.parameters import AnyJson, Number, Whole
from evalbook.domain.span import Span, SpanKind, find_contradiction
from evalbook.domain.timestamps import nanoseconds


def _moment(text: str) -> str:
    if nanoseconds(text) is None:
        raise ValueError("must be an RFC 3339 time with an offset")
    return text


Moment = Annotated[str, AfterValidator(_moment), WithJsonSchema({"type": "string", "format": "date-time"})]
Time = Moment | Whole
"""An RFC 3339 time, or nanoseconds since the Unix epoch."""


class _Wire(BaseModel):
    """Frozen and strict; unknown fields are ignored, so that a producer may send more than is read."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True, hide_input_in_errors=True)


class WireDocument(_Wire):
    """One retrieved document; documents are ordered by rank, then as given."""

    id: str | None = Field(None, description="Its id; without it nothing is known about what was retrieved.")
    rank: Number | None = Field(None, description="Its place among the documents of the span.")
    score: Number | None = Field(None, description="The retriever's score; not read.")


class WireSpan(_Wire):
    """One span; `arguments` and `documents` are left out where they were not recorded, empty where there were none."""

    model_config = ConfigDict(
        json_schema_extra={"if": {"properties": {"kind": {"const": "tool"}}}, "then": {"required": ["name"]}}
    )

    span_id: str = Field(description="Unique in the trace.")
    parent_span_id: str | None = Field(None, description="May name a span that is not in the list.")
    kind: Literal["tool", "retrieval", "agent", "handoff", "llm", "other"]
    name: str = Field("", description="For a tool its own name, not the span's display name.")
    start_time: Time | None = None
    end_time: Time | None = Field(None, description="Null, or left out beside a start_time: the span has not ended.")
    sequence: Whole | None = Field(None, description="Orders spans without, or with equal, start times.")
    status: Literal["ok", "error", "unset"] = "unset"
    error: dict[str, AnyJson] | None = Field(None, description="That it ended in error; `type` may name the error.")
    call_id: str | None = Field(None, description="Records with the same call_id and name are one call.")
    executed: bool | None = Field(
        True,  # noqa: FBT003
        description="False for a call that was requested and never ran, null where that is not known.",
    )
    arguments: dict[str, AnyJson] = Field(default_factory=dict, description="A tool call's arguments.")
    documents: list[WireDocument] = Field(default_factory=list, description="What a retrieval returned.")
    source_agent: str | None = Field(None, description="Who hands over; for a handoff only.")
    target_agent: str | None = Field(None, description="Who takes over; for a handoff only.")

    @model_validator(mode="after")
    def _names_its_tool(self) -> Self:
        if self.kind == "tool" and "name" not in self.model_fields_set:
            raise ValueError("name is missing, and it says which tool was called")
        return self


class Captured(_Wire):
    """What was captured; false makes an empty field, or that there is no span of a kind, say nothing."""

    arguments: bool | None = None
    documents: bool | None = None
    tool: bool | None = None
    retrieval: bool | None = None
    agent: bool | None = None
    handoff: bool | None = None
    llm: bool | None = None
    other: bool | None = None


class WireUnread(_Wire):
    """A place of a converted document that may hold a call and was not understood."""

    pointer: str = Field(description="A JSON Pointer into the document.")
    reason: str


class WireTrace(_Wire):
    """A case's trace: its spans, or the document that another tool recorded."""

    model_config = ConfigDict(
        json_schema_extra={"not": {"required": ["document", "spans"], "properties": {"spans": {"type": "array"}}}}
    )

    trace_id: str | None = Field(None, description="A stored trace, or which of the document's traces is meant.")
    format: str = Field("auto", description="How the document is written: see docs/traces.md; auto tells by its marks.")
    document: Any = Field(None, description="The trace as another tool recorded it, instead of spans.")
    spans: list[WireSpan] | None = Field(None, description="Without a list there is nothing to score.")
    captured: Captured | None = None
    truncated: bool | None = Field(None, description="Whether spans are missing.")
    incomplete: list[WireUnread] | None = Field(None, description="What of the recorded document was not read.")

    @model_validator(mode="after")
    def _is_consistent(self) -> Self:
        if "document" in self.model_fields_set and self.spans is not None:
            raise ValueError("has spans and a document: send one of them")
        found = find_contradiction([_times_and_ids(span) for span in self.spans or ()])
        if found:
            raise ValueError(f"span {found[0]}: {found[1]}")
        return self


def _times_and_ids(span: WireSpan) -> Span:
    return Span(
        span.span_id,
        SpanKind(span.kind),
        span.name,
        parent_span_id=span.parent_span_id,
        start=_nanoseconds(span.start_time),
        end=_nanoseconds(span.end_time),
    )


def _nanoseconds(time: str | int | None) -> int | None:
    return nanoseconds(time) if isinstance(time, str) else time


def trace_schema() -> dict[str, Any]:
    """The wire trace as a JSON Schema (draft 2020-12)."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **WireTrace.model_json_schema()}
