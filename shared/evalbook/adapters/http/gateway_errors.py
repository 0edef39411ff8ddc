"""What each error answer of a gateway means: one table by status and by the error's own names, texts last.

What certainly cost nothing is said to be so by the status: a name only makes the code more exact, and what a gateway
claims in words never makes a charge certain or a retry safe.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from evalbook.adapters.http.request import HttpAnswer, Loss
from evalbook.adapters.http.usage import read_usage
from evalbook.domain.outcome import Code
from evalbook.jsonio.values import Json
from evalbook.services.judging.gateway import ChargeStatus, GatewayFault

_NONE, _UNCERTAIN = ChargeStatus.NONE, ChargeStatus.UNCERTAIN

_BAD_REQUEST: Final = GatewayFault(Code.GATEWAY_BAD_REQUEST, _NONE)
_NO_BUDGET: Final = GatewayFault(Code.BUDGET_EXHAUSTED, _NONE)
_NO_MODEL: Final = GatewayFault(Code.GATEWAY_MODEL_UNAVAILABLE, _NONE, stops_run=True)
_BLOCKED: Final = GatewayFault(Code.GATEWAY_CONTENT_BLOCKED, _NONE)
_CONTEXT: Final = GatewayFault(Code.GATEWAY_CONTEXT_TOO_LONG, _NONE)
_CONFLICT: Final = GatewayFault(Code.GATEWAY_IDEMPOTENCY_CONFLICT, _UNCERTAIN)
_FAILED: Final = GatewayFault(Code.GATEWAY_5XX, _UNCERTAIN, may_send_again=True)
_UNREACHABLE: Final = GatewayFault(Code.GATEWAY_UNREACHABLE, _NONE, may_send_again=True)
_UNKNOWN: Final = GatewayFault(Code.GATEWAY_OUTCOME_UNKNOWN, _UNCERTAIN, may_send_again=True)
BAD_BODY: Final = GatewayFault(Code.BAD_GATEWAY_BODY, _UNCERTAIN, may_send_again=True)

LOSSES: Final[Mapping[Loss, GatewayFault]] = {
    Loss.UNSENT: _UNREACHABLE,
    Loss.LOST: _UNKNOWN,
    Loss.OUT_OF_TIME: GatewayFault(Code.TIME_LIMIT, _UNCERTAIN),
    Loss.OUT_OF_TIME_UNSENT: GatewayFault(Code.TIME_LIMIT, _NONE),
}

_BY_STATUS: Final[Mapping[int, GatewayFault]] = {
    401: GatewayFault(Code.GATEWAY_AUTH, _NONE, stops_run=True),
    402: _NO_BUDGET,
    403: GatewayFault(Code.GATEWAY_FORBIDDEN, _NONE, stops_run=True),
    404: _NO_MODEL,
    408: _UNKNOWN,
    409: GatewayFault(Code.GATEWAY_IN_PROGRESS, _UNCERTAIN, may_send_again=True),
    412: _NO_BUDGET,
    413: GatewayFault(Code.GATEWAY_TOO_LARGE, _NONE),
    422: _CONFLICT,
    425: _UNREACHABLE,
    429: GatewayFault(Code.GATEWAY_RATE_LIMITED, _NONE, may_send_again=True),
    446: _BLOCKED,
}

_BY_NAME: Final[Mapping[int, Mapping[str, GatewayFault]]] = {
    400: {
        "budget_exceeded": _NO_BUDGET,
        "context_length_exceeded": _CONTEXT,
        "context_window_exceeded": _CONTEXT,
        "model_not_found": _NO_MODEL,
        "content_filter": _BLOCKED,
        "content_policy": _BLOCKED,
        "content_policy_violation": _BLOCKED,
    },
    409: {
        "idempotency_conflict": _CONFLICT,
        "idempotency_error": _CONFLICT,
        "idempotency_key_conflict": _CONFLICT,
        "idempotency_key_reuse": _CONFLICT,
    },
    422: {
        "invalid_request_error": _BAD_REQUEST,
        "unprocessable_entity_error": _BAD_REQUEST,
        "validation_error": _BAD_REQUEST,
    },
    429: {
        "budget_exceeded": _NO_BUDGET,
        "insufficient_quota": GatewayFault(Code.GATEWAY_PROVIDER_QUOTA, _NONE),
    },
}

# Only where a gateway names nothing, and only between codes that mean the same for the budget. What stops the run must
# stand at the beginning, where the gateway speaks: further on it may be quoting a case.
_BY_TEXT: Final[tuple[tuple[re.Pattern[str], GatewayFault], ...]] = (
    (re.compile(r"\A(?:/[a-z0-9/]+: )?invalid model name", re.ASCII), _NO_MODEL),
    (re.compile(r"contextwindowexceeded|context window|maximum context length"), _CONTEXT),
    (re.compile(r"contentpolicyviolation"), _BLOCKED),
)
_MIN_SERVER_ERROR: Final = 500
_BAD_REQUEST_STATUS: Final = 400
_VALIDATION_STATUS: Final = 422


@dataclass(frozen=True, slots=True)
class _Said:
    """The names and the text by which an answer's body describes the error."""

    names: tuple[str, ...]
    text: str


def error_fault(answer: HttpAnswer) -> GatewayFault:
    """Say what *answer*, whose status is 400 or above, means; usage in it means that the call was charged."""
    body = _read(answer.body)
    fault = _by_status(answer.status, body)
    report = read_usage(body, {})
    if fault.code is Code.GATEWAY_CONTENT_BLOCKED and report.usage is not None:
        return replace(fault, charge=ChargeStatus.CHARGED, report=report)
    return fault


def _by_status(status: int, body: Mapping[str, Json]) -> GatewayFault:
    said = _said(body)
    named = _BY_NAME.get(status, {})
    for name in said.names:
        if name in named:
            return named[name]
    if status == _BAD_REQUEST_STATUS:
        return next((fault for pattern, fault in _BY_TEXT if pattern.search(said.text)), _BAD_REQUEST)
    if status == _VALIDATION_STATUS and isinstance(body.get("detail"), list):
        return _BAD_REQUEST  # how FastAPI, which many gateways are built on, lists what is wrong with a body
    if status >= _MIN_SERVER_ERROR:
        return _FAILED
    return _BY_STATUS.get(status, _BAD_REQUEST)


def _read(body: bytes) -> Mapping[str, Json]:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _said(body: Mapping[str, Json]) -> _Said:
    error = body.get("error")
    place: Mapping[str, Any] = error if isinstance(error, dict) else body
    text = place.get("message", place.get("detail", ""))
    names = tuple(_names(place.get("code"), place.get("type"), error))
    return _Said(names, text.lower() if isinstance(text, str) else "")


def _names(*values: Json) -> Iterator[str]:
    for value in values:
        if isinstance(value, str):
            # A problem's type is a URI whose last segment names it (RFC 9457).
            yield value.lower().rpartition("/")[2].replace("-", "_")
