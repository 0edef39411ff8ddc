"""Strict reading of a case's wire trace, by hand: a pydantic model a span would cost more than all of the scoring.

`contracts.trace_schema` holds the same contract as a model, for the published JSON Schema. Unknown fields are ignored.
Null stands for 'not there' where a span has nothing to say (a parent, a time, a call id) and is a wrong type elsewhere.
"""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Final

from evalbook.domain.case import Case
from evalbook.domain.outcome import Code, EarlyOutcome, Grade, errored, unsupported
from evalbook.domain.span import (
    Document,
    Span,
    SpanKind,
    SpanStatus,
    Trace,
    Unread,
    find_contradiction,
    in_start_order,
)
from evalbook.domain.timestamps import nanoseconds
from evalbook.jsonio.canonical import exact
from evalbook.jsonio.values import ABSENT, Absent, Json, kind_of
from evalbook.traces.conversion import DOCUMENT, NotConverted, convert

_NO_TRACE = unsupported(Code.TRACE_UNAVAILABLE, "The case records no trace.")
_NO_SPANS = unsupported(Code.TRACE_UNAVAILABLE, "The case's trace holds no list of spans.")
_TRUNCATED = unsupported(Code.TRACE_TRUNCATED, "The recorded trace is truncated.")

_KINDS: Final = {kind.value: kind for kind in SpanKind}
# What a trace may say was not captured: contents of spans, and kinds of span that its format does not record.
_CAPTURABLE: Final = ("arguments", "documents", *_KINDS)
_STATUSES: Final = frozenset(status.value for status in SpanStatus)

Fields = Mapping[str, tuple[str, tuple[type, ...]]]

_NULL = type(None)
_NUMBER = (int, Decimal, float)
_PLAIN = (int, _NULL)
_TEXT_OR_NULL = ("a string", (str, _NULL))
_TIME = ("an RFC 3339 time or a number of nanoseconds", (*_NUMBER, str, _NULL))
_NUMBER_OR_NULL = ("a number", (*_NUMBER, _NULL))
_SPAN_FIELDS: Final[Fields] = {
    "span_id": ("a string", (str,)),
    "parent_span_id": _TEXT_OR_NULL,
    "kind": ("a string", (str,)),
    "name": ("a string", (str,)),
    "start_time": _TIME,
    "end_time": _TIME,
    "sequence": ("a whole number", (*_NUMBER, _NULL)),
    "status": ("a string", (str,)),
    "error": ("an object", (dict, _NULL)),
    "call_id": _TEXT_OR_NULL,
    "executed": ("a boolean", (bool, _NULL)),
    "arguments": ("an object", (dict,)),
    "documents": ("an array", (list,)),
    "source_agent": _TEXT_OR_NULL,
    "target_agent": _TEXT_OR_NULL,
}
_DOCUMENT_FIELDS: Final[Fields] = {
    "id": _TEXT_OR_NULL,
    "rank": _NUMBER_OR_NULL,
    "score": _NUMBER_OR_NULL,
}


def read_trace(case: Case) -> Trace:
    """The trace that *case* records, its spans in start order.

    Raises:
        Undecided: There is none (TRACE_UNAVAILABLE), it is not whole (TRACE_TRUNCATED) or it contradicts the contract
            or itself (TRACE_INVALID; the message names the place and quotes nothing).
    """
    raw = case.trace
    if raw is ABSENT or raw is None:
        raise EarlyOutcome(_NO_TRACE)
    if type(raw) is not dict:
        raise _invalid(f"The trace is {kind_of(raw)}, not an object.")
    if DOCUMENT in raw:
        raw = _converted(raw)
    if type(raw.get("trace_id", "")) not in _TEXT_OR_NULL[1]:
        raise _invalid(f"The trace's trace_id is {kind_of(raw['trace_id'])}, not a string.")
    truncated, incomplete = _flag(raw, "truncated"), _unread(raw.get("incomplete"))
    uncaptured = _uncaptured(raw.get("captured"))
    listed = raw.get("spans")
    if listed is not None and type(listed) is not list:
        raise _invalid(f"The trace's spans are {kind_of(listed)}, not an array.")
    spans = [_span(index, span, uncaptured) for index, span in enumerate(listed or ())]
    incomplete += tuple(_undecided(spans))
    contradiction = find_contradiction(spans)
    if contradiction:
        raise _invalid(f"Span {contradiction[0]}: {contradiction[1]}.")
    if truncated or incomplete:
        raise EarlyOutcome(_incomplete(len(incomplete)) if incomplete else _TRUNCATED)
    if listed is None:
        raise EarlyOutcome(_NO_SPANS)
    unrecorded = frozenset(_KINDS[name] for name in uncaptured & _KINDS.keys())
    return Trace(in_start_order(spans), incomplete, unrecorded)


def _invalid(message: str) -> EarlyOutcome:
    return EarlyOutcome(errored(Code.TRACE_INVALID, message))


def _converted(raw: dict[str, Json]) -> dict[str, Json]:
    try:
        return convert(raw)
    except (NotConverted, ValueError) as error:
        raise _invalid(str(error)) from None


def _flag(raw: dict[str, Json], name: str, *, unset: bool = False) -> bool:
    value = raw.get(name)
    if value is None:
        return unset
    if type(value) is not bool:
        raise _invalid(f"The trace's {name} is {kind_of(value)}, not a boolean.")
    return value


