"""Errors as RFC 9457 problem details; no value that was sent is ever quoted in one."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, Final

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.exceptions import NotFoundError
from aws_lambda_powertools.event_handler.openapi.exceptions import RequestValidationError

from evalbook.contracts.words import in_words
from evalbook.domain.errors import ParametersRefused, Problem, Refused, Retryable
from evalbook.domain.refusals import Declined, DeclineReason
from evalbook.jsonio.canonical import plain_json
from evalbook.services.judging.gateway import CatalogUnavailable

CONTENT_TYPE: Final = "application/problem+json"
_RETRY_SECONDS: Final = "5"


class ApiCode(StrEnum):
    """Codes of problems that the API itself finds; the rest are the use cases' reasons."""

    BODY_NOT_JSON = "BODY_NOT_JSON"
    BODY_TOO_LARGE = "BODY_TOO_LARGE"
    MEDIA_TYPE_UNSUPPORTED = "MEDIA_TYPE_UNSUPPORTED"
    REQUEST_INVALID = "REQUEST_INVALID"
    PARAMETERS_REFUSED = "PARAMETERS_REFUSED"
    IDEMPOTENCY_KEY_INVALID = "IDEMPOTENCY_KEY_INVALID"
    PROJECT_REQUIRED = "PROJECT_REQUIRED"
    PROJECT_FORBIDDEN = "PROJECT_FORBIDDEN"
    TOKEN_INVALID = "TOKEN_INVALID"
    SCOPE_MISSING = "SCOPE_MISSING"
    ROUTE_NOT_FOUND = "ROUTE_NOT_FOUND"
    METHOD_NOT_ALLOWED = "METHOD_NOT_ALLOWED"
    CATALOG_UNAVAILABLE = "CATALOG_UNAVAILABLE"
    UNAVAILABLE = "UNAVAILABLE"
    INTERNAL_ERROR = "INTERNAL_ERROR"


STATUS_OF: Final[Mapping[StrEnum, HTTPStatus]] = {
    ApiCode.BODY_NOT_JSON: HTTPStatus.BAD_REQUEST,
    ApiCode.BODY_TOO_LARGE: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    ApiCode.MEDIA_TYPE_UNSUPPORTED: HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    ApiCode.REQUEST_INVALID: HTTPStatus.UNPROCESSABLE_ENTITY,
    ApiCode.PARAMETERS_REFUSED: HTTPStatus.UNPROCESSABLE_ENTITY,
    ApiCode.IDEMPOTENCY_KEY_INVALID: HTTPStatus.BAD_REQUEST,
    ApiCode.PROJECT_REQUIRED: HTTPStatus.BAD_REQUEST,
    ApiCode.PROJECT_FORBIDDEN: HTTPStatus.FORBIDDEN,
    ApiCode.TOKEN_INVALID: HTTPStatus.UNAUTHORIZED,
    ApiCode.SCOPE_MISSING: HTTPStatus.FORBIDDEN,
    ApiCode.ROUTE_NOT_FOUND: HTTPStatus.NOT_FOUND,
    ApiCode.METHOD_NOT_ALLOWED: HTTPStatus.METHOD_NOT_ALLOWED,
    ApiCode.CATALOG_UNAVAILABLE: HTTPStatus.SERVICE_UNAVAILABLE,
    ApiCode.UNAVAILABLE: HTTPStatus.SERVICE_UNAVAILABLE,
    ApiCode.INTERNAL_ERROR: HTTPStatus.INTERNAL_SERVER_ERROR,
    DeclineReason.SCORER_NOT_FOUND: HTTPStatus.NOT_FOUND,
    DeclineReason.VERSION_NOT_FOUND: HTTPStatus.NOT_FOUND,
    DeclineReason.RUBRIC_NOT_FOUND: HTTPStatus.NOT_FOUND,
    DeclineReason.RUN_NOT_FOUND: HTTPStatus.NOT_FOUND,
    DeclineReason.BUDGET_NOT_FOUND: HTTPStatus.NOT_FOUND,
    DeclineReason.BUDGET_TAKEN: HTTPStatus.CONFLICT,
    DeclineReason.CALIBRATION_NOT_FOUND: HTTPStatus.NOT_FOUND,
    DeclineReason.BUDGET_CLOSED: HTTPStatus.CONFLICT,
    DeclineReason.NAME_TAKEN: HTTPStatus.CONFLICT,
    DeclineReason.FIXTURES_FROZEN: HTTPStatus.CONFLICT,
    DeclineReason.FIXTURES_CHANGED: HTTPStatus.CONFLICT,
    DeclineReason.FIXTURES_MISSING: HTTPStatus.CONFLICT,
    DeclineReason.FIXTURES_DISAGREE: HTTPStatus.CONFLICT,
    DeclineReason.FIXTURES_UNFINISHED: HTTPStatus.CONFLICT,
    DeclineReason.NOT_FOR_JUDGES: HTTPStatus.CONFLICT,
    DeclineReason.ONLY_FOR_JUDGES: HTTPStatus.CONFLICT,
    DeclineReason.ACTION_NOT_FOUND: HTTPStatus.NOT_FOUND,
    DeclineReason.ACTION_NOT_OPEN: HTTPStatus.CONFLICT,
    DeclineReason.SELF_DECISION: HTTPStatus.FORBIDDEN,
    DeclineReason.ALREADY_ACTIVE: HTTPStatus.CONFLICT,
    DeclineReason.NONE_ACTIVE: HTTPStatus.CONFLICT,
    DeclineReason.NO_GATEWAY: HTTPStatus.CONFLICT,
    DeclineReason.RATE_LIMITED: HTTPStatus.TOO_MANY_REQUESTS,
    DeclineReason.IDEMPOTENCY_KEY_REUSED: HTTPStatus.UNPROCESSABLE_ENTITY,
    DeclineReason.IDEMPOTENCY_KEY_IN_USE: HTTPStatus.CONFLICT,
}
_PHRASES: Final[Mapping[HTTPStatus, str]] = {
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "Content Too Large",
    HTTPStatus.UNPROCESSABLE_ENTITY: "Unprocessable Content",
}
_WORTH_RETRYING: Final = (DeclineReason.RATE_LIMITED, DeclineReason.IDEMPOTENCY_KEY_IN_USE)


