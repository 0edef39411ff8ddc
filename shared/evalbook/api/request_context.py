"""What route handlers share: who asks, about which project, with which body, and how answers are made."""

import base64
import binascii
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Final, TypeVar

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response
from aws_lambda_powertools.event_handler.openapi.params import Path, Query
from pydantic import Field, StringConstraints

from evalbook.api.identity import Caller
from evalbook.api.problems import ApiCode, ApiProblem, phrase_of
from evalbook.api.route_table import Route, declared
from evalbook.domain.records import Project
from evalbook.jsonio.canonical import plain_json
from evalbook.jsonio.values import Json
from evalbook.services.registry.ports import Page

T = TypeVar("T")

JSON: Final = "application/json"
_CONTEXT: Final = "request"

NamePart = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$"), Path()]
NumberPart = Annotated[int, Field(ge=1, le=99_999_999), Path()]
Limit = Annotated[int, Field(ge=1, le=100), Query(description="The most entries that a page holds.")]
CursorText = Annotated[
    str | None,
    StringConstraints(max_length=256),
    Query(description="Where the page begins: `next_cursor` of the one before."),
]


@dataclass(frozen=True, slots=True)
class RequestContext:
    """One request that was let in."""

    caller: Caller
    project: Project
    body: Mapping[str, Json]


class RouteGroup:
    """Handlers of routes about one subject, `tag`, which the template gives to the function `function`."""

    tag: ClassVar[str]
    function: ClassVar[str]
    _app: APIGatewayHttpResolver

    def register(self, app: APIGatewayHttpResolver) -> None:
        """Let *app* serve the routes that the methods declare."""
        self._app = app
        for name, route in declared(type(self)).items():
            app.route(
                route.rule,
                route.method,
                summary=route.summary,
                responses=_answers(route),
                tags=[self.tag],
                operation_id=route.name,
            )(getattr(self, name))

    @property
    def _context(self) -> RequestContext:
        context: RequestContext = self._app.context[_CONTEXT]
        return context


def set_context(app: APIGatewayHttpResolver, context: RequestContext) -> None:
    """Let the handler of the next request see *context*."""
    app.append_context(**{_CONTEXT: context})  # type: ignore[no-untyped-call]  # the library leaves it untyped


def _answers(route: Route) -> dict[int, Any]:
    """Return what the event handler is to know of a route's answers that are no problems."""
    content = {JSON: {"model": route.returns} if route.returns else {"schema": {"type": "object"}}}
    answers = {route.status.value: {"description": phrase_of(route.status), "content": content}}
    if route.accepted:
        answers[HTTPStatus.ACCEPTED.value] = {"description": route.accepted, "content": content}
    return answers


def answer(value: Json, status: HTTPStatus = HTTPStatus.OK, location: str | None = None) -> Response[str]:
    """A JSON answer, its numbers as they are kept."""
    headers: dict[str, str | list[str]] = {"Cache-Control": "no-store"}
    if location:
        headers["Location"] = location
    return Response(status.value, JSON, plain_json(value).decode(), headers)


def page(cursor: str | None, limit: int) -> Page:
    """The page that a request asks for.

    Raises:
        ApiProblem: 422, where the cursor is none of ours.
    """
    if cursor is None:
        return Page("", limit)
    try:
        text = base64.urlsafe_b64decode(cursor.encode()).decode()
    except (binascii.Error, ValueError):
        text = ""
    if not text.isascii() or not text.replace(".", "").replace("-", "").replace("_", "").isalnum():
        raise ApiProblem(ApiCode.REQUEST_INVALID, "The cursor is none that this service gave.")
    return Page(text, limit)


def paged(
    entries: Sequence[T],
    asked: Page,
    view: Callable[[T], Json],
    place: Callable[[T], str],
    beside: Mapping[str, Json] = MappingProxyType({}),
) -> Response[str]:
    """A page of entries with the members *beside* them, and the cursor of the next page where this one is full."""
    full = len(entries) == asked.limit
    cursor = base64.urlsafe_b64encode(place(entries[-1]).encode()).decode() if full else None
    return answer({**beside, "items": [view(entry) for entry in entries], "next_cursor": cursor})