def _incomplete(count: int) -> Grade:
    places = "1 place of it may hold a call and was" if count == 1 else f"{count} places of it may hold calls and were"
    return unsupported(Code.TRACE_TRUNCATED, f"The recorded trace is incomplete: {places} not understood.")


def _unread(incomplete: Json) -> tuple[Unread, ...]:
    """The places that the trace says were not read."""
    if incomplete is None:
        return ()
    if type(incomplete) is not list:
        raise _invalid(f"The trace's incomplete is {kind_of(incomplete)}, not an array.")
    for place, one in enumerate(incomplete):
        texts = [one.get("pointer"), one.get("reason")] if type(one) is dict else [None]
        if any(type(text) is not str for text in texts):
            raise _invalid(f"The trace's incomplete[{place}] is no object with the strings pointer and reason.")
    return tuple(Unread(one["pointer"], one["reason"]) for one in incomplete)


def _undecided(spans: Sequence[Span]) -> Iterator[Unread]:
    """The spans that may or may not have run: what the trace shows is then not all that is known to have happened."""
    for index, span in enumerate(spans):
        if span.executed is None:
            yield Unread(f"/spans/{index}", "whether it ran was not recorded")


def _uncaptured(captured: Json) -> frozenset[str]:
    """The fields that the trace says were not captured: an empty value of one of them then says nothing."""
    if captured is None:
        return frozenset()
    if type(captured) is not dict:
        raise _invalid(f"The trace's captured is {kind_of(captured)}, not an object.")
    return frozenset(name for name in _CAPTURABLE if not _flag(captured, name, unset=True))


def _span(index: int, raw: Json, uncaptured: frozenset[str]) -> Span:
    kind, errored_status = _checked(raw, index)
    get = raw.get
    # An integer or nothing is what most of these hold, and a call costs more than the look at it.
    start, end, sequence = get("start_time"), get("end_time"), get("sequence")
    start = start if type(start) in _PLAIN else _time(start, index, "start_time")
    end = end if type(end) in _PLAIN else _time(end, index, "end_time")
    return Span(
        raw["span_id"],
        kind,
        get("name", ""),
        get("parent_span_id"),
        start,
        end,
        sequence if type(sequence) in _PLAIN else _whole(sequence, index, "sequence"),
        errored_status or get("error") is not None,
        # A trace without a clock, such as a list of messages, cannot say when a call ended, only that it ran.
        end is not None or (start is None and "end_time" not in raw),
        get("executed", True),
        get("call_id"),
        ABSENT if "arguments" in uncaptured and not get("arguments") else get("arguments", ABSENT),
        _documents(raw, index, uncaptured) if "documents" in raw else ABSENT,
        get("source_agent"),
        get("target_agent"),
    )


def _checked(raw: Json, index: int) -> tuple[SpanKind, bool]:
    """The kind of a span and whether its status is error, once all its fields have the types that the contract says."""
    if type(raw) is not dict:
        raise _invalid(f"Span {index} is {kind_of(raw)}, not an object.")
    _check_types(raw, _SPAN_FIELDS, index, "")
    for name in ("span_id", "kind"):
        if name not in raw:
            raise _invalid(f"Span {index}: {name} is missing.")
    kind, status = _KINDS.get(raw["kind"]), raw.get("status", "unset")
    if kind is None:
        raise _invalid(f"Span {index}: kind is none of {', '.join(SpanKind)}.")
    if kind is SpanKind.TOOL and "name" not in raw:
        raise _invalid(f"Span {index}: name is missing, and it says which tool was called.")
    if status not in _STATUSES:
        raise _invalid(f"Span {index}: status is none of {', '.join(SpanStatus)}.")
    return kind, status == SpanStatus.ERROR


def _check_types(raw: dict[str, Json], fields: Fields, index: int, within: str) -> None:
    for name, value in raw.items():
        needed = fields.get(name)
        if needed is not None and type(value) not in needed[1]:
            raise _invalid(f"Span {index}: {within}{_first_wrong(raw, fields)}.")


def _first_wrong(raw: dict[str, Json], fields: Fields) -> str:
    """Say what the first field of a wrong type is, in the contract's order: a case's order of keys never matters."""
    found = ((name, raw[name], *needed) for name, needed in fields.items() if name in raw)
    return next(
        f"{name} is {kind_of(value)}, not {words}" for name, value, words, types in found if type(value) not in types
    )


def _time(value: Json, index: int, field: str) -> int:
    if type(value) is not str:
        return _whole(value, index, field)
    read = nanoseconds(value)
    if read is None:
        raise _invalid(f"Span {index}: {field} is a string that is no RFC 3339 time with an offset.")
    return read


def _whole(value: Json, index: int, field: str) -> int:
    number = exact(value)
    if not number.is_finite() or number != int(number):
        raise _invalid(f"Span {index}: {field} is a number that is not whole.")
    return int(number)


def _documents(span: dict[str, Json], index: int, uncaptured: frozenset[str]) -> tuple[Document, ...] | Absent:
    raw = span["documents"]
    if not raw and "documents" in uncaptured:
        return ABSENT
    for place, document in enumerate(raw):
        if type(document) is not dict:
            raise _invalid(f"Span {index}: document {place} is {kind_of(document)}, not an object.")
        _check_types(document, _DOCUMENT_FIELDS, index, f"document {place}'s ")
    return tuple(Document(document.get("id")) for document in sorted(raw, key=_rank))


def _rank(document: dict[str, Json]) -> tuple[bool, Json]:
    """The key that sorts by rank, documents without one behind the others."""
    rank = document.get("rank")
    return rank is None, rank or 0
