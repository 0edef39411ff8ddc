"""Routes about scorers, their versions and activations."""

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
from evalbook.api.schemas.requests import NewScorerBody, NewVersionBody, PromptPreviewBody
from evalbook.api.views import registry
from evalbook.contracts.case import read_case
from evalbook.domain.errors import CaseInvalid, Problem, Refused
from evalbook.services.registry.activation import Activations
from evalbook.services.registry.prompt_preview import PromptPreview
from evalbook.services.registry.scorers import Scorers
from evalbook.services.registry.version_check import NewVersion


class ScorerRoutes(RouteGroup):
    """Scorers, versions, activations and prompt previews."""

    def __init__(
        self, app: APIGatewayHttpResolver, scorers: Scorers, activations: Activations, previews: PromptPreview
    ) -> None:
        super().__init__(app)
        self._scorers = scorers
        self._activations = activations
        self._previews = previews
        created = HTTPStatus.CREATED
        one, many = "/scorers/<scorer>", "/scorers/<scorer>/versions"
        app.post("/scorers", **answered("Create a scorer", bodies.ScorerView, created))(self.create)
        app.get("/scorers", **answered("List scorers", bodies.ScorersView))(self.list)
        app.get(one, **answered("Get a scorer", bodies.ScorerView))(self.get)
        app.post(many, **answered("Create the next version, a draft", bodies.VersionView, created))(self.add_version)
        app.get(many, **answered("List versions", bodies.VersionsView))(self.versions)
        app.get(f"{many}/<version>", **answered("Get a version", bodies.VersionView))(self.version)
        app.post(
            f"{many}/<version>/activation",
            **answered("Run the fixtures and activate the version", bodies.ActivationView),
        )(self.activate)
        app.get(f"{one}/activations", **answered("List activations", bodies.ActivationsView))(self.activations)
        app.post(f"{one}/prompt-preview", **answered("Show what a judge would be asked", bodies.PromptPreviewView))(
            self.preview
        )

    def create(self, body: Annotated[NewScorerBody, Body()]) -> Response[str]:
        """Create a scorer without versions."""
        exchange = self._exchange
        made = self._scorers.create(exchange.project, body.name, body.description, exchange.caller.subject)
        return answer(registry.scorer(made), HTTPStatus.CREATED, f"/scorers/{body.name}")

    def list(self, limit: Limit = 50, cursor: CursorText = None) -> Response[str]:
        """List the project's scorers, by name."""
        asked = page(cursor, limit)
        found = self._scorers.list(self._exchange.project, asked)
        return paged(found, asked, registry.scorer, lambda each: each.key.name)

    def get(self, scorer: NamePart) -> Response[str]:
        """Get one scorer."""
        return answer(registry.scorer(self._scorers.get(self._exchange.project, scorer)))

    def add_version(self, scorer: NamePart, body: Annotated[NewVersionBody, Body()]) -> Response[str]:
        """Create the scorer's next version."""
        exchange = self._exchange
        made = self._scorers.add_version(exchange.project, scorer, asked_version(body), exchange.caller.subject)
        return answer(registry.version(made), HTTPStatus.CREATED, f"/scorers/{scorer}/versions/{made.version.number}")

    def versions(self, scorer: NamePart, limit: Limit = 50, cursor: CursorText = None) -> Response[str]:
        """List a scorer's versions, by number."""
        asked = page(cursor, limit)
        found = self._scorers.versions(self._exchange.project, scorer, asked)
        return paged(found, asked, registry.version, lambda each: str(each.version.number))

    def version(self, scorer: NamePart, version: NumberPart) -> Response[str]:
        """Get one version."""
        return answer(registry.version(self._scorers.version(self._exchange.project, scorer, version)))

    def activate(self, scorer: NamePart, version: NumberPart) -> Response[str]:
        """Run the version's fixtures, freeze them, and make it the scorer's only active version."""
        exchange = self._exchange
        done = self._activations.activate(exchange.project, scorer, version, exchange.caller.subject)
        return answer(registry.activation(scorer, done))

    def activations(self, scorer: NamePart, limit: Limit = 50, cursor: CursorText = None) -> Response[str]:
        """List a scorer's activations, oldest first."""
        asked = page(cursor, limit)
        found = self._scorers.activations(self._exchange.project, scorer, asked)
        return paged(found, asked, lambda each: registry.activation(scorer, each), lambda each: str(each.number))

    def preview(self, scorer: NamePart, body: Annotated[PromptPreviewBody, Body()]) -> Response[str]:
        """Show the messages that a judge would be asked with."""
        project = self._exchange.project
        try:
            case = read_case(body.case)
        except CaseInvalid as error:
            raise Refused([Problem("/case", str(error))]) from None
        if body.version is not None:
            return answer(registry.preview(self._previews.stored(project, scorer, body.version, case)))
        return answer(registry.preview(self._previews.draft(project, scorer, body.parameters, case)))


def asked_version(body: NewVersionBody) -> NewVersion:
    """The version that a body asks for."""
    return NewVersion(body.implementation, body.parameters, body.time_limit_ms)
