"""The members that every exporter writes of a span, under its own names: ids, parent, scope, status."""

import re
from collections.abc import Mapping
from typing import Final

from evalbook.jsonio.values import Json
from evalbook.traces.formats._spans.record import id_of, name_of

SPAN_IDS: Final = ("span_id", "spanId", "id")
TRACE_IDS: Final = ("trace_id", "traceId")
PARENT_IDS: Final = ("parent_span_id", "parentSpanId", "parent_id", "parentId")
_ERRORS: Final = frozenset({2, "2", "ERROR", "STATUS_CODE_ERROR", "StatusCode.ERROR"})
_OKS: Final = frozenset({1, "1", "OK", "STATUS_CODE_OK", "StatusCode.OK"})
_NO_PARENT: Final = re.compile(r"0{16,}")


def own_id(source: Mapping[str, Json], names: tuple[str, ...]) -> str | None:
    """The first of the ids *names* that *source* or its context has, without the `0x` that some write before it."""
    context = source.get("context", source.get("_spanContext"))
    held = (source, context) if type(context) is dict else (source,)
    found = (id_of(one.get(name)) for name in names for one in held)
    return next((without_prefix(one) for one in found if one), None)


def without_prefix(text: str) -> str:
    """An id without the prefix of hexadecimal numbers."""
    return text.removeprefix("0x")


def parent_of(source: Mapping[str, Json]) -> str | None:
    """The id of the parent, None at a root."""
    context = source.get("parentSpanContext")
    named = next((id_of(source[name]) for name in PARENT_IDS if id_of(source.get(name))), None)
    named = named or (own_id(context, SPAN_IDS) if type(context) is dict else None)
    # Sixteen zeros are how some exporters write that there is no parent.
    return None if named is None or _NO_PARENT.fullmatch(without_prefix(named)) else without_prefix(named)


def scope_name(scope: Json) -> str:
    """The name of the instrumentation, empty where there is none."""
    return name_of(scope.get("name") if type(scope) is dict else scope) or ""


def status_of(source: Mapping[str, Json]) -> str:
    """The status as the wire has it, from a number or a name in any exporter's form."""
    status = source.get("status")
    status = source.get("status_code") if status is None else status
    if type(status) is dict:
        status = status.get("code", status.get("status_code"))
    if type(status) not in (str, int):
        return "unset"
    return "error" if status in _ERRORS else "ok" if status in _OKS else "unset"
