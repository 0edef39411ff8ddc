"""Tool calls as lists of messages record them: asked for in one place, answered in a later one."""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from evalbook.jsonio.values import Json
from evalbook.traces.formats._gaps import Gaps, WireTrace, wire_trace
from evalbook.traces.formats._handoffs import with_handoffs
from evalbook.traces.formats._parts import WireSpan
from evalbook.traces.formats._rules import End

_LOST: Final = "answers a call that the document does not hold"


class Conversation:
    """Collects the calls of a document, in order, and what became of them.

    An answer belongs to the call with its id; without an id, to the oldest open call of its name; without a name, to
    the oldest open call. An answer to no call shows that one was lost. A call that nobody answered has not run.
    """

    def __init__(self, gaps: Gaps, *, repeats: bool = False) -> None:
        self.gaps = gaps
        self.time: Json = None
        self.agent: str | None = None
        self._repeats = repeats
        self._spans: list[WireSpan] = []
        self._calls: list[WireSpan] = []
        self._by_id: dict[str, list[WireSpan]] = {}
        self._open: list[WireSpan] = []
        # The calls that no recap has repeated yet.
        self._by_name: dict[str, list[WireSpan]] = {}

    def call(
        self, name: str, call_id: str | None, arguments: WireSpan, *, joins: bool = False, recap: bool = False
    ) -> WireSpan:
        """Note a call that was asked for, or find it where this is another record of one."""
        known = self._known(name, call_id, arguments, joins=joins, recap=recap)
        if known is not None:
            if len(str(known.get("arguments", ""))) < len(str(arguments.get("arguments", ""))):
                known |= arguments
            return known
        span = self._span("tool", name, call_id)
        span |= {"executed": False, **arguments}
        if self.agent:
            span["agent"] = self.agent
        self._calls.append(span)
        self._by_name.setdefault(name, []).append(span)
        if call_id:
            self._by_id.setdefault(call_id, []).append(span)
        self._open.append(span)
        return span

    def answer(self, call_id: str | None, name: str | None, end: End, pointer: str) -> WireSpan | None:
        """Note how a call ended; the call, or None where the document holds none for this answer."""
        span = self._asked(call_id, name)
        if span is not None:
            self._open = [one for one in self._open if one is not span]
            self.ended(span, end, pointer)
            return span
        self.gaps.add(pointer, _LOST)
        if name:
            span = self.call(name, call_id, {})
            self.ended(span, end, pointer)
        return span

    def ended(self, span: WireSpan, end: End, pointer: str) -> None:
        """Note how the call *span* ended: one that failed once has failed, one that ran has run."""
        executed, status = end.value
        if executed is None:
            self.gaps.add(pointer, "whether this call ran is not recorded")
        if span.get("ended") and end in (End.NOT_RUN, End.UNKNOWN, End.RAN) and span["executed"]:
            return
        span["ended"] = True
        span["executed"] = executed
        if span["status"] != "error":
            span["status"] = status
        if self.time is not None and "start_time" in span:
            span["end_time"] = self.time

    def retrieved(self, documents: list[WireSpan], name: str) -> None:
        """Note documents that were returned at this point."""
        self._span("retrieval", name, None)["documents"] = documents

    def handed_over(self, source: str | None, target: str) -> None:
        """Note a handoff, unless a call that hands over to *target* has recorded it."""
        named = f"to_{target}".casefold()
        for call in reversed(self._calls):
            if "handed" not in call and call["name"].casefold().endswith(named):
                call["handed"] = True
                return
        span = self._span("handoff", f"handoff to {target}", None)
        span |= {"source_agent": source, "target_agent": target}

    def trace(self, unanswered: End = End.NOT_RUN) -> WireTrace:
        """The wire trace; an id that several calls share tells none of them apart, and is left out."""
        for span in self._calls:
            if not span.get("ended") and unanswered is End.UNKNOWN:
                self.gaps.add("", "a call has no answer, and whether it ran is not recorded")
                span["executed"] = None
        shared = {one for one, count in Counter(span.get("call_id") for span in self._spans).items() if count > 1}
        for span in self._spans:
            span.pop("ended", None)
            span.pop("handed", None)
            agent = span.pop("agent", None)
            if span.get("call_id") in shared:
                span.pop("call_id", None)
            if agent:
                span["source_agent"] = agent
        return wire_trace(map(_without_owner, with_handoffs(self._spans)), self.gaps)

    def _span(self, kind: str, name: str, call_id: str | None) -> WireSpan:
        place = len(self._spans)
        prefix = "call" if kind == "tool" else kind
        span: WireSpan = {"span_id": f"{prefix}-{place}", "sequence": place, "kind": kind, "name": name}
        span["status"] = "unset"
        if call_id:
            span["call_id"] = call_id
        if self.time is not None:
            span |= {"start_time": self.time, "end_time": self.time if kind != "tool" else None}
        self._spans.append(span)
        return span

    def _known(
        self, name: str, call_id: str | None, arguments: WireSpan, *, joins: bool, recap: bool
    ) -> WireSpan | None:
        """The call that this one is another record of."""
        if call_id and (self._repeats or joins or recap):
            # A model may give out an id again: once a call was answered, only what says so is another record of it.
            same = (one for one in self._by_id.get(call_id, ()) if one["name"] == name)
            return next((one for one in same if joins or recap or not one["executed"]), None)
        for one in self._by_name.get(name, ()) if recap else ():
            if one.get("arguments") == arguments.get("arguments"):
                self._by_name[name].remove(one)
                return one
        return None

    def _asked(self, call_id: str | None, name: str | None) -> WireSpan | None:
        named = self._by_id.get(call_id or "")
        if named:
            return next((one for one in named if _is_in(one, self._open)), named[-1])
        free = [one for one in self._open if call_id is None or "call_id" not in one]
        if name:
            return next((one for one in free if one["name"] == name), None)
        return next((one for one in free if not one.get("ended")), free[0] if free else None)


def _is_in(span: WireSpan, spans: list[WireSpan]) -> bool:
    return any(span is one for one in spans)


def _without_owner(span: Mapping[str, Json]) -> WireSpan:
    """*span* without the agent that a call was made by: only a handoff has two ends."""
    ends = ("source_agent", "target_agent")
    return {name: value for name, value in span.items() if span["kind"] == "handoff" or name not in ends}
