"""Routes about governed actions: request, approve, reject, look."""

from http import HTTPStatus
from typing import Annotated

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response
from aws_lambda_powertools.event_handler.openapi.params import Body, Path
from pydantic import StringConstraints

from evalbook.api.request_context import JSON, CursorText, Limit, RouteGroup, answer, answered, page, paged
from evalbook.api.schemas.action_requests import DecisionBody, NewActionBody
from evalbook.api.schemas.actions import ActionDetailView, ActionsView
from evalbook.api.views import actions as views
from evalbook.services.governance.actions import Action, ActionState
from evalbook.services.governance.judge_activation import ActivationRequest, JudgeActivations
from evalbook.services.governance.review import Reviews

ActionPart = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9-]{1,64}$"), Path()]


class ActionRoutes(RouteGroup):
    """Governed actions."""

    def __init__(self, app: APIGatewayHttpResolver, activations: JudgeActivations, reviews: Reviews) -> None:
        super().__init__(app)
        self._activations = activations
        self._reviews = reviews
        one, created = "/actions/<action>", HTTPStatus.CREATED
        later = {"description": "Approved, and carried out later", "content": {JSON: {"model": ActionDetailView}}}
        approved = answered("Approve an action and carry it out", ActionDetailView)
        approved["responses"][HTTPStatus.ACCEPTED.value] = later
        app.post("/actions", **answered("Request an action", ActionDetailView, created))(self.request)
        app.get("/actions", **answered("List actions", ActionsView))(self.list)
        app.get(one, **answered("Get an action, its history and what it changes", ActionDetailView))(self.get)
        app.post(f"{one}/approval", **approved)(self.approve)
        app.post(f"{one}/rejection", **answered("Reject an action", ActionDetailView))(self.reject)

    def request(self, body: Annotated[NewActionBody, Body()]) -> Response[str]:
        """Ask for a judge version to become active."""
        exchange, asked = self._exchange, ActivationRequest(body.scorer, body.version, body.reason)
        made = self._activations.request(exchange.project, asked, exchange.caller.subject)
        return self._answer(made, HTTPStatus.CREATED)

    def list(self, limit: Limit = 50, cursor: CursorText = None) -> Response[str]:
        """List the project's actions, newest first."""
        asked = page(cursor, limit)
        found = self._activations.list(self._exchange.project, asked)
        return paged(found, asked, views.action, lambda each: each.key.action_id)

    def get(self, action: ActionPart) -> Response[str]:
        """Get one action."""
        return self._answer(self._activations.get(self._exchange.project, action))

    def approve(self, action: ActionPart, body: Annotated[DecisionBody, Body()]) -> Response[str]:
        """Approve what somebody else requested; 202 where it is not carried out yet."""
        exchange = self._exchange
        found = self._activations.approve(exchange.project, action, exchange.caller.subject, body.reason)
        return self._answer(found, HTTPStatus.OK if found.state is ActionState.CARRIED_OUT else HTTPStatus.ACCEPTED)

    def reject(self, action: ActionPart, body: Annotated[DecisionBody, Body()]) -> Response[str]:
        """Reject what somebody else requested."""
        exchange = self._exchange
        return self._answer(self._activations.reject(exchange.project, action, exchange.caller.subject, body.reason))

    def _answer(self, found: Action, status: HTTPStatus = HTTPStatus.OK) -> Response[str]:
        detail = views.detail(found, self._activations.events(found), self._reviews.of(found.target))
        return answer(detail, status, f"/actions/{found.key.action_id}")
