"""Tool calls as lists of messages record them: asked for in one message, answered in a later one, without any time."""

from collections import Counter

from evalbook.jsonio.values import Json
from evalbook.traces.formats._handoffs import with_handoffs
from evalbook.traces.formats._parts import WireSpan


class Conversation:
    """Collects the calls of a list of messages, in order, and what became of them."""

    def __init__(self) -> None:
        self._spans: list[WireSpan] = []
        self._open: dict[Json, WireSpan] = {}

    def call(self, name: str, call_id: str | None, arguments: WireSpan) -> None:
        """Note a call that the model asked for; until it is answered it has not run."""
        place = len(self._spans)
        span: WireSpan = {"span_id": f"call-{place}", "sequence": place, "kind": "tool", "name": name}
        span |= {"status": "unset", "executed": False, **arguments}
        if call_id:
            span["call_id"] = call_id
        self._spans.append(span)
        self._open[call_id or name] = span

    def answer(self, call_id: Json, status: str = "unset") -> WireSpan | None:
        """Note that the latest call with this id (or, without ids, of this name) ran and ended with *status*."""
        span = self._open.get(call_id) if type(call_id) is str else None
        if span is not None:
            span |= {"executed": True, "status": status}
        return span

    def retrieved(self, documents: list[WireSpan], name: str) -> None:
        """Note documents that were returned at this point."""
        place = len(self._spans)
        span: WireSpan = {"span_id": f"retrieval-{place}", "sequence": place, "kind": "retrieval", "name": name}
        self._spans.append({**span, "status": "unset", "documents": documents})

    def trace(self) -> dict[str, Json]:
        """The wire trace; an id that several calls share tells none of them apart, and is left out."""
        shared = {one for one, count in Counter(span.get("call_id") for span in self._spans).items() if count > 1}
        for span in self._spans:
            if span.get("call_id") in shared:
                span.pop("call_id", None)
        return {"spans": with_handoffs(self._spans)}
