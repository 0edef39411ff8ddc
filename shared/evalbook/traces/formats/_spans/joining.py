"""One call from its many records: its tool span, the spans within, the messages that ask for it, and their answers."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from evalbook.jsonio.values import Json
from evalbook.traces.formats._gaps import Gaps
from evalbook.traces.formats._parts import WireSpan
from evalbook.traces.formats._spans.asking import Request, Requests
from evalbook.traces.formats._spans.record import Record
from evalbook.traces.formats._spans.shapes import Answered, Asked
from evalbook.traces.formats._spans.times import ordinal

_HANDS_OVER: Final = re.compile(r"(?:transfer|transfer_back|handoff|hand_off)_to_(.+)")
_NO_WORD: Final = re.compile(r"[^a-z0-9]+")

Above = Callable[[Record], list[str]]
"""The ids of the records above one, with no model or agent between."""

_BOTH: Final = 2


@dataclass(slots=True)
class JoinedCall:
    """A call that ran in a span of its own."""

    record: Record
    wire: WireSpan
    is_taken: bool = False


def join_records(calls: list[JoinedCall], above: Above, shared: set[str]) -> list[JoinedCall]:
    """*calls* without the records of others: those are made `other`, and the call keeps the fullest of both."""
    holders = {call.record.span_id: above(call.record) for call in calls}
    kept: dict[str, JoinedCall] = {}
    by_id: dict[tuple[str, str], list[JoinedCall]] = {}
    joined: set[str] = set()
    # The outermost first: what stands above is the call, what is within it its record.
    for call in sorted(calls, key=lambda one: len(holders[one.record.span_id])):
        named = str(call.wire["name"]), str(call.wire.get("call_id"))
        near = [kept[one] for one in holders[call.record.span_id] if one in kept]
        same = by_id.get(named, []) if "call_id" in call.wire else []
        outer = next((one for one in near if _is_one(one, call, is_nested=True, shared=shared)), None)
        outer = outer or next((one for one in same if _is_one(one, call, is_nested=False, shared=shared)), None)
        if outer is None:
            kept[call.record.span_id] = call
            by_id.setdefault(named, []).append(call)
        else:
            joined.add(call.record.span_id)
            _absorb(outer.wire, call.wire)
    ordered = sorted(calls, key=lambda call: (ordinal(call.record.start), call.wire["span_id"]))
    return [call for call in ordered if call.record.span_id not in joined]


def _is_one(outer: JoinedCall, inner: JoinedCall, *, is_nested: bool, shared: set[str]) -> bool:
    if outer.wire["name"] != inner.wire["name"]:
        return False
    ids = [call.wire["call_id"] for call in (outer, inner) if "call_id" in call.wire]
    if len(ids) == _BOTH and ids[0] == ids[1]:
        if is_nested or _overlap(outer.record, inner.record):
            return True
        shared.add(ids[0])
        return False
    is_other_tracer = outer.record.scope != inner.record.scope or inner.record.has_any("mcp.")
    return len(ids) < _BOTH and is_nested and is_other_tracer


def _overlap(one: Record, other: Record) -> bool:
    """Whether two records may be of one moment; a record without times may be of any."""
    times = [(ordinal(record.start), ordinal(record.end)) for record in (one, other) if record.timed]
    if len(times) < _BOTH or any(end < 0 for _, end in times):
        return True
    return times[0][0] <= times[1][1] and times[1][0] <= times[0][1]


def _absorb(outer: WireSpan, inner: WireSpan) -> None:
    if "arguments" in inner and "arguments" not in outer:
        outer.pop("arguments_invalid", None)
        outer["arguments"] = inner["arguments"]
    if "call_id" in inner:
        outer.setdefault("call_id", inner["call_id"])
    if inner["status"] == "error":
        outer["status"] = "error"
        outer.update({"error": inner["error"]} if "error" in inner and "error" not in outer else {})
    if inner.get("executed") is False:
        outer["executed"] = False
    for name in ("arguments", "arguments_invalid", "call_id", "executed"):
        inner.pop(name, None)
    inner["kind"] = "other"


def join_requests(calls: list[JoinedCall], requests: Requests, handoffs: list[WireSpan], gaps: Gaps) -> list[Request]:
    """Join what was asked for to the *calls* that ran; return what ran, or may have run, without a span of its own."""
    _forget_shared_ids(calls, requests)
    by_name: dict[str, list[JoinedCall]] = {}
    for call in calls:
        by_name.setdefault(call.wire["name"], []).append(call)
    left = [one for one in requests.calls if not _take(one.asked, by_name.get(one.asked.name, []), by_id=True)]
    left = [one for one in left if not _take(one.asked, by_name.get(one.asked.name, []), by_id=False)]
    open_ends = [wire for wire in handoffs if wire.get("executed") is not False]
    for request in left:
        _take_handoff(request.asked, open_ends)
        asked = request.asked
        if asked.call_id is None or any("call_id" not in call.wire for call in by_name.get(asked.name, [])):
            _note_likeness(request, by_name.get(asked.name, []), gaps)
        if not (asked.answered or asked.is_provider or asked.denied):
            gaps.add(request.record.pointer, "asks for a call that no span or answer shows: it may have run")
    return [*left, *_unasked(calls, requests, gaps)]


def _note_likeness(request: Request, calls: list[JoinedCall], gaps: Gaps) -> None:
    """Note a call that may be one that ran with other arguments: without ids nothing tells."""
    if any(not call.is_taken for call in calls):
        gaps.add(request.record.pointer, "asks for a call with other arguments than the tool's span has")


def _forget_shared_ids(calls: list[JoinedCall], requests: Requests) -> None:
    for call in calls:
        if call.wire.get("call_id") in requests.shared_ids:
            del call.wire["call_id"]


def _take(asked: Asked, calls: list[JoinedCall], *, by_id: bool) -> bool:
    """Give *asked* to the first of *calls*, all of its name, that has its id, or (without ids) is not given yet."""
    for call in calls:
        own = call.wire.get("call_id")
        is_open = (own is None or asked.call_id is None) and _agree(call.wire, asked.arguments)
        fits = own is not None and own == asked.call_id if by_id else is_open
        if fits and not call.is_taken:
            _fill(call, asked)
            return True
    return False


def _agree(one: WireSpan, other: WireSpan) -> bool:
    """Whether two records may have the same arguments; what was not recorded may have been any."""
    held = [fields["arguments"] for fields in (one, other) if "arguments" in fields]
    return len(held) < _BOTH or held[0] == held[1]


def _fill(call: JoinedCall, asked: Asked) -> None:
    call.is_taken = True
    wire = call.wire
    if asked.call_id:
        wire.setdefault("call_id", asked.call_id)
    if "arguments" not in wire and "arguments" in asked.arguments:
        wire.pop("arguments_invalid", None)
        wire["arguments"] = asked.arguments["arguments"]
    if asked.failed:
        wire["status"] = "error"
    if asked.denied:
        wire["executed"] = False


def _take_handoff(asked: Asked, open_ends: list[WireSpan]) -> None:
    """A handoff that took place is the answer to the call of the tool that asks for it."""
    named = _HANDS_OVER.fullmatch(asked.name)
    if named is None:
        return
    for wire in open_ends:
        if plain(wire.get("target_agent")) == plain(named[1]):
            asked.answered = True
            open_ends.remove(wire)
            return


def plain(name: Json) -> str:
    """An agent's name without what frameworks change in it: case, blanks and signs."""
    return _NO_WORD.sub("_", str(name).lower())


