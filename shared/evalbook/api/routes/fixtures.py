"""Routes about the fixtures of versions."""

from typing import Annotated, Final

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Body

from evalbook.api.request_context import NamePart, NumberPart, RouteGroup, answer
from evalbook.api.route_table import Route, Scope
from evalbook.api.schemas.requests import FixturesBody
from evalbook.api.schemas.responses import FixtureReportView, FixturesView
from evalbook.api.views import registry
from evalbook.domain.refusals import DeclineReason
from evalbook.services.registry.fixtures import Fixture, Fixtures

_EXAMPLE: Final = {
    "fixtures": [
        {"case": {"case_id": "same", "output": "Paris", "expected": "Paris"}, "outcome": "pass"},
        {"case": {"case_id": "other", "output": "Lyon", "expected": "Paris"}, "outcome": "fail"},
    ]
}


class FixtureRoutes(RouteGroup):
    """Fixtures of deterministic versions."""

    tag = "Fixtures"
    function = "Registry"

    def __init__(self, fixtures: Fixtures) -> None:
        self._fixtures = fixtures

    @Route(
        "PUT",
        "/scorers/{scorer}/versions/{version}/fixtures",
        Scope.SCORER_WRITE,
        FixturesView,
        "Replace a draft's fixtures",
        problems=(
            DeclineReason.SCORER_NOT_FOUND,
            DeclineReason.VERSION_NOT_FOUND,
            DeclineReason.NOT_FOR_JUDGES,
            DeclineReason.FIXTURES_FROZEN,
        ),
        example=_EXAMPLE,
    )
    def replace_fixtures(
        self, scorer: NamePart, version: NumberPart, body: Annotated[FixturesBody, Body()]
    ) -> Response[str]:
        """Give a draft these fixtures in place of those that it had."""
        given = [Fixture(each.case, each.outcome, each.code, each.score) for each in body.fixtures]
        project = self._context.project
        self._fixtures.replace(project, scorer, version, given)
        return answer(registry.fixtures(*self._fixtures.get(project, scorer, version)))

    @Route(
        "GET",
        "/scorers/{scorer}/versions/{version}/fixtures",
        Scope.SCORER_READ,
        FixturesView,
        "Get a version's fixtures",
        problems=(DeclineReason.SCORER_NOT_FOUND, DeclineReason.VERSION_NOT_FOUND, DeclineReason.NOT_FOR_JUDGES),
    )
    def get_fixtures(self, scorer: NamePart, version: NumberPart) -> Response[str]:
        """Get the fixtures of a version."""
        return answer(registry.fixtures(*self._fixtures.get(self._context.project, scorer, version)))

    @Route(
        "POST",
        "/scorers/{scorer}/versions/{version}/fixtures/run",
        Scope.SCORER_WRITE,
        FixtureReportView,
        "Run a version's fixtures",
        problems=(
            DeclineReason.SCORER_NOT_FOUND,
            DeclineReason.VERSION_NOT_FOUND,
            DeclineReason.NOT_FOR_JUDGES,
            DeclineReason.FIXTURES_MISSING,
        ),
    )
    def run_fixtures(self, scorer: NamePart, version: NumberPart) -> Response[str]:
        """Run the fixtures and say which of them agree."""
        return answer(registry.report(self._fixtures.run(self._context.project, scorer, version)))
