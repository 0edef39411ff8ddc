"""All routes of the API at once, for its document."""

from functools import cache
from typing import Any

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver

from evalbook.api.application import resolver
from evalbook.api.openapi import document
from evalbook.api.routes.actions import ActionRoutes
from evalbook.api.routes.budgets import BudgetRoutes
from evalbook.api.routes.calibrations import CalibrationRoutes
from evalbook.api.routes.fixtures import FixtureRoutes
from evalbook.api.routes.implementations import CatalogRoutes
from evalbook.api.routes.models import ModelRoutes
from evalbook.api.routes.rubrics import RubricRoutes
from evalbook.api.routes.sandbox import SandboxRoutes
from evalbook.api.routes.scorers import ScorerRoutes


def all_routes() -> APIGatewayHttpResolver:
    """An event handler with every route, and nothing behind them: it is there to be described."""
    app, nothing = resolver(), _nothing()
    CatalogRoutes(app, nothing)
    ActionRoutes(app, nothing, nothing)
    ScorerRoutes(app, nothing, nothing, nothing)
    FixtureRoutes(app, nothing)
    RubricRoutes(app, nothing)
    ModelRoutes(app, nothing)
    SandboxRoutes(app, nothing)
    BudgetRoutes(app, nothing)
    CalibrationRoutes(app, nothing, nothing)
    return app


@cache
def api_document() -> str:
    """The OpenAPI document of the whole API, as JSON text."""
    return document(all_routes())


def _nothing() -> Any:
    return None