def _unasked(calls: list[JoinedCall], requests: Requests, gaps: Gaps) -> list[Request]:
    """Calls of which only answers are left: each is one that ran, asked for where nothing shows it."""
    ids = {call.wire.get("call_id") for call in calls} | {one.asked.call_id for one in requests.calls}
    names = {call.wire["name"] for call in calls} | {one.asked.name for one in requests.calls}
    by_id: dict[str | None, Asked] = {one.asked.call_id: one.asked for one in requests.calls if one.asked.call_id}
    found: dict[tuple[str | None, str | None], Request] = {}
    nameless: Counter[str] = Counter()
    for answer, record in requests.answers:
        if answer.call_id is not None and answer.call_id in ids - requests.shared_ids:
            _settle(answer, by_id, calls)
            continue
        if answer.call_id is None and answer.name in names:
            continue
        nameless[record.span_id] += answer.call_id is None and answer.name is None
        if answer.call_id is None and answer.name is None and nameless[record.span_id] <= len(calls) + len(by_id):
            # It says nothing of its call, and there are as many calls as such answers.
            continue
        gaps.add(answer.pointer, "answers a call that nothing asks for")
        if answer.name is not None and (answer.call_id, answer.name) not in found:
            asked = Asked(answer.name, answer.call_id, {}, answer.pointer, 0, answered=True, failed=answer.failed)
            found[answer.call_id, answer.name] = Request(asked, record)
    return list(found.values())


def _settle(answer: Answered, by_id: dict[str | None, Asked], calls: list[JoinedCall]) -> None:
    """An answer that stands in another record than its call."""
    asked = by_id.get(answer.call_id)
    if asked is not None:
        asked.answered, asked.failed = True, asked.failed or answer.failed
        asked.denied = asked.denied or answer.denied
    for call in calls:
        if call.wire.get("call_id") == answer.call_id and answer.failed:
            call.wire["status"] = "error"


def settle_elsewhere(requests: Requests) -> None:
    """Give calls the answers that stand in other records than they do, by their ids."""
    by_id: dict[str | None, Asked] = {one.asked.call_id: one.asked for one in requests.calls if one.asked.call_id}
    for answer, _ in requests.answers:
        if answer.call_id is not None:
            _settle(answer, by_id, [])
