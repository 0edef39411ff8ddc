"""What a route declares, beside its handler; everything said of routes elsewhere is derived from that."""

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from http import HTTPStatus
from typing import Any, Final, TypeVar

from pydantic import BaseModel

_PARAMETER: Final = re.compile(r"\{(\w+)\}")
_DECLARED: Final = "evalbook_route"

Handler = TypeVar("Handler", bound=Callable[..., Any])


class Scope(StrEnum):
    """What a token allows."""

    SCORER_READ = "scorer.read"
    SCORER_WRITE = "scorer.write"
    SCORER_APPROVE = "scorer.approve"
    SANDBOX_RUN = "sandbox.run"
    BUDGET_WRITE = "budget.write"
    CALIBRATION_RUN = "calibration.run"
    READ_BODY = "dataset.read_body"


@dataclass(frozen=True, slots=True)
class Route:
    """One route, as the decorator of its handler, whose name is the operation's and whose `body` is the request's.

    `path` has its parameters in braces. A token needs `scope`, or does with `or_scope`; without a scope any valid token
    does. `returns` is the answer's model (None: any object), with `status`; `accepted` says when it is a 202 instead.
    `problems` are the codes of the problems that only some routes have. `of_project` is false for what is no project's.
    """

    method: str
    path: str
    scope: Scope | None
    returns: type[BaseModel] | None
    summary: str
    status: HTTPStatus = HTTPStatus.OK
    accepted: str = ""
    problems: tuple[StrEnum, ...] = ()
    example: Mapping[str, Any] | None = None
    or_scope: Scope | None = None
    of_project: bool = True
    name: str = ""
    takes_body: bool = False

    def __call__(self, handler: Handler) -> Handler:
        """Return *handler*, marked as the one of this route."""
        takes_body = "body" in inspect.signature(handler).parameters
        vars(handler)[_DECLARED] = replace(self, name=handler.__name__, takes_body=takes_body)
        return handler

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """The scopes of which a token needs one; empty where any valid token does."""
        return tuple(each for each in (self.scope, self.or_scope) if each is not None)

    @property
    def needs_project(self) -> bool:
        """Whether the route is about one project's things."""
        return self.scope is not None and self.of_project

    @property
    def rule(self) -> str:
        """The path as the event handler spells it."""
        return _PARAMETER.sub(r"<\1>", self.path)

    def matches(self, path: str) -> bool:
        """Return whether the route serves *path*, whatever the method."""
        return re.fullmatch(_PARAMETER.sub(r"[^/]+", self.path), path) is not None


def declared(group: type) -> Mapping[str, Route]:
    """Return the routes that the methods of *group* declare, by the names of the methods."""
    members = {name: member for kind in reversed(group.__mro__) for name, member in vars(kind).items()}
    found = {name: getattr(member, _DECLARED, None) for name, member in members.items()}
    return {name: route for name, route in found.items() if isinstance(route, Route)}


def find(routes: Iterable[Route], method: str, path: str) -> Route | None:
    """Return the route that serves a request, or None."""
    return next((route for route in routes if route.method == method and route.matches(path)), None)


def allowed_methods(routes: Iterable[Route], path: str) -> list[str]:
    """Return the methods that *path* can be asked with; empty where there is no such path."""
    return sorted({route.method for route in routes if route.matches(path)})
