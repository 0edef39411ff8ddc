"""Routes about rubrics."""

from http import HTTPStatus
from typing import Annotated

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response
from aws_lambda_powertools.event_handler.openapi.params import Body

from evalbook.api.request_context import (
    CursorText,
    Limit,
    NamePart,
    NumberPart,
    RouteGroup,
    answer,
    answered,
    page,
    paged,
)
from evalbook.api.schemas import responses as bodies
from evalbook.api.schemas.requests import NewRubricBody, NewRubricVersionBody
from evalbook.api.views import registry
from evalbook.services.registry.rubrics import Rubrics


class RubricRoutes(RouteGroup):
    """Rubrics and their versions."""

    def __init__(self, app: APIGatewayHttpResolver, rubrics: Rubrics) -> None:
        super().__init__(app)
        self._rubrics = rubrics
        created, one = HTTPStatus.CREATED, "/rubrics/<rubric>"
        many = f"{one}/versions"
        app.post("/rubrics", **answered("Create a rubric", bodies.RubricView, created))(self.create)
        app.get("/rubrics", **answered("List rubrics", bodies.RubricsView))(self.list)
        app.get(one, **answered("Get a rubric", bodies.RubricView))(self.get)
        app.post(many, **answered("Create the next rubric version", bodies.RubricVersionView, created))(
            self.add_version
        )
        app.get(many, **answered("List rubric versions", bodies.RubricVersionsView))(self.versions)
        app.get(f"{many}/<version>", **answered("Get a rubric version", bodies.RubricVersionView))(self.version)

    def create(self, body: Annotated[NewRubricBody, Body()]) -> Response[str]:
        """Create a rubric without versions."""
        exchange = self._exchange
        made = self._rubrics.create(exchange.project, body.name, body.description, exchange.caller.subject)
        return answer(registry.rubric(made), HTTPStatus.CREATED, f"/rubrics/{body.name}")

    def list(self, limit: Limit = 50, cursor: CursorText = None) -> Response[str]:
        """List the project's rubrics, by name."""
        asked = page(cursor, limit)
        found = self._rubrics.list(self._exchange.project, asked)
        return paged(found, asked, registry.rubric, lambda each: each.name)

    def get(self, rubric: NamePart) -> Response[str]:
        """Get one rubric."""
        return answer(registry.rubric(self._rubrics.get(self._exchange.project, rubric)))

    def add_version(self, rubric: NamePart, body: Annotated[NewRubricVersionBody, Body()]) -> Response[str]:  # noqa: ARG002  (the rubric reads it as it was sent)
        """Create the rubric's next version."""
        exchange = self._exchange
        made = self._rubrics.add_version(exchange.project, rubric, exchange.body, exchange.caller.subject)
        location = f"/rubrics/{rubric}/versions/{made.number}"
        return answer(registry.rubric_version(rubric, made), HTTPStatus.CREATED, location)

    def versions(self, rubric: NamePart, limit: Limit = 50, cursor: CursorText = None) -> Response[str]:
        """List a rubric's versions, by number."""
        asked = page(cursor, limit)
        found = self._rubrics.versions(self._exchange.project, rubric, asked)
        return paged(found, asked, lambda each: registry.rubric_version(rubric, each), lambda each: str(each.number))

    def version(self, rubric: NamePart, version: NumberPart) -> Response[str]:
        """Get one rubric version."""
        return answer(registry.rubric_version(rubric, self._rubrics.version(self._exchange.project, rubric, version)))
