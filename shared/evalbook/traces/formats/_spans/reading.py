"""From span objects to records, each with its events, of one trace."""

import re
from collections.abc import Mapping
from typing import Final

from evalbook.domain.errors import Problem, Refused
from evalbook.jsonio.values import Json
from evalbook.traces.formats._gaps import Gaps, key_pointer, may_be_call
from evalbook.traces.formats._spans.containers import FoundSpans, find_spans, holds_spans, note_dropped, span_children
from evalbook.traces.formats._spans.members import (
    PARENT_IDS,
    SPAN_IDS,
    TRACE_IDS,
    own_id,
    parent_of,
    scope_name,
    status_of,
    without_prefix,
)
from evalbook.traces.formats._spans.otlp import any_value, attributes_of, decoded, unread_pairs
from evalbook.traces.formats._spans.platforms import platform_of, platform_record
from evalbook.traces.formats._spans.record import Event, Record, dotted, id_of, name_of
from evalbook.traces.formats._spans.times import read_times, span_times, zoned

_EVENT_LISTS: Final = ("events", "span_events", "spanEvents")
_KNOWN: Final = frozenset({
    *SPAN_IDS, *TRACE_IDS, *PARENT_IDS, *_EVENT_LISTS, "context", "name", "kind", "status", "status_code",
    "status_message", "attributes", "links", "resource", "flags", "traceState", "trace_state", "scope",
    "instrumentation_scope", "instrumentationScope", "instrumentationLibrary", "parentSpanContext", "duration", "body",
    "timestamp", "startTime", "endTime", "start_time", "end_time", "startTimeUnixNano", "endTimeUnixNano",
    "start_time_unix_nano", "end_time_unix_nano", "timeUnixNano", "observedTimeUnixNano", "severityNumber",
    "severityText", "eventName", "event_name", "child_runs", "_spanContext", "ended", "span_kind", "spanKind",
})  # fmt: skip
_SHOWN: Final = re.compile(r"[0-9A-Za-z_.:-]{1,64}")
_ENTRIES: Final = frozenset(
    {
        2,
        5,
        "SERVER",
        "CONSUMER",
        "SPAN_KIND_SERVER",
        "SPAN_KIND_CONSUMER",
        "SpanKind.SERVER",
        "SpanKind.CONSUMER",
        "server",
        "consumer",
    }
)
_OTEL_KINDS: Final = ("INTERNAL", "SERVER", "CLIENT", "PRODUCER", "CONSUMER")
_HAS_REMOTE: Final = 0x300
_MAX_SHOWN: Final = 5


def read_records(document: Json, gaps: Gaps, trace_id: str | None = None) -> list[Record]:
    """The records of the one trace of *document*, or of its trace *trace_id*; log records joined to their spans.

    Raises:
        Refused: It is no container of spans, it holds several traces and none is chosen, or none of this id.
    """
    found = find_spans(document, gaps)
    records = [_record(one, gaps) for one in found]
    records = _of_one_trace(records, trace_id)
    known = {record.span_id for record in records}
    for pointer, child in span_children(found):
        if trace_id is None and id_of(child) not in known:
            gaps.add(pointer, "names a run that is not in the document")
    return _with_logs(_unrepeated(records, gaps))


def _of_one_trace(records: list[Record], trace_id: str | None) -> list[Record]:
    traces = list(dict.fromkeys(record.trace_id for record in records if record.trace_id))
    if trace_id is not None:
        chosen = [record for record in records if record.trace_id == without_prefix(trace_id)]
        if not chosen:
            raise Refused([Problem("", f"holds no trace of this id, but {len(traces)} others{_listed(traces)}")])
        return chosen
    if len(traces) > 1:
        raise Refused([
            Problem("", f"holds {len(traces)} traces and a case has one: choose one by its id{_listed(traces)}")
        ])  # fmt: skip
    return records


def _listed(traces: list[str]) -> str:
    shown = [one for one in traces if _SHOWN.fullmatch(one)][:_MAX_SHOWN]
    more = ", ..." if len(traces) > len(shown) else ""
    return f" ({', '.join(shown)}{more})" if shown else ""


def _record(found: FoundSpans, gaps: Gaps) -> Record:
    platform = platform_of(found.source)
    if platform is not None:
        return platform_record(found, platform, gaps)
    note_dropped(found.source, found.pointer, gaps)
    for name, value in found.source.items():
        # A structure under an unknown name may be what holds the calls, were it the attributes under another name.
        is_odd = (may_be_call(name) and type(value) is str and value) or holds_spans(value)
        is_in_place = "attributes" not in found.source and type(value) in (dict, list) and bool(value)
        if name not in _KNOWN and (is_odd or is_in_place):
            gaps.add(key_pointer(found.pointer, name), "is no known member of a span and may hold a call")
    if unread_pairs(found.source.get("attributes")):
        gaps.add(f"{found.pointer}/attributes", "has an attribute that is no key and typed value")
    return _log(found) if found.is_log else _span(found, gaps)


