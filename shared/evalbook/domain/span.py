"""The recorded trace of a case: its spans, what makes them contradict each other, and their order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from evalbook.jsonio.values import ABSENT, Absent, Json


class SpanKind(StrEnum):
    """What a span records; a wrapper or an unknown kind of work is `other`."""

    TOOL = "tool"
    RETRIEVAL = "retrieval"
    AGENT = "agent"
    HANDOFF = "handoff"
    LLM = "llm"
    OTHER = "other"


class SpanStatus(StrEnum):
    """How a span ended, as far as it was recorded."""

    OK = "ok"
    ERROR = "error"
    UNSET = "unset"


@dataclass(frozen=True, slots=True)
class Document:
    """One retrieved document; without an id where that was not recorded."""

    id: str | None


class Span(NamedTuple):
    """One span of a trace, times in nanoseconds since the Unix epoch.

    A named tuple, unlike the other records here: it is made for every span of every case, at a fifth of the cost.
    `arguments` and `documents` are ABSENT where they were not recorded, which is not the same as empty; documents stand
    in the order of their ranks. `errored` also holds where only an error was recorded and no status. `executed` is None
    where the record does not say whether a call that was asked for ran.
    """

    span_id: str
    kind: SpanKind
    name: str
    parent_span_id: str | None = None
    start: int | None = None
    end: int | None = None
    sequence: int | None = None
    errored: bool = False
    ended: bool = True
    executed: bool | None = True
    call_id: str | None = None
    arguments: Mapping[str, Json] | Absent = ABSENT
    documents: tuple[Document, ...] | Absent = ABSENT
    source_agent: str | None = None
    target_agent: str | None = None


@dataclass(frozen=True, slots=True)
class Unread:
    """A place of a recorded document that may hold a call and was not understood: a JSON Pointer, and why."""

    pointer: str
    reason: str


@dataclass(frozen=True, slots=True)
class Trace:
    """A recorded trace without contradictions, its spans in start order.

    Where `incomplete` is not empty, calls may be missing: what the spans show took place, what they lack may have too.
    *unrecorded* are the kinds of span that its format does not record: that there are none of them says nothing.
    """

    spans: tuple[Span, ...]
    incomplete: tuple[Unread, ...] = ()
    unrecorded: frozenset[SpanKind] = frozenset()


def find_contradiction(spans: Sequence[Span]) -> tuple[int, str] | None:
    """Return the index of the first span that contradicts itself or the others, and how; None where there is none.

    A parent that is not in the list is no contradiction: lists are often a part of what was recorded.
    """
    for index, span in enumerate(spans):
        if span.end is not None and span.start is not None and span.end < span.start:
            return index, "end_time is before start_time"
    parents = {span.span_id: span.parent_span_id for span in spans}
    if len(parents) < len(spans):
        return _first_repeated(spans), "span_id is the one of an earlier span"
    circling = _first_in_circle(parents)
    return None if circling is None else (circling, "parent_span_id leads into a circle")


def _first_repeated(spans: Sequence[Span]) -> int:
    seen: set[str] = set()
    for index, span in enumerate(spans):
        if span.span_id in seen:
            return index
        seen.add(span.span_id)
    return len(spans)


def _first_in_circle(parents: Mapping[str, str | None]) -> int | None:
    rooted: set[str] = set()
    for index, span_id in enumerate(parents):
        path: set[str] = set()
        place: str | None = span_id
        while place is not None and place not in rooted:
            if place in path:
                return index
            path.add(place)
            place = parents.get(place)
        rooted |= path
    return None


def in_start_order(spans: Sequence[Span]) -> tuple[Span, ...]:
    """*spans* by start time, equal starts by sequence, then as given (T-01).

    A span without a sequence number or without a start time takes the one of the span before it, so that it keeps its
    place among its neighbours; without any start time the sequence alone decides.
    """
    ordered = _sorted_by(spans, [span.sequence for span in spans])
    return tuple(_sorted_by(ordered, [span.start for span in ordered]))


def _sorted_by(spans: Sequence[Span], keys: Sequence[int | None]) -> Sequence[Span]:
    known = [key for key in keys if key is not None]
    if not known:
        return spans
    filled = known if len(known) == len(keys) else _filled(keys, min(known))
    return [spans[index] for index in sorted(range(len(spans)), key=filled.__getitem__)]


def _filled(keys: Sequence[int | None], first: int) -> list[int]:
    filled: list[int] = []
    for key in keys:
        first = first if key is None else key
        filled.append(first)
    return filled
