"""Results as OpenTelemetry events `gen_ai.evaluation.result`, in OTLP's JSON: one log record a result.

Attributes by the GenAI conventions' events. A pass or fail has a label and its score; what could not be decided has
`error.type` with its code and no value, so that no dashboard takes it for a 0.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from evalbook.jsonio.values import Json

EVENT: Final = "gen_ai.evaluation.result"
_DECIDED: Final = frozenset({"pass", "fail"})
_TRACE_ID: Final = re.compile("(?!0{32})[0-9a-f]{32}")
_SPAN_ID: Final = re.compile("(?!0{16})[0-9a-f]{16}")


class Evaluated(NamedTuple):
    """What was evaluated: ids of the recorded trace and of its root span, where they are OpenTelemetry's."""

    trace_id: str | None = None
    span_id: str | None = None


def evaluated(trace: Json) -> Evaluated:
    """Return the ids that events about a case with this wire trace are parented to."""
    if not isinstance(trace, Mapping):
        return Evaluated()
    trace_id, spans = trace.get("trace_id"), trace.get("spans")
    listed = [span for span in (spans if isinstance(spans, list) else ()) if isinstance(span, Mapping)]
    roots = [span.get("span_id") for span in listed if not span.get("parent_span_id")]
    span_id = roots[0] if len(roots) == 1 else None
    if not (isinstance(trace_id, str) and _TRACE_ID.fullmatch(trace_id)):
        return Evaluated()
    return Evaluated(trace_id, span_id if isinstance(span_id, str) and _SPAN_ID.fullmatch(span_id) else None)


def otel_events(results: Iterable[tuple[Mapping[str, Any], Evaluated]], time_unix_nano: int) -> dict[str, Json]:
    """Return the OTLP document of *results*, as a run of a suite gives them, each with what it is about."""
    records = [_record(result, about, time_unix_nano) for result, about in results]
    resource = {"attributes": [_attribute("service.name", "evalbook")]}
    scoped = {"scope": {"name": "evalbook"}, "logRecords": records}
    return {"resourceLogs": [{"resource": resource, "scopeLogs": [scoped]}]}


def _record(result: Mapping[str, Any], about: Evaluated, time_unix_nano: int) -> dict[str, Json]:
    record: dict[str, Json] = {
        "timeUnixNano": str(time_unix_nano),
        "eventName": EVENT,
        "severityNumber": 9,
        "attributes": list(_attributes(result)),
    }
    ids = {"traceId": about.trace_id, "spanId": about.span_id}
    return record | {name: value for name, value in ids.items() if value is not None}


def _attributes(result: Mapping[str, Any]) -> Iterator[dict[str, Json]]:
    yield _attribute("gen_ai.evaluation.name", result["scorer"])
    if result["outcome"] in _DECIDED:
        yield _attribute("gen_ai.evaluation.score.label", result["outcome"])
        if result["score"] is not None:
            yield _attribute("gen_ai.evaluation.score.value", float(result["score"]))
    else:
        yield _attribute("error.type", result["code"] or result["outcome"])
    yield _attribute("gen_ai.evaluation.explanation", result["explanation"])
    yield _attribute("evalbook.case_id", result["case_id"])


def _attribute(key: str, value: str | float) -> dict[str, Json]:
    return {"key": key, "value": {"stringValue": value} if isinstance(value, str) else {"doubleValue": value}}
