"""Read exported spans of any vocabulary, in any container: one trace, its calls once each, and what was not read."""

from collections.abc import Iterable
from typing import Final

from evalbook.domain.errors import Problem, Refused
from evalbook.jsonio.values import Json
from evalbook.traces.formats._gaps import Gaps, WireTrace, wire_trace
from evalbook.traces.formats._handoffs import owner_of
from evalbook.traces.formats._parts import WireSpan
from evalbook.traces.formats._spans.asking import Request, Requests, collect
from evalbook.traces.formats._spans.content import call_arguments, call_id, documents, outcome
from evalbook.traces.formats._spans.doubts import (
    asks_for_tools,
    may_be_named_otherwise,
    note_doubts,
    note_missing_parents,
)
from evalbook.traces.formats._spans.handing import handed_over
from evalbook.traces.formats._spans.joining import JoinedCall, join_records, join_requests, settle_elsewhere
from evalbook.traces.formats._spans.kinds import (
    SpanRole,
    agent_name,
    ends_of,
    is_known,
    is_named_by_display,
    kind_of_record,
    tool_name,
)
from evalbook.traces.formats._spans.messages import conversations, without_final_form
from evalbook.traces.formats._spans.reading import read_records
from evalbook.traces.formats._spans.record import Record
from evalbook.traces.formats._spans.shapes import Asked
from evalbook.traces.formats._spans.vocabulary import AGENT, HANDOFF, LLM, OP, OTHER, PART, RETRIEVAL, TOOL

_WIRE_KINDS: Final = {OP: OTHER, PART: OTHER}


def read(document: Json) -> WireTrace:
    """The wire trace of exported spans.

    Raises:
        Refused: The document is no container of spans, none of them has a known mark, or it holds several traces.
    """
    return _read(document, None)


def read_one(document: Json, trace_id: str) -> WireTrace:
    """The wire trace of the spans of the trace *trace_id*; raises as `read`, and where there is no such trace."""
    return _read(document, trace_id)


def _read(document: Json, trace_id: str | None) -> WireTrace:
    gaps = Gaps()
    records = read_records(document, gaps, trace_id)
    if records and not any(is_known(record) for record in records):
        raise Refused([Problem("", "no span has a mark of a vocabulary that is known: see docs/traces.md")])
    note_missing_parents(records, gaps)
    return _Trace(records, gaps).wire()


