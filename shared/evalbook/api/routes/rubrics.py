"""Routes about rubrics."""

from http import HTTPStatus
from typing import Annotated, Final

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Body

from evalbook.api.problems import ApiCode
from evalbook.api.request_context import (
    CursorText,
    Limit,
    NamePart,
    NumberPart,
    RouteGroup,
    answer,
    page,
    paged,
)
from evalbook.api.route_table import Route, Scope
from evalbook.api.schemas import responses as bodies
from evalbook.api.schemas.requests import NewRubricBody, NewRubricVersionBody
from evalbook.api.views import registry
from evalbook.domain.refusals import DeclineReason
from evalbook.services.registry.rubrics import Rubrics

_EXAMPLE: Final = {
    "instructions": "Judge how polite the answer is.",
    "criteria": [
        {
            "key": "greeting",
            "title": "Greets the reader",
            "levels": [{"score": 0, "label": "does not"}, {"score": 1, "label": "does"}],
        }
    ],
}


class RubricRoutes(RouteGroup):
    """Rubrics and their versions."""

    tag = "Rubrics"
    function = "Registry"

    def __init__(self, rubrics: Rubrics) -> None:
        self._rubrics = rubrics

    @Route(
        "POST",
        "/rubrics",
        Scope.SCORER_WRITE,
        bodies.RubricView,
        "Create a rubric",
        status=HTTPStatus.CREATED,
        problems=(DeclineReason.NAME_TAKEN,),
        example={"name": "politeness", "description": "How polite an answer is."},
    )
    def create_rubric(self, body: Annotated[NewRubricBody, Body()]) -> Response[str]:
        """Create a rubric without versions."""
        context = self._context
        made = self._rubrics.create(context.project, body.name, body.description, context.caller.subject)
        return answer(registry.rubric(made), HTTPStatus.CREATED, f"/rubrics/{body.name}")

    @Route("GET", "/rubrics", Scope.SCORER_READ, bodies.RubricsView, "List rubrics")
    def list_rubrics(self, limit: Limit = 50, cursor: CursorText = None) -> Response[str]:
        """List the project's rubrics, by name."""
        asked = page(cursor, limit)
        found = self._rubrics.list(self._context.project, asked)
        return paged(found, asked, registry.rubric, lambda each: each.name)

    @Route(
        "GET",
        "/rubrics/{rubric}",
        Scope.SCORER_READ,
        bodies.RubricView,
        "Get a rubric",
        problems=(DeclineReason.RUBRIC_NOT_FOUND,),
    )
    def get_rubric(self, rubric: NamePart) -> Response[str]:
        """Get one rubric."""
        return answer(registry.rubric(self._rubrics.get(self._context.project, rubric)))

    @Route(
        "POST",
        "/rubrics/{rubric}/versions",
        Scope.SCORER_WRITE,
        bodies.RubricVersionView,
        "Create the next rubric version",
        status=HTTPStatus.CREATED,
        problems=(DeclineReason.RUBRIC_NOT_FOUND, ApiCode.PARAMETERS_REFUSED),
        example=_EXAMPLE,
    )
    def create_rubric_version(self, rubric: NamePart, body: Annotated[NewRubricVersionBody, Body()]) -> Response[str]:  # noqa: ARG002  (the rubric reads it as it was sent)
        """Create the rubric's next version."""
        context = self._context
        made = self._rubrics.add_version(context.project, rubric, context.body, context.caller.subject)
        location = f"/rubrics/{rubric}/versions/{made.number}"
        return answer(registry.rubric_version(rubric, made), HTTPStatus.CREATED, location)

    @Route(
        "GET",
        "/rubrics/{rubric}/versions",
        Scope.SCORER_READ,
        bodies.RubricVersionsView,
        "List rubric versions",
        problems=(DeclineReason.RUBRIC_NOT_FOUND,),
    )
    def list_rubric_versions(self, rubric: NamePart, limit: Limit = 50, cursor: CursorText = None) -> Response[str]:
        """List a rubric's versions, by number."""
        asked = page(cursor, limit)
        found = self._rubrics.versions(self._context.project, rubric, asked)
        return paged(found, asked, lambda each: registry.rubric_version(rubric, each), lambda each: str(each.number))

    @Route(
        "GET",
        "/rubrics/{rubric}/versions/{version}",
        Scope.SCORER_READ,
        bodies.RubricVersionView,
        "Get a rubric version",
        problems=(DeclineReason.RUBRIC_NOT_FOUND, DeclineReason.VERSION_NOT_FOUND),
    )
    def get_rubric_version(self, rubric: NamePart, version: NumberPart) -> Response[str]:
        """Get one rubric version."""
        return answer(registry.rubric_version(rubric, self._rubrics.version(self._context.project, rubric, version)))
