"""Records what a program does as OpenTelemetry spans, in OTLP's JSON encoding."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

JsonObject = dict[str, Any]
AttributeValue = str | int

_INTERNAL: Final = 1  # SpanKind.SPAN_KIND_INTERNAL
_OK: Final = 1
_ERROR: Final = 2


class SpanRecorder:
    """Spans of one trace, nested as the `with` blocks are."""

    def __init__(self, trace_number: int) -> None:
        self._trace_id = f"{trace_number:032x}"
        self._spans: list[JsonObject] = []
        self._open: list[str] = []

    @contextmanager
    def span(self, name: str, attributes: Mapping[str, AttributeValue]) -> Iterator[dict[str, AttributeValue]]:
        """Record a span around a block, which may add attributes; an exception makes it an error and goes on."""
        span: JsonObject = {
            "traceId": self._trace_id,
            "spanId": f"{len(self._spans) + 1:016x}",
            "parentSpanId": self._open[-1] if self._open else "",
            "name": name,
            "kind": _INTERNAL,
            "startTimeUnixNano": str(time.time_ns()),
            "status": {"code": _OK},
        }
        self._spans.append(span)
        self._open.append(span["spanId"])
        noted = dict(attributes)
        try:
            yield noted
        except BaseException as error:
            span["status"] = {"code": _ERROR}
            noted["error.type"] = type(error).__name__
            raise
        finally:
            self._open.pop()
            span["endTimeUnixNano"] = str(time.time_ns())
            span["attributes"] = [{"key": key, "value": _any_value(value)} for key, value in noted.items()]

    def export(self, service: str) -> JsonObject:
        """Return the spans as an exporter posts them, under the name of the *service*."""
        named = [{"key": "service.name", "value": _any_value(service)}]
        scope = {"scope": {"name": __name__}, "spans": self._spans}
        return {"resourceSpans": [{"resource": {"attributes": named}, "scopeSpans": [scope]}]}


def _any_value(value: AttributeValue) -> JsonObject:
    return {"stringValue": value} if isinstance(value, str) else {"intValue": str(value)}
