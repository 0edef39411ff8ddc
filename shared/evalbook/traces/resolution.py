"""Filling a case with what its stored trace holds: spans, arguments and the values that its `refs` name.

A case's own digest is made of the case as it was sent; what is filled in here is never part of it.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from evalbook.contracts.case import read_refs
from evalbook.domain.case import ContentRef
from evalbook.domain.errors import CaseInvalid
from evalbook.domain.outcome import Code, Grade, Outcome, errored, unsupported
from evalbook.jsonio.values import Json
from evalbook.traces.conversion import is_recorded
from evalbook.traces.governed import ARGUMENTS, standing_in_spans
from evalbook.traces.port import Content, ContentStatus, Purpose, TraceKey, Traces, TraceUnreadable

_NOT_FOUND: Final = unsupported(Code.TRACE_UNAVAILABLE, "The project has no stored trace of this id.")
_NO_COMPONENT: Final = unsupported(
    Code.ARGUMENTS_UNAVAILABLE, "The trace is stored, and this deployment has no traces component to fetch it from."
)
_SPANS_UNREADABLE: Final = errored(Code.TRACE_INVALID, "The stored trace cannot be read.")
_CONTENT_UNREADABLE: Final = errored(Code.CASE_INVALID, "What the stored trace holds for the case cannot be read.")


@dataclass(frozen=True, slots=True)
class Needs:
    """What a version reads of a case, and what for: *values* are some of `input`, `output` and `expected`."""

    purpose: Purpose
    values: frozenset[str]
    spans: bool = False
    arguments: bool = False


@dataclass(frozen=True, slots=True)
class Resolution:
    """The case's value with what could be filled in, and the grade that ends the case where something could not."""

    value: Json
    ending: Grade | None = None

    def grade(self, scored: Grade) -> Grade:
        """Give the case's grade where a scorer, asked all the same, says *scored*: an error comes first (G-08).

        An expected value that could not be fetched is not missing: there the ending stands.
        """
        if self.ending is None:
            return scored
        is_error = scored.outcome is Outcome.ERROR and scored.code is not Code.EXPECTED_MISSING
        return scored if is_error and self.ending.outcome is not Outcome.ERROR else self.ending


def needs_resolution(value: Json, needs: Needs) -> bool:
    """Whether the case *value* holds something in a stored trace that a version with *needs* reads."""
    if type(value) is not dict:
        return False
    if _wanted(value, needs):
        return True
    trace = value.get("trace") if needs.spans else None
    if type(trace) is not dict or not _is_stored(trace):
        return False
    return trace.get("spans") is None or (needs.arguments and any(True for _ in _without_arguments(trace)))


def resolve_case(
    value: Json, needs: Needs, traces: Traces | None, *, organization_id: str, project_id: str
) -> Resolution:
    """Fill the case *value* for a version with *needs*: at most one request for spans and one for content.

    What is malformed stays as it is, for the case's own reader to name. A judge's case that ends here is returned
    unfilled. Raises `TracesUnavailable` where *traces* does not answer.
    """
    if not needs_resolution(value, needs):
        return Resolution(value)
    trace = value.get("trace")
    if traces is None or type(trace) is not dict or not _is_stored(trace):
        return Resolution(value, _unfetched(value, needs))
    key = TraceKey(organization_id, project_id, trace["trace_id"])
    with_spans = _with_spans(value, trace, needs, traces, key)
    return with_spans if with_spans.ending else _with_content(with_spans.value, needs, traces, key)


def _is_stored(trace: Mapping[str, Json]) -> bool:
    trace_id = trace.get("trace_id")
    return type(trace_id) is str and trace_id != "" and not is_recorded(trace)


def _wanted(value: Mapping[str, Json], needs: Needs) -> Mapping[str, tuple[ContentRef, ...]]:
    """Return the contents that each value needs kept before it is read.

    A judge is sent what the policy governs only where it says so for every place that holds it: what `refs` names and
    what stands in the case's spans, also where the case brings a copy.
    """
    wanted = {name: (ref,) for name, ref in _needed_refs(value, needs)} if value.get("refs") else {}
    if needs.purpose is not Purpose.JUDGE:
        return wanted
    standing = standing_in_spans(value, needs.values)
    return {name: (*wanted.get(name, ()), *standing.get(name, ())) for name in [*wanted, *(standing.keys() - wanted)]}


def _needed_refs(value: Mapping[str, Json], needs: Needs) -> Iterator[tuple[str, ContentRef]]:
    """The refs that are read. A judge's are read beside a value as well: the policy may forbid to send it."""
    try:
        refs = read_refs(value["refs"])
    except CaseInvalid:
        return
    for name, ref in refs.items():
        if name in needs.values and (name not in value or needs.purpose is Purpose.JUDGE):
            yield name, ref


