"""Runs and observations of platforms as records: their members become attributes of a vocabulary of their own."""

from collections.abc import Mapping
from typing import Final

from evalbook.jsonio.values import Json
from evalbook.traces.formats._gaps import Gaps, key_pointer, may_be_call
from evalbook.traces.formats._spans.containers import FoundSpans, holds_spans
from evalbook.traces.formats._spans.record import Record, dotted, id_of, name_of, structure_of
from evalbook.traces.formats._spans.times import read_times, seconds, stamp_of, zoned

_HOSTED: Final = frozenset({
    "web_search", "web_search_preview", "file_search", "code_interpreter", "image_generation", "hosted_mcp",
    "tool_search",
})  # fmt: skip
_SPAN_DATA: Final = frozenset({
    "name", "type", "input", "output", "tools", "handoffs", "mcp_data", "from_agent", "to_agent", "data", "response_id",
    "usage",
})  # fmt: skip
_ENDS: Final = ("from_agent", "to_agent")
_IDS: Final = frozenset({"id", "trace_id", "traceId", "parent_id", "span_id", "name", "metadata", "tags", "error"})
_KNOWN: Final = {
    "langsmith": _IDS | {
        "run_type", "start_time", "end_time", "extra", "serialized", "events", "inputs", "outputs", "parent_run_id",
        "reference_example_id", "attachments", "session_id", "child_run_ids", "child_runs", "direct_child_run_ids",
        "feedback_stats", "app_path", "manifest_id", "status", "dotted_order", "in_dataset", "parent_run_ids",
        "execution_order", "child_execution_order", "first_token_time", "share_token",
    },
    "langfuse": _IDS | {
        "parentObservationId", "type", "startTime", "endTime", "level", "statusMessage", "input", "output",
        "toolCalls", "toolCallNames", "toolDefinitions", "model", "modelParameters", "usage", "usageDetails", "version",
        "projectId", "environment", "completionStartTime", "promptId", "promptName", "promptVersion", "costDetails",
    },
    "openai_agents": _IDS | {"object", "started_at", "ended_at", "span_data"},
    "braintrust": _IDS | {
        "root_span_id", "span_parents", "span_attributes", "input", "output", "metrics", "is_root", "expected",
        "scores",
        "context", "created", "project_id", "experiment_id", "log_id", "origin", "_xact_id", "_pagination_key",
        "org_id", "dataset_id", "audit_data", "classifications", "facets", "comments",
    },
    "weave": _IDS | {
        "op_name", "started_at", "ended_at", "inputs", "output", "exception", "attributes", "summary", "display_name",
        "project_id", "wb_run_id", "wb_user_id", "storage_size_bytes", "turn_id", "thread_id",
    },
}  # fmt: skip
_WEAVE_MODELS: Final = ("openai.", "anthropic.", "litellm.", "cohere.", "mistralai.", "google.", "groq.", "vertexai.")


def platform_of(source: Mapping[str, Json]) -> str | None:
    """The platform whose run or observation *source* is, None for a span of OpenTelemetry."""
    if type(source.get("span_data")) is dict or source.get("object") == "trace.span":
        return "openai_agents"
    if "run_type" in source or "dotted_order" in source:
        return "langsmith"
    if "op_name" in source:
        return "weave"
    if type(source.get("span_attributes")) is dict or "root_span_id" in source:
        return "braintrust"
    own = ("type", "level", "parentObservationId", "statusMessage", "toolCallNames")
    plain = "spanId" not in source and "attributes" not in source and "span_id" not in source
    return "langfuse" if plain and "traceId" in source and any(name in source for name in own) else None


def platform_record(found: FoundSpans, platform: str, gaps: Gaps) -> Record:
    """The record of a run or observation of *platform*; members that are not known and may hold calls are gaps."""
    for name, value in found.source.items():
        if name not in _KNOWN[platform] and _may_hold_call(name, value):
            gaps.add(key_pointer(found.pointer, name), "is no known member and may hold a call")
    return _READERS[platform](found, gaps)


def _may_hold_call(name: str, value: Json) -> bool:
    is_there = value not in (None, "", [], {}) and type(value) in (str, list, dict)
    return is_there and (may_be_call(name) or holds_spans(value))


def _langsmith(found: FoundSpans, gaps: Gaps) -> Record:
    run = found.source
    if run.get("run_type") is None:
        gaps.add(found.pointer, "is a run without a run_type and may be a call")
    parent = id_of(run.get("parent_run_id")) or (id_of(found.parent.get("id")) if found.parent else None)
    start = zoned(run.get("start_time"), utc=True) or stamp_of(run.get("dotted_order"))
    error = run.get("error")
    failed = error not in (None, "") or run.get("status") == "error"
    held = {name: run.get(name) for name in ("inputs", "outputs")}
    attributes = {"langsmith.run.type": run.get("run_type"), "langsmith.run.name": run.get("name")}
    return Record(
        **_base(found, parent, run.get("trace_id"), (start, zoned(run.get("end_time"), utc=True))),
        attributes={**attributes, **{f"langsmith.run.{name}": value for name, value in held.items()}},
        status="error" if failed else "unset",
    )


def _langfuse(found: FoundSpans, gaps: Gaps) -> Record:
    one = found.source
    if one.get("type") is None:
        gaps.add(found.pointer, "is an observation without a type and may be a call")
    metadata = structure_of(one.get("metadata"))
    metadata = metadata if type(metadata) is dict else {}
    original = metadata.get("attributes")
    scope = metadata.get("scope")
    own = {
        "langfuse.observation.type": one.get("type"),
        "langfuse.observation.input": one.get("input"),
        "langfuse.observation.output": one.get("output"),
        "langfuse.observation.level": one.get("level"),
        "langfuse.requested": _requested(found, gaps),
    }
    return Record(
        **_base(
            found,
            id_of(one.get("parentObservationId")),
            one.get("traceId"),
            (zoned(one.get("startTime")), zoned(one.get("endTime"))),
        ),
        attributes={**(dotted(original) if type(original) is dict else {}), **own},
        scope=name_of(scope.get("name") if type(scope) is dict else None) or "",
    )


