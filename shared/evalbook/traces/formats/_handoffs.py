"""Handoffs that formats record as calls of a tool with a telling name."""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from evalbook.jsonio.values import Json
from evalbook.traces.formats._parts import WireSpan, text_of

_BY_NAME: Final = re.compile(r"(?:transfer|transfer_back|handoff|hand_off)_to_(.+)")
_COPIED: Final = ("name", "start_time", "end_time", "sequence", "status")
_BY_ARGUMENT: Final = {
    "transfer_to_agent": "agent_name",
    "Delegate work to coworker": "coworker",
    "delegate_work_to_coworker": "coworker",
}


def with_handoffs(spans: Iterable[WireSpan]) -> list[WireSpan]:
    """*spans* and, behind each call of a tool that hands over, such as `transfer_to_billing`, the handoff.

    The call stays: a plain tool may have such a name, and it was called. Only a call that ran hands over, and one that
    ended in error only where its span names the other agent: frameworks mark handoffs that took place as errors.
    """
    found = list(spans)
    by_id = {span["span_id"]: span for span in found}
    return [one for span in found for one in (span, *_handoff_of(span, by_id))]


def _handoff_of(span: WireSpan, by_id: Mapping[Json, WireSpan]) -> tuple[WireSpan, ...]:
    if span["kind"] != "tool" or not span.get("executed", True):
        return ()
    if span["status"] == "error" and not span.get("target_agent"):
        return ()
    target = span.get("target_agent") or _target(span["name"], span.get("arguments"))
    if target is None:
        return ()
    copied: WireSpan = {name: span[name] for name in _COPIED if name in span}
    own: WireSpan = {"span_id": f"{span['span_id']}/handoff", "parent_span_id": span["span_id"], "kind": "handoff"}
    source = span.get("source_agent") or owner_of(span, by_id)
    return ({**own, **copied, "source_agent": source, "target_agent": target},)


def _target(tool: str, arguments: Json) -> str | None:
    if tool in _BY_ARGUMENT:
        return text_of(arguments.get(_BY_ARGUMENT[tool])) if type(arguments) is dict else None
    named = _BY_NAME.fullmatch(tool)
    return named[1] if named else None


def owner_of(span: WireSpan, by_id: Mapping[Json, WireSpan]) -> str | None:
    """The name of the nearest agent above *span*, None where none is recorded."""
    seen: set[Json] = set()
    parent = span.get("parent_span_id")
    while parent in by_id and parent not in seen:
        seen.add(parent)
        above = by_id[parent]
        if above["kind"] == "agent":
            return text_of(above["name"])
        parent = above.get("parent_span_id")
    return None
