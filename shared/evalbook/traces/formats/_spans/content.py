"""What a call's span holds: its arguments, its outcome and its id, and the documents of a retrieval."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from evalbook.jsonio.values import Json
from evalbook.traces.formats._parts import WireSpan, arguments_of, document_of, parsed
from evalbook.traces.formats._spans.record import Record, id_of, nested, structure_of
from evalbook.traces.formats._spans.vocabularies import VOCABULARIES

_REDACTED: Final = re.compile(r"_*\[?<?_*(?:REDACTED|MASKED|FILTERED)_*>?\]?_*|N/A|<not serializable>", re.IGNORECASE)
_LANGCHAIN: Final = frozenset({"input_str", "tags", "metadata", "inputs", "kwargs"})
_POSITIONAL: Final = frozenset({"args", "kwargs", "sanitize_inputs_outputs"})
_DEFINES: Final = ("smolagents", "llama_index", "openai_agents")
_CALLS: Final = ("google_adk", "agno", "ag2", "claude_agent_sdk", "agent_framework", "autogen")
_NOT_RECORDED: Final[WireSpan] = {"arguments_invalid": True}
_SCHEMA_MEMBERS: Final = frozenset(
    {"properties", "$schema", "parameters", "json_schema", "inputSchema", "input_schema"}
)
_ORDER: Final = (VOCABULARIES[-1], *VOCABULARIES[:-1])


def call_arguments(record: Record) -> WireSpan:
    """The arguments of a call: the first of the vocabularies' attributes that has them, else the events of its span."""
    found: WireSpan = {}
    for name, value in _candidates(record):
        fields = _read(record, name, value)
        if "arguments" in fields:
            return fields
        found = found or fields
    return found


def _candidates(record: Record) -> Iterator[tuple[str, Json]]:
    for vocabulary in _ORDER:
        for name in vocabulary.arguments:
            value = record.attributes.get(name)
            if value is not None:
                yield name, value
    for event in record.events:
        if event.name == "gen_ai.tool.message":
            held = event.body if type(event.body) is dict else event.attributes
            yield event.name, held.get("content")


def _read(record: Record, name: str, value: Json) -> WireSpan:
    if value is None or (type(value) is str and _REDACTED.fullmatch(value.strip())):
        return {}
    if name.startswith("gcp.") and _is_switched_off(record, value):
        return {}
    if type(value) is str and not value.strip() and name in ("input.value", "langfuse.observation.input"):
        return {}
    if name == "tool.parameters" and _is_definition(record, structure_of(value)):
        return {}
    if type(value) is str and (again := parsed(value)) is not None and type(again) is str:
        value = again
    fields = arguments_of(value)
    held = fields.get("arguments")
    if type(held) is not dict:
        return fields
    return _unwrapped(record, name, held)


def _is_switched_off(record: Record, value: Json) -> bool:
    """ADK writes `{}` for both the arguments and the response where capture is off; an answer is never that."""
    return structure_of(value) == {} and structure_of(record.first("gcp.vertex.agent.tool_response")) in ({}, None)


def _unwrapped(record: Record, name: str, held: Mapping[str, Json]) -> WireSpan:
    if held.keys() <= _LANGCHAIN and "input_str" in held and record.has_any("traceloop."):
        inputs = held.get("inputs")
        return {"arguments": inputs} if type(inputs) is dict else dict(_NOT_RECORDED)
    wraps = name in ("input.value", "traceloop.entity.input", "mlflow.spanInputs") or record.has_any("traceloop.")
    if wraps and held.keys() >= {"args", "kwargs"} and not held.keys() - _POSITIONAL:
        return arguments_of(held["kwargs"]) if not held["args"] else dict(_NOT_RECORDED)
    if name == "langsmith.run.inputs" and held.keys() == {"input"} and type(held["input"]) is str:
        inner = structure_of(held["input"])
        return {"arguments": inner} if type(inner) is dict else dict(_NOT_RECORDED)
    return {"arguments": dict(held)}


