"""Routes about the fixtures of versions."""

from typing import Annotated

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response
from aws_lambda_powertools.event_handler.openapi.params import Body

from evalbook.api.request_context import NamePart, NumberPart, RouteGroup, answer, answered
from evalbook.api.schemas.requests import FixturesBody
from evalbook.api.schemas.responses import FixtureReportView, FixturesView
from evalbook.api.views import registry
from evalbook.services.registry.fixtures import Fixture, Fixtures


class FixtureRoutes(RouteGroup):
    """Fixtures of deterministic versions."""

    def __init__(self, app: APIGatewayHttpResolver, fixtures: Fixtures) -> None:
        super().__init__(app)
        self._fixtures = fixtures
        path = "/scorers/<scorer>/versions/<version>/fixtures"
        app.put(path, **answered("Replace a draft's fixtures", FixturesView))(self.replace)
        app.get(path, **answered("Get a version's fixtures", FixturesView))(self.get)
        app.post(f"{path}/run", **answered("Run a version's fixtures", FixtureReportView))(self.run)

    def replace(self, scorer: NamePart, version: NumberPart, body: Annotated[FixturesBody, Body()]) -> Response[str]:
        """Give a draft these fixtures in place of those that it had."""
        given = [Fixture(each.case, each.outcome, each.code, each.score) for each in body.fixtures]
        project = self._exchange.project
        self._fixtures.replace(project, scorer, version, given)
        return answer(registry.fixtures(*self._fixtures.get(project, scorer, version)))

    def get(self, scorer: NamePart, version: NumberPart) -> Response[str]:
        """Get the fixtures of a version."""
        return answer(registry.fixtures(*self._fixtures.get(self._exchange.project, scorer, version)))

    def run(self, scorer: NamePart, version: NumberPart) -> Response[str]:
        """Run the fixtures and say which of them agree."""
        return answer(registry.report(self._fixtures.run(self._exchange.project, scorer, version)))
