"""Routes about AI budgets."""

from datetime import UTC, datetime
from http import HTTPStatus
from typing import Annotated, Final

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Body

from evalbook.api.request_context import NamePart, RouteGroup, answer
from evalbook.api.route_table import Route, Scope
from evalbook.api.schemas.budgets import BudgetView, NewBudgetBody
from evalbook.budgets.model import AccountState, Budget, EpochMs
from evalbook.domain.refusals import DeclineReason
from evalbook.domain.timestamps import nanoseconds
from evalbook.jsonio.values import Json
from evalbook.services.budgets.project_budgets import BudgetTerms, ProjectBudgets

_NANOSECONDS: Final = 1_000_000
_MILLISECONDS: Final = 1_000


class BudgetRoutes(RouteGroup):
    """AI budgets."""

    tag = "Budgets"
    function = "Sandbox"

    def __init__(self, budgets: ProjectBudgets) -> None:
        self._budgets = budgets

    @Route(
        "POST",
        "/budgets",
        Scope.BUDGET_WRITE,
        BudgetView,
        "Open a budget",
        status=HTTPStatus.CREATED,
        problems=(DeclineReason.BUDGET_TAKEN,),
        example={
            "budget_id": "nightly",
            "limit": 5_000_000,
            "purpose": "evaluation",
            "expires_at": "2031-01-01T00:00:00Z",
        },
    )
    def open_budget(self, body: Annotated[NewBudgetBody, Body()]) -> Response[str]:
        """Open a budget; the same one again where a budget of this id has the same terms."""
        expires_at = (nanoseconds(body.expires_at) or 0) // _NANOSECONDS
        terms = BudgetTerms(body.limit, body.purpose, expires_at)
        opened = self._budgets.open(self._context.project, body.budget_id, terms)
        return answer(self._view(opened), HTTPStatus.CREATED, f"/budgets/{opened.key.budget_id}")

    @Route(
        "GET",
        "/budgets/{budget}",
        Scope.SANDBOX_RUN,
        BudgetView,
        "Get a budget",
        problems=(DeclineReason.BUDGET_NOT_FOUND,),
    )
    def get_budget(self, budget: NamePart) -> Response[str]:
        """Get a budget as it is now."""
        return answer(self._view(self._budgets.get(self._context.project, budget)))

    def _view(self, budget: Budget) -> Json:
        return {
            "budget_id": budget.key.budget_id,
            "purpose": budget.purpose,
            "state": _state(budget, self._budgets.clock()),
            "limit": budget.limit,
            "available": budget.available,
            "reserved": budget.reserved,
            "spent": budget.spent,
            "overrun": budget.overrun,
            "expires_at": _rfc3339(budget.expires_at),
        }


def _state(budget: Budget, now: EpochMs) -> str:
    if budget.state is AccountState.CLOSED:
        return "closed"
    return "expired" if budget.expires_at <= now else "open"


def _rfc3339(instant: EpochMs) -> str:
    seconds, milliseconds = divmod(instant, _MILLISECONDS)
    fraction = f".{milliseconds:03d}" if milliseconds else ""
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}{fraction}Z"
