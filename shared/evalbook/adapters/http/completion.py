"""Reading the answer to a chat completion request: a completion of the pinned model, or what is wrong with it."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from evalbook.adapters.http.gateway_errors import BAD_BODY, LOSSES, error_fault
from evalbook.adapters.http.request import HttpAnswer, Loss
from evalbook.adapters.http.usage import read_usage
from evalbook.domain.outcome import Code
from evalbook.jsonio.values import Json
from evalbook.judges.estimate import NO_REPORT, UsageReport
from evalbook.judges.reply import RawReply
from evalbook.services.judging.gateway import ChargeStatus, CompletionReply, CompletionRequest, GatewayFault

OK: Final = 200
GUARDRAIL_FAILED: Final = 246
_MIN_ERROR: Final = 400

_MODEL_HEADER: Final = "x-litellm-model-name"
_FALLBACKS_HEADER: Final = "x-litellm-attempted-fallbacks"

Outcome = CompletionReply | GatewayFault


def read_completion(answer: HttpAnswer | Loss, request: CompletionRequest) -> Outcome:
    """Say what came of sending *request* once; never raises, whatever the gateway answered."""
    if isinstance(answer, Loss):
        return LOSSES[answer]
    if answer.status >= _MIN_ERROR:
        return error_fault(answer)
    if answer.status not in (OK, GUARDRAIL_FAILED):
        # A redirect is not followed, and asking again would be answered in the same way.
        return replace(BAD_BODY, may_send_again=False)
    if not answer.whole:
        return _charged(Code.GATEWAY_TOO_LARGE, NO_REPORT)
    body = _read_object(answer.body)
    if body is None:
        return BAD_BODY
    return _completion(answer, body, request)


def _completion(answer: HttpAnswer, body: Mapping[str, Json], request: CompletionRequest) -> Outcome:
    report = read_usage(body, answer.headers)
    message = _message(body)
    if message is None:
        return BAD_BODY if report == NO_REPORT else _charged(Code.BAD_GATEWAY_BODY, report)
    if not _is_pinned(answer.headers, body, request.served_names):
        # Every other reply of the run would be by that model as well, and paid for.
        return replace(_charged(Code.GATEWAY_MODEL_MISMATCH, report), stops_run=True)
    return CompletionReply(
        message=message,
        report=report,
        served_model=body["model"],
    )


def _charged(code: Code, report: UsageReport) -> GatewayFault:
    return GatewayFault(code, ChargeStatus.CHARGED, report=report)


def _read_object(body: bytes) -> Mapping[str, Json] | None:
    """Read the envelope as leniently as its writers are strict: the reply inside is what the contract holds."""
    try:
        value = json.loads(body.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _message(body: Mapping[str, Json]) -> RawReply | None:
    """The message of the one choice that was asked for; None where there is none or more than one."""
    match body.get("choices"):
        case [{"message": {**message}, **choice}]:
            return RawReply(
                content=message.get("content"),
                finish_reason=choice.get("finish_reason"),
                refusal=message.get("refusal"),
                tool_calls=message.get("tool_calls"),
            )
        case _:
            return None


def _is_pinned(headers: Mapping[str, str], body: Mapping[str, Json], names: frozenset[str]) -> bool:
    served = (body.get("model"), *_upstream(headers))
    return all(isinstance(name, str) and name in names for name in served)


def _upstream(headers: Mapping[str, str]) -> Iterator[str | None]:
    """Who really answered, where a gateway says so beside the name that it was asked for."""
    if _MODEL_HEADER in headers:
        yield headers[_MODEL_HEADER]
    if headers.get(_FALLBACKS_HEADER, "0") != "0":
        yield None
