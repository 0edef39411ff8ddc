"""Routes about governed actions: request, approve, reject, look."""

from http import HTTPStatus
from typing import Annotated

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Body, Path
from pydantic import StringConstraints

from evalbook.api.problems import ApiCode
from evalbook.api.request_context import CursorText, Limit, RouteGroup, answer, page, paged
from evalbook.api.route_table import Route, Scope
from evalbook.api.schemas.actions import ActionDetailView, ActionsView, DecisionBody, NewActionBody
from evalbook.api.views import actions as views
from evalbook.domain.refusals import DeclineReason
from evalbook.services.governance.actions import Action, ActionState
from evalbook.services.governance.judge_activation import ActivationRequest, JudgeActivations
from evalbook.services.governance.review import Reviews

ActionPart = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9-]{1,64}$"), Path()]


class ActionRoutes(RouteGroup):
    """Governed actions."""

    tag = "Governed actions"
    function = "Registry"

    def __init__(self, activations: JudgeActivations, reviews: Reviews) -> None:
        self._activations = activations
        self._reviews = reviews

    @Route(
        "POST",
        "/actions",
        Scope.SCORER_WRITE,
        ActionDetailView,
        "Request an action",
        status=HTTPStatus.CREATED,
        problems=(
            DeclineReason.SCORER_NOT_FOUND,
            DeclineReason.VERSION_NOT_FOUND,
            DeclineReason.ONLY_FOR_JUDGES,
            DeclineReason.ALREADY_ACTIVE,
            ApiCode.PARAMETERS_REFUSED,
        ),
        example={
            "kind": "activate_judge_configuration",
            "scorer": "tone",
            "version": 2,
            "reason": "Agrees with people.",
        },
    )
    def request_action(self, body: Annotated[NewActionBody, Body()]) -> Response[str]:
        """Ask for a judge version to become active."""
        context, asked = self._context, ActivationRequest(body.scorer, body.version, body.reason)
        made = self._activations.request(context.project, asked, context.caller.subject)
        return self._answer(made, HTTPStatus.CREATED)

    @Route("GET", "/actions", Scope.SCORER_WRITE, ActionsView, "List actions", or_scope=Scope.SCORER_APPROVE)
    def list_actions(self, limit: Limit = 50, cursor: CursorText = None) -> Response[str]:
        """List the project's actions, newest first."""
        asked = page(cursor, limit)
        found = self._activations.list(self._context.project, asked)
        return paged(found, asked, views.action, lambda each: each.key.action_id)

    @Route(
        "GET",
        "/actions/{action}",
        Scope.SCORER_WRITE,
        ActionDetailView,
        "Get an action, its history and what it changes",
        problems=(DeclineReason.ACTION_NOT_FOUND,),
        or_scope=Scope.SCORER_APPROVE,
    )
    def get_action(self, action: ActionPart) -> Response[str]:
        """Get one action."""
        return self._answer(self._activations.get(self._context.project, action))

    @Route(
        "POST",
        "/actions/{action}/approval",
        Scope.SCORER_APPROVE,
        ActionDetailView,
        "Approve an action and carry it out",
        accepted="Approved, and carried out later",
        problems=(DeclineReason.ACTION_NOT_FOUND, DeclineReason.ACTION_NOT_OPEN, DeclineReason.SELF_DECISION),
        example={"reason": "The calibration holds."},
    )
    def approve_action(self, action: ActionPart, body: Annotated[DecisionBody, Body()]) -> Response[str]:
        """Approve what somebody else requested; 202 where it is not carried out yet."""
        context = self._context
        found = self._activations.approve(context.project, action, context.caller.subject, body.reason)
        return self._answer(found, HTTPStatus.OK if found.state is ActionState.CARRIED_OUT else HTTPStatus.ACCEPTED)

    @Route(
        "POST",
        "/actions/{action}/rejection",
        Scope.SCORER_APPROVE,
        ActionDetailView,
        "Reject an action",
        problems=(DeclineReason.ACTION_NOT_FOUND, DeclineReason.ACTION_NOT_OPEN, DeclineReason.SELF_DECISION),
        example={"reason": "It was calibrated on ten cases only."},
    )
    def reject_action(self, action: ActionPart, body: Annotated[DecisionBody, Body()]) -> Response[str]:
        """Reject what somebody else requested."""
        context = self._context
        return self._answer(self._activations.reject(context.project, action, context.caller.subject, body.reason))

    def _answer(self, found: Action, status: HTTPStatus = HTTPStatus.OK) -> Response[str]:
        detail = views.detail(found, self._activations.events(found), self._reviews.of(found.target))
        return answer(detail, status, f"/actions/{found.key.action_id}")
