"""The OpenAPI document: what the event handler knows of its routes, with scopes, headers and problems added."""

import inspect
import json
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from http import HTTPStatus
from typing import Any, Final

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver

from evalbook.api.problems import CONTENT_TYPE, STATUS_OF, ApiCode, phrase_of
from evalbook.api.request_context import RouteGroup
from evalbook.api.route_table import Route, declared
from evalbook.api.schemas.responses import GatewayErrorView, ProblemView
from evalbook.domain.refusals import DeclineReason

_TITLE: Final = "EvalBook scorers"
_VERSION: Final = "1"
_SCHEME: Final = "sso"
_GATEWAY_STATUSES: Final = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.TOO_MANY_REQUESTS)
_EVERYWHERE: Final = (
    ApiCode.TOKEN_INVALID,
    ApiCode.SCOPE_MISSING,
    ApiCode.ROUTE_NOT_FOUND,
    ApiCode.REQUEST_INVALID,
    ApiCode.UNAVAILABLE,
)
_OF_A_PROJECT: Final = (ApiCode.PROJECT_REQUIRED, ApiCode.PROJECT_FORBIDDEN)
_WITH_BODY: Final = (ApiCode.BODY_NOT_JSON, ApiCode.BODY_TOO_LARGE, ApiCode.MEDIA_TYPE_UNSUPPORTED)
_WITH_KEY: Final = (
    ApiCode.IDEMPOTENCY_KEY_INVALID,
    DeclineReason.IDEMPOTENCY_KEY_REUSED,
    DeclineReason.IDEMPOTENCY_KEY_IN_USE,
)
_FROM_THE_GATEWAY_ALONE: Final = (HTTPStatus.TOO_MANY_REQUESTS,)
_DROPPED_SCHEMAS: Final = ("HTTPValidationError", "ValidationError", "ResponseValidationError")

_PROJECT: Final = {
    "name": "X-Bookbag-Project",
    "in": "header",
    "required": False,
    "description": "The project that the request is about; may be left out where the token has only one.",
    "schema": {"type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9._:@/+=-]{0,127}$"},
}
_KEY: Final = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "The same request with the same key is done once; its answer is kept for a day.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
}


def document(groups: Iterable[type[RouteGroup]]) -> str:
    """Return the document of the routes that *groups* declare, as JSON text with a fixed order."""
    app, groups = APIGatewayHttpResolver(enable_validation=True), tuple(groups)
    for group in groups:
        group.__new__(group).register(app)  # there is nothing behind these handlers: they are there to be described
    made = app.get_openapi_schema(title=_TITLE, version=_VERSION, openapi_version="3.1.0")
    found: dict[str, Any] = json.loads(made.model_dump_json(by_alias=True, exclude_none=True))
    schemas = found.setdefault("components", {}).setdefault("schemas", {})
    for name in _DROPPED_SCHEMAS:
        schemas.pop(name, None)
    for model in (ProblemView, GatewayErrorView):
        schemas |= _schemas_of(model)
    found["components"]["securitySchemes"] = {
        _SCHEME: {"type": "http", "scheme": "bearer", "bearerFormat": "JWT", "description": _TOKEN}
    }
    found.pop("servers", None)
    found["tags"] = [{"name": group.tag, "description": inspect.getdoc(group)} for group in groups]
    for route in (route for group in groups for route in declared(group).values()):
        _complete(found["paths"][route.path][route.method.lower()], route)
    return json.dumps(found, indent=1, sort_keys=True)


_TOKEN: Final = (
    "An access token of the issuer that the deployment names, with the claims `sub`, `exp`, `org`, `projects` and "
    "`scope` (the last two are texts with spaces between the names). An operation names the scope that it asks for."
)


def _schemas_of(model: Any) -> dict[str, Any]:
    schema = model.model_json_schema(ref_template="#/components/schemas/{model}")
    return {**schema.pop("$defs", {}), model.__name__: schema}


def _complete(operation: dict[str, Any], route: Route) -> None:
    operation["security"] = [{_SCHEME: [each.value]} for each in route.scopes] or [{_SCHEME: []}]
    added = [_PROJECT] if route.needs_project else []
    added += [_KEY] if route.method == "POST" else []
    if added:
        operation["parameters"] = [*operation.get("parameters", []), *added]
    if route.example is not None:
        operation["requestBody"]["content"]["application/json"]["example"] = route.example
    operation["responses"].pop("422", None)
    codes = problem_codes(route)
    for status in {STATUS_OF[code] for code in codes}.union(_FROM_THE_GATEWAY_ALONE):
        named = sorted(code.value for code in codes if STATUS_OF[code] is status)
        operation["responses"][str(status.value)] = _problem_response(status, named)


def problem_codes(route: Route) -> Sequence[StrEnum]:
    """Return the codes of every problem that an answer of *route* can be; INTERNAL_ERROR is nobody's to foresee."""
    project = _OF_A_PROJECT if route.needs_project else ()
    body = _WITH_BODY if route.takes_body else ()
    key = _WITH_KEY if route.method == "POST" else ()
    return (*_EVERYWHERE, *project, *body, *key, *route.problems)


def _problem_response(status: HTTPStatus, codes: Sequence[str]) -> Mapping[str, Any]:
    problem: dict[str, Any] = {"$ref": "#/components/schemas/ProblemView"}
    if codes:
        problem = {"allOf": [problem, {"properties": {"code": {"enum": codes}}}]}
    content = {CONTENT_TYPE: {"schema": problem}}
    if status in _GATEWAY_STATUSES:
        content["application/json"] = {"schema": {"$ref": "#/components/schemas/GatewayErrorView"}}
    return {"description": phrase_of(status), "content": content}
