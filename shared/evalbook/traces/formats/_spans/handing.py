"""Handoffs that tools make, where no span records the handoff itself."""

from collections.abc import Mapping

from evalbook.jsonio.values import Json
from evalbook.traces.formats._handoffs import with_handoffs
from evalbook.traces.formats._parts import WireSpan
from evalbook.traces.formats._spans.joining import plain
from evalbook.traces.formats._spans.vocabulary import HANDOFF


def handed_over(spans: list[WireSpan]) -> list[WireSpan]:
    """*spans* and the handoffs that tools with telling names make, where no span records that handoff itself."""
    recorded = [span for span in spans if span["kind"] == HANDOFF]
    by_id = {span["span_id"]: span for span in spans}
    found: list[WireSpan] = []
    for span in with_handoffs(spans):
        made = span["kind"] == HANDOFF and span["span_id"] not in by_id
        same = next((one for one in recorded if made and _is_same_handoff(span, one, by_id)), None)
        if same is None:
            found.append(span)
        else:
            recorded.remove(same)
    return found


def _is_same_handoff(made: WireSpan, recorded: WireSpan, by_id: Mapping[Json, WireSpan]) -> bool:
    """Whether a tool's handoff is the *recorded* one: to the same agent, below what started the tool."""
    if plain(made.get("target_agent")) != plain(recorded.get("target_agent")):
        return False
    above: list[Json] = []
    parent = made["parent_span_id"]
    while parent in by_id and parent not in above:
        above.append(parent)
        parent = by_id[parent].get("parent_span_id")
    return recorded["parent_span_id"] in (*above, None)