def _without_arguments(trace: Mapping[str, Json]) -> Iterator[dict[str, Json]]:
    """The tool calls whose arguments are not in the span list; `{}` says nothing where none were captured."""
    spans, captured = trace.get("spans"), trace.get("captured")
    uncaptured = type(captured) is dict and captured.get(ARGUMENTS) is False
    for span in spans if type(spans) is list else ():
        if type(span) is dict and span.get("kind") == "tool" and type(span.get("span_id")) is str:
            missing = ARGUMENTS not in span or (uncaptured and not span[ARGUMENTS])
            if missing and span.get("executed", True) is True:
                yield span


def _unfetched(value: Mapping[str, Json], needs: Needs) -> Grade | None:
    """What ends a case whose trace cannot be asked for; None where the scorer's own answer says it."""
    wanted = _wanted(value, needs)
    if wanted:
        return _unavailable(value, wanted)
    trace = value.get("trace")
    spans_are_stored = type(trace) is dict and _is_stored(trace) and trace.get("spans") is None
    return _NO_COMPONENT if needs.arguments and spans_are_stored else None


def _unavailable(value: Mapping[str, Json], names: Iterable[str]) -> Grade:
    """Return what ends a case that lacks *names*, or brings them and has nobody's word that a judge may see them."""
    lacking = [name for name in names if name not in value]
    if lacking:
        return unsupported(Code.CONTENT_UNAVAILABLE, f"Held in the stored trace and not to be had: {_listed(lacking)}.")
    explanation = f"The capture policy does not say that a judge may see: {_listed(names)}."
    return unsupported(Code.CONTENT_UNAVAILABLE, explanation)


def _forbidden(names: list[str]) -> Grade:
    return unsupported(Code.CAPTURE_POLICY_FORBIDS, f"The capture policy forbids to use: {_listed(names)}.")


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))


def _with_spans(
    value: Mapping[str, Json], trace: Mapping[str, Json], needs: Needs, traces: Traces, key: TraceKey
) -> Resolution:
    if not needs.spans or trace.get("spans") is not None:
        return Resolution(value)
    try:
        stored = traces.spans(key)
    except TraceUnreadable:
        return Resolution(value, _SPANS_UNREADABLE)
    if stored is None:
        return Resolution(value, _NOT_FOUND)
    truncated = {"truncated": True} if trace.get("truncated") is True else {}
    return Resolution({**value, "trace": {**trace, **stored, **truncated}})


def _with_content(value: Mapping[str, Json], needs: Needs, traces: Traces, key: TraceKey) -> Resolution:
    wanted = _wanted(value, needs)
    calls = list(_without_arguments(value["trace"])) if needs.spans and needs.arguments else []
    fields = [
        *(ref for refs in wanted.values() for ref in refs if ref.span_id),
        *(ContentRef(span["span_id"], ARGUMENTS) for span in calls),
    ]
    if not (fields or wanted):
        return Resolution(value)
    try:
        contents = (traces.contents(key, needs.purpose, list(dict.fromkeys(fields))) if fields else None) or {}
    except TraceUnreadable:
        return Resolution(value, _CONTENT_UNREADABLE)
    ending = _values_ending(value, wanted, contents)
    if ending and needs.purpose is Purpose.JUDGE:
        return Resolution(value, ending)
    kept = {ref: content.value for ref, content in contents.items() if content.status is ContentStatus.KEPT}
    values = {name: kept[refs[0]] for name, refs in wanted.items() if name not in value and refs[0] in kept}
    filled = {**value, **values}
    return Resolution({**filled, "trace": _with_arguments(value["trace"], kept)} if calls else filled, ending)


def _values_ending(
    value: Mapping[str, Json], wanted: Mapping[str, tuple[ContentRef, ...]], contents: Mapping[ContentRef, Content]
) -> Grade | None:
    statuses = {
        name: {contents[ref].status if ref in contents else ContentStatus.NOT_KEPT for ref in refs}
        for name, refs in wanted.items()
    }
    forbidden = [name for name, found in statuses.items() if ContentStatus.FORBIDDEN in found]
    if forbidden:
        return _forbidden(forbidden)
    lost = [name for name, found in statuses.items() if found != {ContentStatus.KEPT}]
    return _unavailable(value, lost) if lost else None


def _with_arguments(trace: Mapping[str, Json], kept: Mapping[ContentRef, Json]) -> Mapping[str, Json]:
    """Fill the calls' arguments; a call whose arguments were not kept has none afterwards, not even empty ones."""
    missing = [id(span) for span in _without_arguments(trace)]
    spans = [_filled(span, kept) if id(span) in missing else span for span in trace["spans"]]
    captured = trace.get("captured")
    if type(captured) is not dict:
        return {**trace, "spans": spans}
    return {**trace, "spans": spans, "captured": {**captured, ARGUMENTS: True}}


def _filled(span: Mapping[str, Json], kept: Mapping[ContentRef, Json]) -> Mapping[str, Json]:
    rest = {name: member for name, member in span.items() if name != ARGUMENTS}
    ref = ContentRef(span["span_id"], ARGUMENTS)
    return {**rest, ARGUMENTS: kept[ref]} if ref in kept else rest