class _Trace:
    """The records of one trace on their way to the wire."""

    def __init__(self, records: list[Record], gaps: Gaps) -> None:
        self.records = records
        self.gaps = gaps
        self.by_id = {record.span_id: record for record in records}
        self.kinds = {record.span_id: kind_of_record(record) for record in records}
        self.holders: set[str | None] = set()

    def wire(self) -> WireTrace:
        """The wire trace: a span a record, and behind a model's span the calls that have no span of their own."""
        requests = self._requests()
        self._decide_functions(requests)
        self.holders = {one.parent_id for one in self.records if self.kinds[one.span_id].kind == TOOL}
        wires = {record.span_id: self._wire(record, requests) for record in self.records}
        calls = [JoinedCall(one, wires[one.span_id]) for one in self.records if wires[one.span_id]["kind"] == TOOL]
        calls = join_records(calls, self.above, requests.shared_ids)
        self._give_parts(calls, wires)
        settle_elsewhere(requests)
        handoffs = [wire for wire in wires.values() if wire["kind"] == HANDOFF]
        alone = join_requests(calls, requests, handoffs, self.gaps)
        self._note_unseen(len(calls) + len(alone) + len(handoffs))
        return wire_trace(handed_over(self._placed(wires, alone)), self.gaps)

    def above(self, record: Record) -> list[str]:
        """The ids of the records above *record*, nearest first, up to a model or agent that a tool may have started."""
        found: list[str] = []
        parent = record.parent_id
        is_tool = self.kinds[record.span_id].kind == TOOL
        while parent is not None and parent in self.by_id and parent not in found and parent != record.span_id:
            if is_tool and self.kinds[parent].kind in (LLM, AGENT):
                break
            found.append(parent)
            parent = self.by_id[parent].parent_id
        return found

    def is_above(self, one: Record, other: Record) -> bool:
        """Whether *other* stands somewhere below *one*."""
        return one.span_id in self.above(other)

    def _requests(self) -> Requests:
        sources = [
            (record, entries)
            for record in self.records
            if self.kinds[record.span_id].kind not in (TOOL, PART, RETRIEVAL, HANDOFF)
            for entries in conversations(record, self.gaps)
        ]
        sources = [(record, without_final_form(record, entries)) for record, entries in sources]
        return collect(sources, self.is_above)

    def _decide_functions(self, requests: Requests) -> None:
        """A traced function that a model asked for by name is a tool; any other may be one.

        So is a plain span of Langfuse, which older imports used for tools too.
        """
        names = {request.asked.name for request in requests.calls}
        for record in self.records:
            kind = self.kinds[record.span_id]
            if not kind.is_said and record.name in names and record.has_any("langfuse."):
                self.kinds[record.span_id] = SpanRole(TOOL, is_said=False)
            if kind.kind == OP:
                if tool_name(record) in names:
                    self.kinds[record.span_id] = SpanRole(TOOL, is_said=True)
                else:
                    self.gaps.add(record.pointer, "is a traced function, and nothing says whether it is a tool")

    def _wire(self, record: Record, requests: Requests) -> WireSpan:
        kind = self.kinds[record.span_id]
        wire: WireSpan = {"span_id": record.span_id, "parent_span_id": record.parent_id}
        if record.timed:
            wire |= {"start_time": record.start, "end_time": record.end}
        if record.sequence is not None:
            wire["sequence"] = record.sequence
        wire |= {"status": record.status, **({"error": {"type": record.error}} if record.error else {})}
        if kind.kind == TOOL:
            return wire | self._tool(record, requests)
        if kind.kind not in (PART, RETRIEVAL, HANDOFF):
            note_doubts(record, kind, self.gaps, holds_calls=record.span_id in self.holders)
        elif kind.doubt is not None:
            self.gaps.add(record.pointer, kind.doubt)
        wire |= {"kind": _WIRE_KINDS.get(kind.kind, kind.kind), "name": record.name}
        if kind.kind == RETRIEVAL:
            return wire | {"status": outcome(record)["status"], **documents(record)}
        if kind.kind == HANDOFF:
            return wire | self._handoff(record)
        return wire | {"name": (kind.kind == AGENT and agent_name(record)) or record.name}

    def _tool(self, record: Record, requests: Requests) -> WireSpan:
        name, own_id = tool_name(record), call_id(record)
        if not self.kinds[record.span_id].is_said:
            name = name or record.name
        if name is None and own_id is not None:
            name = next((one.asked.name for one in requests.calls if one.asked.call_id == own_id), None)
        if name is None:
            self.gaps.add(record.pointer, "is the span of a tool and does not name it")
            return {"kind": OTHER, "name": record.name}
        if is_named_by_display(record) and may_be_named_otherwise(record):
            self.gaps.add(
                record.pointer, "is the span of a tool, whose name may stand in an attribute that is not known"
            )
        fields: WireSpan = {"kind": TOOL, "name": name, **outcome(record), **self._arguments(record, name)}
        return {**fields, **({"call_id": own_id} if own_id else {}), **ends_of(record)}

    def _arguments(self, record: Record, name: str) -> WireSpan:
        fields = call_arguments(record)
        if "arguments" in fields or not record.events:
            return fields
        asked = [one for entries in conversations(record, Gaps()) for one in entries if isinstance(one, Asked)]
        own = [one.arguments for one in asked if one.name == name and "arguments" in one.arguments]
        return own[0] if own else fields

    def _handoff(self, record: Record) -> WireSpan:
        ends = ends_of(record)
        if "target_agent" not in ends:
            return {"executed": False} if "openai_agents.to_agent" in record.attributes else {}
        return ends

    def _give_parts(self, calls: list[JoinedCall], wires: dict[str, WireSpan]) -> None:
        """Give calls what records of their parts say: that a user refused them, or that they failed."""
        for record in (one for one in self.records if self.kinds[one.span_id].kind == PART):
            fields, own_id = outcome(record), call_id(record)
            call = next(
                (
                    one
                    for one in calls
                    if one.record.span_id == record.parent_id or (own_id and one.wire.get("call_id") == own_id)
                ),
                None,
            )
            if call is not None:
                call.wire.update({"status": "error"} if fields["status"] == "error" else {})
                call.wire.update({"executed": False} if fields.get("executed") is False else {})
            elif fields.get("executed") is not False and not record.is_log:
                self.gaps.add(record.pointer, "is a part of a call whose own span is not in the document")
            elif fields.get("executed") is False and (name := tool_name(record)):
                wires[record.span_id] |= {"kind": TOOL, "name": name, "executed": False}

    def _note_unseen(self, seen: int) -> None:
        """Note models' replies that asked for tools where the trace shows fewer calls than such replies."""
        asking = [one for one in self.records if self.kinds[one.span_id].kind == LLM and asks_for_tools(one)]
        inner = [one for one in asking if not any(self.is_above(one, other) for other in asking)]
        if len(inner) > seen:
            self.gaps.add(inner[-1].pointer, "asks for tools, and fewer calls are recorded than replies that ask")

    def _placed(self, wires: dict[str, WireSpan], alone: Iterable[Request]) -> list[WireSpan]:
        behind: dict[str, list[WireSpan]] = {}
        for request in alone:
            held = behind.setdefault(request.record.span_id, [])
            held.append(_requested(request, len(held)))
        placed = [one for span_id, wire in wires.items() for one in (wire, *behind.get(span_id, ()))]
        by_id = {wire["span_id"]: wire for wire in placed}
        for wire in placed:
            if wire["kind"] == HANDOFF and wire.get("executed") is not False and "source_agent" not in wire:
                wire["source_agent"] = owner_of(wire, by_id)
        return placed


def _requested(request: Request, place: int) -> WireSpan:
    """A call without a span of its own, at the time of the model's span that shows it."""
    asked, record = request.asked, request.record
    wire: WireSpan = {"span_id": f"{record.span_id}/call-{place}", "parent_span_id": record.span_id}
    if record.timed:
        moment = record.end if asked.is_new and record.end is not None else record.start
        wire |= {"start_time": moment, "end_time": moment}
    wire |= {"status": "error" if asked.failed else "unset", "kind": TOOL, "name": asked.name, **asked.arguments}
    if not (asked.answered or asked.is_provider):
        wire["executed"] = None
    if asked.denied:
        wire["executed"] = False
    return {**wire, **({"call_id": asked.call_id} if asked.call_id else {})}