class ApiProblem(Exception):
    """Ends a request with a problem."""

    def __init__(
        self,
        code: StrEnum,
        detail: str,
        problems: Iterable[Problem] = (),
        headers: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        super().__init__(code.value)
        self.status = STATUS_OF[code]
        self.code = code.value
        self.detail = detail
        self.problems = tuple(problems)
        self.headers = headers


NO_ROUTE: Final = ApiProblem(ApiCode.ROUTE_NOT_FOUND, "There is no such route.")


def phrase_of(status: HTTPStatus) -> str:
    """The status in the words of RFC 9110, which Python has from 3.13 on: the document is the same on every version."""
    return _PHRASES.get(status, status.phrase)


def response_of(problem: ApiProblem) -> Response[str]:
    """The answer that says what the problem is."""
    places = [{"pointer": each.pointer, "message": each.message} for each in problem.problems]
    body = {
        "type": f"urn:evalbook:problem:{problem.code}",
        "title": phrase_of(problem.status),
        "status": problem.status.value,
        "code": problem.code,
        "detail": problem.detail,
        **({"problems": places} if places else {}),
    }
    text = plain_json(body).decode()
    headers: dict[str, str | list[str]] = {"Cache-Control": "no-store", **problem.headers}
    return Response(problem.status.value, CONTENT_TYPE, text, headers)


def problem_of(error: Exception) -> ApiProblem:  # noqa: PLR0911  (one a kind of exception)
    """What an exception is as a problem; one that nobody foresaw is an INTERNAL_ERROR without details."""
    match error:
        case ApiProblem():
            return error
        case NotFoundError():
            return NO_ROUTE
        case Declined():
            headers = {"Retry-After": _RETRY_SECONDS} if error.reason in _WORTH_RETRYING else {}
            return ApiProblem(error.reason, error.message, error.problems, headers)
        case ParametersRefused():
            return ApiProblem(ApiCode.PARAMETERS_REFUSED, "These parameters cannot be a version's.", error.problems)
        case Refused() | RequestValidationError():
            places = error.problems if isinstance(error, Refused) else _places(error.errors())
            return ApiProblem(ApiCode.REQUEST_INVALID, "The request cannot be read.", places)
        case CatalogUnavailable():
            detail, headers = "The AI gateway gave no catalog. Try again.", {"Retry-After": _RETRY_SECONDS}
            return ApiProblem(ApiCode.CATALOG_UNAVAILABLE, detail, headers=headers)
        case Retryable():
            detail, headers = "A part of the service did not answer. Try again.", {"Retry-After": _RETRY_SECONDS}
            return ApiProblem(ApiCode.UNAVAILABLE, detail, headers=headers)
        case _:
            return ApiProblem(ApiCode.INTERNAL_ERROR, "The service failed.")


def _places(errors: Iterable[Mapping[str, Any]]) -> Iterable[Problem]:
    """Say in words of our own what is wrong and where."""
    for error in errors:
        source, *rest = error["loc"]
        if source == "body":
            yield in_words(error, tuple(rest))
        else:
            yield Problem("", f"the {source} parameter {'.'.join(map(str, rest))} {in_words(error, ()).message}")
