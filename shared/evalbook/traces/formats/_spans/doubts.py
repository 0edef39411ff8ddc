"""What may be a call on a span that is read as none: such a span leaves the trace incomplete."""

import re
from collections.abc import Iterable
from typing import Final

from evalbook.jsonio.values import Json
from evalbook.traces.formats._gaps import Gaps, looks_like_printed_call, may_be_call
from evalbook.traces.formats._spans.containers import holds_spans
from evalbook.traces.formats._spans.kinds import SpanRole
from evalbook.traces.formats._spans.messages import TOOL_FINISHES
from evalbook.traces.formats._spans.record import Record, is_below, structure_of
from evalbook.traces.formats._spans.vocabularies import PLUMBING, VOCABULARIES
from evalbook.traces.formats._spans.vocabulary import HANDOFF, RETRIEVAL, TOOL

_HARMLESS: Final = (*PLUMBING, *(name for one in VOCABULARIES for name in one.harmless))
_READ: Final = tuple(
    name
    for one in VOCABULARIES
    for name in (*(part for group in one.messages for part in group), *one.kind, *one.documents, *one.agent_names)
)
_PARTS: Final = tuple(
    name
    for one in VOCABULARIES
    for name in (*one.arguments, *one.results, *one.call_ids, "input.mime_type", "output.mime_type", "tag.tags")
)
_IDENTIFIER: Final = re.compile(r"[\w.:/-]{1,80}")
_READ_EVENTS: Final = ("gen_ai.", "exception", "claude_code.", "tool.output", "openinference.", "ai.stream")
_KIND_ENDS: Final = ("kind", "type", "operation", "step", "action", "category", "event")
_DEFINITIONS: Final = (
    "llm.tools", "gen_ai.tool.definitions", "ai.prompt.tools", "ai.prompt.toolChoice", "model_request_parameters",
    "llm.request.functions", "llm.invocation_parameters", "gen_ai.tool.type", "metadata",
)  # fmt: skip
_LISTS_OF_TOOLS: Final = ("tools", "tools_names", "tool_names", "handoffs")
_ALWAYS_SAID: Final = {
    "mlflow.spanType": ("mlflow.spanInputs", "mlflow.spanFunctionName", "mlflow.traceRequestId"),
    "traceloop.span.kind": ("traceloop.entity.name", "traceloop.entity.input"),
}
"""The kinds that a vocabulary always writes, and what shows that it was written."""
_CALL_KINDS: Final = frozenset(
    text for one in VOCABULARIES for text, kind in one.kinds.items() if kind in (TOOL, RETRIEVAL, HANDOFF)
)
_HARMLESS_NAMES: Final = ("mcp.list_tools", "list_tools", "list tools", "list mcp tools", "tools/list", "call_llm")
_PLUMBING_METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")


def may_be_named_otherwise(record: Record) -> bool:
    """Whether *record*, a tool's span without a tool's name, has an unknown attribute that may be that name."""
    if "handoff" in record.name.lower():
        return True
    known = (*_READ, *_HARMLESS, *_PARTS)
    return any(
        type(value) is str and _IDENTIFIER.fullmatch(value) is not None and not is_below(name, known)
        for name, value in record.attributes.items()
    )


def note_doubts(record: Record, kind: SpanRole, gaps: Gaps, *, holds_calls: bool = False) -> None:
    """Note why *record*, which is read as no call, may be one after all.

    The name of a span that *holds_calls* is that of their wrapper, such as a graph's node for tools.
    """
    if kind.is_whole:
        return
    if kind.doubt is not None:
        gaps.add(record.pointer, kind.doubt)
    names = (name for name, value in record.attributes.items() if _is_odd(name, value))
    if next(names, None) is not None:
        gaps.add(record.pointer, "has an attribute that is not known and may hold a call")
    if not kind.is_said and not holds_calls and _sounds_like_call(record):
        gaps.add(record.pointer, "has the name of a call and no mark that says what it is")
    if any(record.has_any(*signs) and record.first(says) is None for says, signs in _ALWAYS_SAID.items()):
        gaps.add(record.pointer, "has no kind, which its vocabulary always says")
    if record.scope.startswith("openinference.") and not record.is_log and not _is_said(record):
        gaps.add(record.pointer, "has no kind, which its vocabulary always says")
    for event in record.events:
        if not event.name.startswith(_READ_EVENTS) and may_be_call(event.name):
            gaps.add(event.pointer, "is an event that is not known and may be a call")


def _is_said(record: Record) -> bool:
    """Whether a span of OpenInference has its kind; one without attributes at all carries log records alone."""
    return record.first("openinference.span.kind", "event.name") is not None or not record.attributes


def _is_odd(name: str, value: Json) -> bool:
    if is_below(name, _READ) or value in (None, "", [], {}) or type(value) in (int, float, bool, dict):
        return False
    if is_below(name, _DEFINITIONS) or name.rsplit(".", 1)[-1] in _LISTS_OF_TOOLS:
        return False
    if type(value) is str and value.lower() in _CALL_KINDS and not is_below(name, PLUMBING):
        return True
    return not is_below(name, _HARMLESS) and (may_be_call(name) or _shows_call(name, value))


def _shows_call(name: str, value: Json) -> bool:
    """Whether the *value* of an attribute that is not known shows a call: as a structure, in print, or as a kind."""
    if holds_spans(structure_of(value)):
        return True
    is_kind = name.rsplit(".", 1)[-1].lower() in _KIND_ENDS
    return type(value) is str and (looks_like_printed_call(value) or (is_kind and may_be_call(value)))


def _sounds_like_call(record: Record) -> bool:
    name = record.name
    if record.is_log and name.startswith(_READ_EVENTS):
        return False
    is_plumbing = name.split(" ", 1)[0].upper() in _PLUMBING_METHODS or record.has_any("http", "url", "rpc", "db")
    return not is_plumbing and name.lower() not in _HARMLESS_NAMES and may_be_call(name)


def note_missing_parents(records: list[Record], gaps: Gaps) -> None:
    """Note spans whose parent is not in the document: spans are missing, and what they recorded."""
    known = {record.span_id for record in records}
    for record in records:
        if record.parent_id is not None and record.parent_id not in known and not record.is_entry:
            gaps.add(record.pointer, "has a parent that is not in the document")


def asks_for_tools(record: Record) -> bool:
    """Whether the model's reply on *record* ended because it asked for tools, whatever of that was kept."""
    reasons = [record.attributes.get(name) for one in VOCABULARIES for name in one.finishes]
    reasons += [event.attributes.get("finish_reason") for event in record.events if event.name == "gen_ai.choice"]
    texts = [text for reason in reasons for text in _texts(structure_of(reason) or reason)]
    return any(text.lower() in TOOL_FINISHES for text in texts)


def _texts(value: Json) -> Iterable[str]:
    return [value] if type(value) is str else [one for one in value if type(one) is str] if type(value) is list else ()