def _requested(found: FoundSpans, gaps: Gaps) -> Json:
    """The calls that a generation asked for: without names, which stand in a second list."""
    calls, names = found.source.get("toolCalls"), found.source.get("toolCallNames")
    calls = [structure_of(call) for call in calls] if type(calls) is list else []
    names = names if type(names) is list else []
    if len(calls) != len(names) or not all(type(call) is dict for call in calls):
        gaps.add(key_pointer(found.pointer, "toolCalls"), "asks for calls whose names are not beside them")
        return [{"name": name, "args": None, "type": "tool_call"} for name in names if name_of(name)]
    return [
        {"type": "tool_call", "id": call.get("id"), "name": call.get("name") or name, "args": call.get("arguments")}
        for call, name in zip(calls, names, strict=True)
        if type(call) is dict
    ]


def _openai_agents(found: FoundSpans, gaps: Gaps) -> Record:
    span = found.source
    data = _object(span, "span_data")
    _note_span_data(data, f"{found.pointer}/span_data", gaps)
    times = (zoned(span.get("started_at")), zoned(span.get("ended_at")))
    # Several handoffs asked for is an error of the model: the first one took place.
    failed = span.get("error") is not None and data.get("type") != "handoff"
    return Record(
        **_base(found, id_of(span.get("parent_id")), span.get("trace_id"), times),
        attributes={f"openai_agents.{name}": value for name, value in data.items()},
        status="error" if failed else "unset",
    )


def _note_span_data(data: Mapping[str, Json], pointer: str, gaps: Gaps) -> None:
    kind, tools = data.get("type"), data.get("tools")
    if kind is None:
        gaps.add(pointer, "has no type and may be a call")
    if kind == "agent" and type(tools) is list and any(type(tool) is str and tool in _HOSTED for tool in tools):
        gaps.add(f"{pointer}/tools", "names tools that the provider runs, which leave no span")
    if kind != "mcp_tools" and any(name not in _SPAN_DATA and _may_hold_call(name, data[name]) for name in data):
        gaps.add(pointer, "has a member that is not known and may hold a call")


def _braintrust(found: FoundSpans, gaps: Gaps) -> Record:
    row = found.source
    own, ends, metrics = (_object(row, name) for name in ("span_attributes", "metadata", "metrics"))
    if own.get("type") is None:
        gaps.add(f"{found.pointer}/span_attributes", "names no type and may be a call")
    parents = row.get("span_parents")
    parent = id_of(parents[0]) if type(parents) is list and parents else None
    times = (seconds(metrics.get("start")), seconds(metrics.get("end")))
    held = {name: row.get(name) for name in ("input", "output")}
    held |= {"type": _braintrust_type(own, ends), "name": own.get("name")}
    held |= {name: ends.get(name) for name in _ENDS}
    return Record(
        **_base(found, parent, row.get("root_span_id"), times, id_of(row.get("span_id"))),
        attributes={f"braintrust.{name}": value for name, value in held.items()},
        status="unset" if row.get("error") in (None, "") else "error",
    )


def _braintrust_type(own: Mapping[str, Json], ends: Mapping[str, Json]) -> Json:
    """The type of a row: its agents integration calls listings tools, and handoffs tasks."""
    kind = own.get("type")
    if kind == "tool" and str(own.get("name")).lower() in ("list tools", "list mcp tools"):
        return "task"
    return "handoff" if kind == "task" and all(ends.get(name) for name in _ENDS) else kind


def _weave(found: FoundSpans, _: Gaps) -> Record:
    call = found.source
    path = str(call.get("op_name"))
    op = path.rsplit("/op/", 1)[-1].rsplit(":", 1)[0]
    raw = call.get("attributes")
    attributes = dotted(raw) if type(raw) is dict else {}
    kind = name_of(attributes.get("weave.kind", attributes.get("kind")))
    kind = kind or ("llm" if op.startswith(_WEAVE_MODELS) else "op")
    return Record(
        **_base(
            found,
            id_of(call.get("parent_id")),
            call.get("trace_id"),
            (zoned(call.get("started_at")), zoned(call.get("ended_at"))),
        ),
        attributes={
            **attributes,
            "weave.kind": kind,
            "weave.op": op,
            "weave.inputs": call.get("inputs"),
            "weave.output": call.get("output"),
        },
        status="unset" if call.get("exception") in (None, "") else "error",
    )


def _object(holder: Mapping[str, Json], name: str) -> dict[str, Json]:
    held = holder.get(name)
    return held if type(held) is dict else {}


def _base(
    found: FoundSpans, parent: str | None, trace: Json, times: tuple[Json, Json], span_id: str | None = None
) -> dict[str, Json]:
    start, end, timed = read_times(*times)
    return {
        "pointer": found.pointer,
        "span_id": span_id or id_of(found.source.get("id")) or found.pointer,
        "parent_id": parent,
        "trace_id": id_of(trace),
        "name": name_of(found.source.get("name")) or "",
        "start": start,
        "end": end,
        "timed": timed,
    }


_READERS: Final = {
    "braintrust": _braintrust,
    "langfuse": _langfuse,
    "langsmith": _langsmith,
    "openai_agents": _openai_agents,
    "weave": _weave,
}
