"""Routes about scorers, their versions and activations."""

from http import HTTPStatus
from typing import Annotated

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
from evalbook.api.schemas.requests import NewScorerBody, NewVersionBody, PromptPreviewBody
from evalbook.api.views import registry
from evalbook.contracts.case import read_case
from evalbook.domain.errors import CaseInvalid, Problem, Refused
from evalbook.domain.refusals import DeclineReason
from evalbook.services.registry.activation import Activations
from evalbook.services.registry.prompt_preview import PromptPreview
from evalbook.services.registry.scorers import Scorers
from evalbook.services.registry.version_check import NewVersion


class ScorerRoutes(RouteGroup):
    """Scorers, versions, activations and prompt previews."""

    tag = "Scorers"
    function = "Registry"

    def __init__(self, scorers: Scorers, activations: Activations, previews: PromptPreview) -> None:
        self._scorers = scorers
        self._activations = activations
        self._previews = previews

    @Route(
        "POST",
        "/scorers",
        Scope.SCORER_WRITE,
        bodies.ScorerView,
        "Create a scorer",
        status=HTTPStatus.CREATED,
        problems=(DeclineReason.NAME_TAKEN,),
        example={"name": "answer-is-exact", "description": "The answer, word for word."},
    )
    def create_scorer(self, body: Annotated[NewScorerBody, Body()]) -> Response[str]:
        """Create a scorer without versions."""
        context = self._context
        made = self._scorers.create(context.project, body.name, body.description, context.caller.subject)
        return answer(registry.scorer(made), HTTPStatus.CREATED, f"/scorers/{body.name}")

    @Route("GET", "/scorers", Scope.SCORER_READ, bodies.ScorersView, "List scorers")
    def list_scorers(self, limit: Limit = 50, cursor: CursorText = None) -> Response[str]:
        """List the project's scorers, by name."""
        asked = page(cursor, limit)
        found = self._scorers.list(self._context.project, asked)
        return paged(found, asked, registry.scorer, lambda each: each.key.name)

    @Route(
        "GET",
        "/scorers/{scorer}",
        Scope.SCORER_READ,
        bodies.ScorerView,
        "Get a scorer",
        problems=(DeclineReason.SCORER_NOT_FOUND,),
    )
    def get_scorer(self, scorer: NamePart) -> Response[str]:
        """Get one scorer."""
        return answer(registry.scorer(self._scorers.get(self._context.project, scorer)))

    @Route(
        "POST",
        "/scorers/{scorer}/versions",
        Scope.SCORER_WRITE,
        bodies.VersionView,
        "Create the next version, a draft",
        status=HTTPStatus.CREATED,
        problems=(DeclineReason.SCORER_NOT_FOUND, ApiCode.PARAMETERS_REFUSED),
        example={"implementation": "edit_similarity", "parameters": {"threshold": 0.9}},
    )
    def create_version(self, scorer: NamePart, body: Annotated[NewVersionBody, Body()]) -> Response[str]:
        """Create the scorer's next version."""
        context = self._context
        made = self._scorers.add_version(context.project, scorer, asked_version(body), context.caller.subject)
        return answer(registry.version(made), HTTPStatus.CREATED, f"/scorers/{scorer}/versions/{made.version.number}")

    @Route(
        "GET",
        "/scorers/{scorer}/versions",
        Scope.SCORER_READ,
        bodies.VersionsView,
        "List versions",
        problems=(DeclineReason.SCORER_NOT_FOUND,),
    )
    def list_versions(self, scorer: NamePart, limit: Limit = 50, cursor: CursorText = None) -> Response[str]:
        """List a scorer's versions, by number."""
        asked = page(cursor, limit)
        found = self._scorers.versions(self._context.project, scorer, asked)
        return paged(found, asked, registry.version, lambda each: str(each.version.number))

    @Route(
        "GET",
        "/scorers/{scorer}/versions/{version}",
        Scope.SCORER_READ,
        bodies.VersionView,
        "Get a version",
        problems=(DeclineReason.SCORER_NOT_FOUND, DeclineReason.VERSION_NOT_FOUND),
    )
    def get_version(self, scorer: NamePart, version: NumberPart) -> Response[str]:
        """Get one version."""
        return answer(registry.version(self._scorers.version(self._context.project, scorer, version)))

    @Route(
        "POST",
        "/scorers/{scorer}/versions/{version}/activation",
        Scope.SCORER_WRITE,
        bodies.ActivationView,
        "Run the fixtures and activate the version",
        problems=(
            DeclineReason.SCORER_NOT_FOUND,
            DeclineReason.VERSION_NOT_FOUND,
            DeclineReason.NOT_FOR_JUDGES,
            DeclineReason.FIXTURES_MISSING,
            DeclineReason.FIXTURES_CHANGED,
            DeclineReason.FIXTURES_DISAGREE,
            DeclineReason.FIXTURES_UNFINISHED,
        ),
    )
    def activate_version(self, scorer: NamePart, version: NumberPart) -> Response[str]:
        """Run the version's fixtures, freeze them, and make it the scorer's only active version."""
        context = self._context
        done = self._activations.activate(context.project, scorer, version, context.caller.subject)
        return answer(registry.activation(scorer, done))

    @Route(
        "GET",
        "/scorers/{scorer}/activations",
        Scope.SCORER_READ,
        bodies.ActivationsView,
        "List activations",
        problems=(DeclineReason.SCORER_NOT_FOUND,),
    )
    def list_activations(self, scorer: NamePart, limit: Limit = 50, cursor: CursorText = None) -> Response[str]:
        """List a scorer's activations, oldest first."""
        asked = page(cursor, limit)
        found = self._scorers.activations(self._context.project, scorer, asked)
        return paged(found, asked, lambda each: registry.activation(scorer, each), lambda each: str(each.number))

    @Route(
        "POST",
        "/scorers/{scorer}/prompt-preview",
        Scope.SCORER_READ,
        bodies.PromptPreviewView,
        "Show what a judge would be asked",
        problems=(
            DeclineReason.SCORER_NOT_FOUND,
            DeclineReason.VERSION_NOT_FOUND,
            DeclineReason.ONLY_FOR_JUDGES,
            ApiCode.PARAMETERS_REFUSED,
        ),
        example={"version": 2, "case": {"case_id": "greeting-1", "output": "Good morning."}},
    )
    def preview_prompt(self, scorer: NamePart, body: Annotated[PromptPreviewBody, Body()]) -> Response[str]:
        """Show the messages that a judge would be asked with."""
        project = self._context.project
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
