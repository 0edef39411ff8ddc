"""The OpenAPI document: what the event handler knows of its routes, with scopes, headers and problems added."""

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver

from evalbook.api.problems import CONTENT_TYPE, phrase_of
from evalbook.api.route_table import ROUTES, Route
from evalbook.api.schemas.responses import GatewayErrorView, ProblemView

_TITLE: Final = "EvalBook scorers"
_VERSION: Final = "1"
_SCHEME: Final = "sso"
_GATEWAY_STATUSES: Final = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)
_EVERYWHERE: Final = (
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.UNAUTHORIZED,
    HTTPStatus.FORBIDDEN,
    HTTPStatus.NOT_FOUND,
    HTTPStatus.UNPROCESSABLE_ENTITY,
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.SERVICE_UNAVAILABLE,
)
_WITH_CHANGES: Final = (HTTPStatus.CONFLICT,)
_WITH_BODY: Final = (HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
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


def document(app: APIGatewayHttpResolver) -> str:
    """The document of the routes that *app* has, as JSON text with a fixed order."""
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
    for route in ROUTES:
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
    changes = _WITH_CHANGES if route.can_conflict else ()
    body = _WITH_BODY if route.takes_body else ()
    operation["responses"].pop("422", None)
    for status in (*_EVERYWHERE, *changes, *body):
        operation["responses"][str(status.value)] = _problem_response(status)


def _problem_response(status: HTTPStatus) -> Mapping[str, Any]:
    content = {CONTENT_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemView"}}}
    if status in _GATEWAY_STATUSES:
        content["application/json"] = {"schema": {"$ref": "#/components/schemas/GatewayErrorView"}}
    return {"description": phrase_of(status), "content": content}
