"""One request from the event to the answer: the route, the caller, the project, the body, then the handler."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from http import HTTPStatus
from typing import Any, Final

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response
from aws_lambda_powertools.utilities.typing import LambdaContext

from evalbook.api.identity import admit, caller_of, project_of
from evalbook.api.problems import NO_ROUTE, ApiCode, ApiProblem, problem_of, response_of
from evalbook.api.request_body import body_bytes, read_body, read_text
from evalbook.api.request_context import JSON, RequestContext, RouteGroup, set_context
from evalbook.api.route_table import Route, allowed_methods, declared, find
from evalbook.domain.errors import Retryable
from evalbook.domain.records import Project
from evalbook.services.registry.idempotency import Idempotency, KeptAnswer

KEY_HEADER: Final = "idempotency-key"
_MAX_KEY_CHARS: Final = 255

HttpAnswer = dict[str, Any]

ReportFailure = Callable[[str, Exception], None]
"""Takes what failed in our own words, and the error; never to write the error's text, which may hold payload."""


def resolver() -> APIGatewayHttpResolver:
    """An event handler without routes, which reads bodies strictly."""
    return APIGatewayHttpResolver(enable_validation=True, json_body_deserializer=read_text)


@dataclass(frozen=True, slots=True)
class _Request:
    """A request as it came in: its route, its headers by lower-case name, its body."""

    event: Mapping[str, Any]
    route: Route
    headers: Mapping[str, str]
    raw: bytes
    context: RequestContext

    def idempotency_key(self) -> str | None:
        """What stands for this caller's key on this path, if the request has one."""
        given = self.headers.get(KEY_HEADER) if self.route.method == "POST" else None
        if given is None:
            return None
        if not 0 < len(given) <= _MAX_KEY_CHARS or not given.isprintable():
            detail = f"An Idempotency-Key has 1 to {_MAX_KEY_CHARS} printable characters."
            raise ApiProblem(ApiCode.IDEMPOTENCY_KEY_INVALID, detail)
        caller, project = self.context.caller, self.context.project.project_id
        # With the scopes: an answer is given again only to who may see as much as the first time.
        parts = (caller.key(), *sorted(caller.scopes), project, self.event["rawPath"], given)
        return sha256("\n".join(parts).encode()).hexdigest()


class Application:
    """The routes of *groups*; call it with the events of an HTTP API gateway (payload format 2.0).

    *every_route* is asked only about requests that no route serves, by the function that gets those of the whole API.
    """

    def __init__(
        self,
        groups: Sequence[RouteGroup],
        idempotency: Idempotency,
        report_failure: ReportFailure,
        every_route: Callable[[], Iterable[Route]] = tuple,
    ) -> None:
        self._app = app = resolver()
        for group in groups:
            group.register(app)
        self._routes = [route for group in groups for route in declared(type(group)).values()]
        self._every_route = every_route
        self._idempotency = idempotency
        self._report_failure = report_failure
        app.exception_handler(Exception)(self._failed)

    def __call__(self, event: dict[str, Any], context: LambdaContext) -> HttpAnswer:
        """Answer one request; whatever it holds, the answer is one that the document describes."""
        try:
            request = self._read(event)
            key = request.idempotency_key()
            if key is None:
                return self._handle(request, context)
            return self._once(key, request, lambda: self._handle(request, context))
        except Exception as error:  # noqa: BLE001  (the gateway would answer a bare 500, and a traceback holds payload)
            return _encoded(self._failed(error))

    def _read(self, event: Mapping[str, Any]) -> _Request:
        path = event["rawPath"]
        route = find(self._routes, event["requestContext"]["http"]["method"], path)
        if route is None:
            raise _no_route(allowed_methods([*self._routes, *self._every_route()], path))
        return _read(event, route)

    def _handle(self, request: _Request, context: LambdaContext) -> HttpAnswer:
        set_context(self._app, request.context)
        body = request.raw.decode() or None
        headers = {**request.headers, "content-type": JSON}  # it was read as JSON, however it was spelt
        event = {**request.event, "headers": headers, "body": body, "isBase64Encoded": False}
        return self._app.resolve(event, context)

    def _once(self, key: str, request: _Request, handle: Callable[[], HttpAnswer]) -> HttpAnswer:
        kept = self._idempotency.begin(key, sha256(request.raw).hexdigest())
        if kept is not None:
            headers = {"Content-Type": kept.content_type, "Cache-Control": "no-store", "Idempotent-Replay": "true"}
            located = {"Location": kept.location} if kept.location else {}
            return {"statusCode": kept.status, "body": kept.body, "headers": {**headers, **located}}
        answer = handle()
        given = answer["headers"]
        try:
            self._idempotency.end(
                key, KeptAnswer(answer["statusCode"], given["Content-Type"], answer["body"], given.get("Location", ""))
            )
        except Retryable as error:
            # What was asked for is done: to say that it failed would have it done again.
            self._report_failure("an answer was not kept", error)
        return answer

    def _failed(self, error: Exception) -> Response[str]:
        problem = problem_of(error)
        if problem.status is HTTPStatus.INTERNAL_SERVER_ERROR:
            self._report_failure("a request failed", error)
        return response_of(problem)


def _read(event: Mapping[str, Any], route: Route) -> _Request:
    headers = {name.lower(): value for name, value in (event.get("headers") or {}).items()}
    caller = caller_of(event)
    admit(caller, route)
    project = project_of(caller, headers) if route.needs_project else Project(caller.organization_id, "")
    raw = body_bytes(event) if route.takes_body else b""
    body = read_body(raw, headers) if route.takes_body else {}
    return _Request(event, route, headers, raw, RequestContext(caller, project, body))


def _no_route(methods: Sequence[str]) -> ApiProblem:
    if methods:
        allow = {"Allow": ", ".join(methods)}
        detail = f"The path can be asked with {' and '.join(methods)}."
        return ApiProblem(ApiCode.METHOD_NOT_ALLOWED, detail, headers=allow)
    return NO_ROUTE


def _encoded(response: Response[str]) -> HttpAnswer:
    headers = {"Content-Type": response.headers["Content-Type"], **response.headers}
    return {"statusCode": response.status_code, "body": response.body, "headers": headers}