def _span(found: FoundSpans, gaps: Gaps) -> Record:
    source = found.source
    start, end, timed = span_times(source)
    attributes = _with_signs(decoded(dotted(attributes_of(source.get("attributes")))), source)
    error = attributes.get("error.type")
    return Record(
        pointer=found.pointer,
        span_id=own_id(source, SPAN_IDS) or found.pointer,
        parent_id=parent_of(source),
        trace_id=own_id(source, TRACE_IDS),
        name=name_of(source.get("name")) or "",
        scope=scope_name(found.scope),
        attributes=attributes,
        events=_events(source, found.pointer, gaps),
        start=start,
        end=end,
        timed=timed,
        status="error" if error is not None else status_of(source),
        error=error if type(error) is str else None,
        is_entry=_is_entry(source, attributes),
    )


def _is_entry(source: Mapping[str, Json], attributes: Mapping[str, Json]) -> bool:
    """Whether a request of another process came in here, by the span's kind or the flag of its parent."""
    kinds = (source.get("kind"), attributes.get("aws.span.kind"), attributes.get("span.kind"))
    flags = source.get("flags")
    is_remote = type(flags) is int and flags & _HAS_REMOTE == _HAS_REMOTE
    return is_remote or any(type(kind) in (int, str) and kind in _ENTRIES for kind in kinds)


def _with_signs(attributes: dict[str, Json], source: Mapping[str, Json]) -> dict[str, Json]:
    """*attributes* and what is said beside them: Claude Code's kind is the span's name, Phoenix' is a member."""
    name, kind = name_of(source.get("name")) or "", source.get("span_kind", source.get("spanKind"))
    signs: dict[str, Json] = {"claude_code.span": name} if name.startswith("claude_code.") else {}
    if type(kind) is str and kind.isupper() and kind not in _OTEL_KINDS:
        signs["openinference.span.kind"] = kind
    return {**signs, **attributes}


def _log(found: FoundSpans) -> Record:
    source = found.source
    attributes = decoded(dotted(attributes_of(source.get("attributes"))))
    body = any_value(source.get("body"))
    name = name_of(source.get("eventName", source.get("event_name"))) or name_of(attributes.get("event.name")) or ""
    name = body if type(body) is str and body.startswith("claude_code.") else name
    if name.startswith("claude_code.") or (name and scope_name(found.scope).startswith("com.anthropic.claude_code")):
        attributes["claude_code.event"] = f"claude_code.{name.removeprefix('claude_code.')}"
    time = source.get("timeUnixNano", source.get("timestamp", attributes.get("event.timestamp")))
    moment = int(str(time)) if str(time).isdecimal() else zoned(time)
    start, end, timed = read_times(moment, moment)
    sequence = attributes.get("event.sequence")
    return Record(
        pointer=found.pointer,
        span_id=own_id(source, ("span_id", "spanId")) or f"log {found.pointer}",
        trace_id=own_id(source, TRACE_IDS),
        name=name,
        scope=scope_name(found.scope),
        attributes=attributes,
        events=[Event(found.pointer, name, attributes, body)],
        start=start,
        end=end,
        timed=timed,
        is_log=True,
        sequence=sequence if type(sequence) is int else None,
    )


def _events(source: Mapping[str, Json], pointer: str, gaps: Gaps) -> list[Event]:
    found: list[Event] = []
    for listed in _EVENT_LISTS:
        held = source.get(listed)
        for index, event in enumerate(held if type(held) is list else []):
            at = f"{pointer}/{listed}/{index}"
            if type(event) is not dict:
                gaps.add(at, "is an event that is no object")
                continue
            note_dropped(event, at, gaps)
            if unread_pairs(event.get("attributes")):
                gaps.add(f"{at}/attributes", "has an attribute that is no key and typed value")
            attributes = dotted(attributes_of(event.get("attributes")))
            body = any_value(event.get("body"))
            name = event.get("name", event.get("event_name", event.get("eventName")))
            found.append(Event(at, name_of(name) or name_of(attributes.get("event.name")) or "", attributes, body))
            if any(name not in _KNOWN and holds_spans(member) for name, member in event.items()):
                gaps.add(at, "is an event with a member that is not known and may hold a call")
    return found


def _unrepeated(records: list[Record], gaps: Gaps) -> list[Record]:
    """*records* with ids of their own: what was exported twice counts once, other spans of one id are both kept."""
    kept: dict[str, Record] = {}
    logs = [record for record in records if record.is_log]
    for record in (one for one in records if not one.is_log):
        first = kept.get(record.span_id)
        if first is None:
            kept[record.span_id] = record
        elif _content(first) != _content(record):
            gaps.add(record.pointer, "has the span_id of an earlier span")
            record.span_id = f"{record.span_id} {record.pointer}"
            kept[record.span_id] = record
    return [*kept.values(), *logs]


def _content(record: Record) -> tuple[Json, ...]:
    bodies = [(event.name, event.attributes, event.body) for event in record.events]
    return record.name, record.parent_id, record.start, record.end, record.status, record.attributes, bodies


def _with_logs(records: list[Record]) -> list[Record]:
    """*records* with log records as events of the span that they name; without it they are records of their own."""
    spans = {record.span_id: record for record in records if not record.is_log}
    alone: dict[str, Record] = {}
    for index, record in enumerate(one for one in records if one.is_log):
        is_own = "claude_code.event" in record.attributes
        known = None if is_own else spans.get(record.span_id) or alone.get(record.span_id)
        if known is not None:
            known.events.extend(record.events)
            continue
        if is_own:
            record.span_id = f"{record.span_id} log {index}"
        alone[record.span_id] = record
    return [*spans.values(), *alone.values()]