def _is_definition(record: Record, parameters: Json) -> bool:
    """Whether `tool.parameters` describe arguments instead of being some: by who writes it, else by its looks."""
    if any(one in record.scope for one in _CALLS):
        return False
    if type(parameters) is not dict or not parameters or any(one in record.scope for one in _DEFINES):
        return True
    described = all(type(member) is dict and "type" in member for member in parameters.values())
    return described or any(type(parameters.get(name)) is dict for name in _SCHEMA_MEMBERS)


def call_id(record: Record) -> str | None:
    """The call's id: an attribute, else in the event or the answer of its span."""
    names = [name for vocabulary in _ORDER for name in vocabulary.call_ids]
    own = next((found for name in names if (found := id_of(record.attributes.get(name)))), None)
    if own is not None:
        return own
    answered = next((found for one in _answers(record) if (found := id_of(one.get("tool_call_id")))), None)
    events = (event.attributes.get("id") for event in record.events if event.name == "gen_ai.tool.message")
    return answered or next((found for one in events if (found := id_of(one))), None)


def _answers(record: Record) -> Iterator[dict[str, Json]]:
    """The answer of a tool where it is a message of LangChain, as objects that may hold its id and status."""
    for name in ("output.value", "langsmith.run.outputs", "traceloop.entity.output", "mlflow.spanOutputs"):
        value = structure_of(record.attributes.get(name))
        for _ in range(4):
            if type(value) is not dict:
                break
            yield value
            value = next(
                (value[step] for step in ("output", "kwargs", "update") if type(value.get(step)) is dict), None
            )


def outcome(record: Record) -> WireSpan:
    """The status of a call and whether it ran, by every mark of failure that a vocabulary has."""
    fields: WireSpan = {"status": record.status}
    failed = any(_shows(record, one.failed) for one in VOCABULARIES)
    failed = failed or record.name == "Tool Usage Error" or any(event.name == "exception" for event in record.events)
    failed = failed or any(one.get("status") == "error" and "tool_call_id" in one for one in _answers(record))
    if failed or _is_failed_result(record):
        fields["status"] = "error"
    if record.error is not None:
        fields["error"] = {"type": record.error}
    if any(_shows(record, one.refused) for one in VOCABULARIES):
        fields["executed"] = False
    return fields


def _is_failed_result(record: Record) -> bool:
    """MCP says in the result that a call failed, though the request succeeded."""
    result = structure_of(record.first("gen_ai.tool.call.result", "mcp.tool.result", "openai_agents.output"))
    return record.has_any("mcp.") and type(result) is dict and result.get("isError") is True


def _shows(record: Record, marks: Mapping[str, frozenset[str]]) -> bool:
    return any(
        (value := record.attributes.get(name)) is not None and (not texts or str(value).lower() in texts)
        for name, texts in marks.items()
    )


def documents(record: Record) -> WireSpan:
    """The documents of a retrieval; nothing where they were not recorded."""
    for vocabulary in _ORDER:
        for name in vocabulary.documents:
            found = _document_list(nested(record.attributes, name))
            if found is not None:
                return {"documents": [_document(one) for one in found]}
    return {}


def _document_list(value: Json) -> list[Json] | None:
    value = value if type(value) in (list, dict) else structure_of(value)
    if type(value) is dict:
        value = structure_of(value.get("documents"))
    return value if type(value) is list else None


def _document(source: Json) -> WireSpan:
    """A document, which may be wrapped (`document`), pages with their score, or a JSON text."""
    source = structure_of(source) or source
    if type(source) is list and source and type(source[0]) is dict:
        source = source[0]
    if type(source) is dict and type(source.get("document")) is dict:
        source = source["document"]
    if type(source) is dict and type(source.get("kwargs")) is dict:
        source = source["kwargs"]
    return document_of(source, "id", "document_id")
