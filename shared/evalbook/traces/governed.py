"""Values of a case that also stand in its spans, where the project's capture policy governs them (P-03)."""

from collections.abc import Collection, Iterator, Mapping
from typing import Final

from evalbook.domain.case import ContentRef
from evalbook.jsonio.equality import json_equal
from evalbook.jsonio.values import Json
from evalbook.traces.conversion import DOCUMENT, NotConverted, convert, is_recorded

ARGUMENTS: Final = "arguments"


def standing_in_spans(value: Mapping[str, Json], names: Collection[str]) -> Mapping[str, tuple[ContentRef, ...]]:
    """Return where those of *names* that the case holds itself stand in its spans; the others are left out.

    A value stands in a span where it equals the span's arguments, or any text, array or object in them.
    Empty values, numbers, booleans and null are everywhere and tell nothing. Of a span without an id the traces
    component cannot be asked: its reference has the id "".
    """
    recorded = list(_recorded(value.get("trace")))
    found = {
        name: tuple(ref for ref, arguments in recorded if any(_equal(value[name], part) for part in _parts(arguments)))
        for name in sorted(names)
        if recorded and name in value and _tells_something(value[name])
    }
    return {name: refs for name, refs in found.items() if refs}


def _recorded(trace: Json) -> Iterator[tuple[ContentRef, Json]]:
    """Yield what the spans of *trace* hold; the whole of a document of another tool that cannot be converted."""
    if is_recorded(trace):
        try:
            trace = convert(trace)
        except (NotConverted, ValueError):
            yield ContentRef("", DOCUMENT), trace[DOCUMENT]
            return
    spans = trace.get("spans") if type(trace) is dict else None
    for span in spans if type(spans) is list else ():
        if type(span) is dict and _tells_something(span.get(ARGUMENTS)):
            span_id = span.get("span_id")
            yield ContentRef(span_id if type(span_id) is str else "", ARGUMENTS), span[ARGUMENTS]


def _parts(arguments: Json) -> Iterator[Json]:
    """Yield *arguments* and everything in them; without recursion, since a case may be nested a hundred deep."""
    left = [arguments]
    while left:
        part = left.pop()
        yield part
        if type(part) is dict:
            left.extend(part.values())
        elif type(part) is list:
            left.extend(part)


def _tells_something(value: Json) -> bool:
    return type(value) in (str, list, dict) and bool(value)


def _equal(value: Json, part: Json) -> bool:
    return type(value) is type(part) and json_equal(value, part)
