"""Every route there is, and the scope that it asks for."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

_WITH_BODY: Final = ("POST", "PUT")
_WITHOUT_BODY: Final = ("/activation", "/fixtures/run")
_OF_NO_PROJECT: Final = ("/implementations", "/models")
_PARAMETER: Final = re.compile(r"\{(\w+)\}")


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
    """One route: `path` has its parameters in braces. Without a scope any valid token does.

    A token with `or_scope` instead of `scope` does as well.
    """

    method: str
    path: str
    scope: Scope | None
    or_scope: Scope | None = None

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """The scopes of which a token needs one; empty where any valid token does."""
        return tuple(each for each in (self.scope, self.or_scope) if each is not None)

    @property
    def needs_project(self) -> bool:
        """Whether the route is about one project's things."""
        return self.scope is not None and self.path not in _OF_NO_PROJECT

    @property
    def can_conflict(self) -> bool:
        """Whether an answer can be that the service is in no state to do what was asked."""
        return self.method != "GET" or self.path == "/models"

    @property
    def takes_body(self) -> bool:
        """Whether a request has a body."""
        return self.method in _WITH_BODY and not self.path.endswith(_WITHOUT_BODY)

    @property
    def rule(self) -> str:
        """The path as the event handler spells it."""
        return _PARAMETER.sub(r"<\1>", self.path)

    def matches(self, path: str) -> bool:
        """Whether the route serves *path*, whatever the method."""
        return re.fullmatch(_PARAMETER.sub(r"[^/]+", self.path), path) is not None


_READ, _WRITE, _RUN = Scope.SCORER_READ, Scope.SCORER_WRITE, Scope.SANDBOX_RUN

REGISTRY_ROUTES: Final = (
    Route("GET", "/openapi.json", None),
    Route("GET", "/implementations", _READ),
    Route("GET", "/models", _READ),
    Route("POST", "/scorers", _WRITE),
    Route("GET", "/scorers", _READ),
    Route("GET", "/scorers/{scorer}", _READ),
    Route("POST", "/scorers/{scorer}/versions", _WRITE),
    Route("GET", "/scorers/{scorer}/versions", _READ),
    Route("GET", "/scorers/{scorer}/versions/{version}", _READ),
    Route("GET", "/scorers/{scorer}/activations", _READ),
    Route("POST", "/scorers/{scorer}/prompt-preview", _READ),
    Route("PUT", "/scorers/{scorer}/versions/{version}/fixtures", _WRITE),
    Route("GET", "/scorers/{scorer}/versions/{version}/fixtures", _READ),
    Route("POST", "/scorers/{scorer}/versions/{version}/fixtures/run", _WRITE),
    Route("POST", "/scorers/{scorer}/versions/{version}/activation", _WRITE),
    Route("POST", "/rubrics", _WRITE),
    Route("GET", "/rubrics", _READ),
    Route("GET", "/rubrics/{rubric}", _READ),
    Route("POST", "/rubrics/{rubric}/versions", _WRITE),
    Route("GET", "/rubrics/{rubric}/versions", _READ),
    Route("GET", "/rubrics/{rubric}/versions/{version}", _READ),
)

SANDBOX_ROUTES: Final = (
    Route("POST", "/sandbox/runs", _RUN),
    Route("GET", "/sandbox/runs/{run}", _RUN),
    Route("POST", "/budgets", Scope.BUDGET_WRITE),
    Route("GET", "/budgets/{budget}", _RUN),
)

_APPROVE: Final = Scope.SCORER_APPROVE

ACTION_ROUTES: Final = (
    Route("POST", "/actions", _WRITE),
    Route("GET", "/actions", _WRITE, _APPROVE),
    Route("GET", "/actions/{action}", _WRITE, _APPROVE),
    Route("POST", "/actions/{action}/approval", _APPROVE),
    Route("POST", "/actions/{action}/rejection", _APPROVE),
)

CALIBRATION_ROUTES: Final = (
    Route("POST", "/calibrations", Scope.CALIBRATION_RUN),
    Route("GET", "/calibrations/{calibration}", _READ),
    Route("GET", "/scorers/{scorer}/calibrations", _READ),
)

ROUTES: Final = ACTION_ROUTES + REGISTRY_ROUTES + SANDBOX_ROUTES + CALIBRATION_ROUTES


def find(method: str, path: str) -> Route | None:
    """The route that serves a request, or None."""
    return next((route for route in _serving(path) if route.method == method), None)


def allowed_methods(path: str) -> list[str]:
    """The methods that *path* can be asked with; empty where there is no such path."""
    return sorted({route.method for route in _serving(path)})


def _serving(path: str) -> Iterator[Route]:
    return (route for route in ROUTES if route.matches(path))
