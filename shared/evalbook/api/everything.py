"""All routes of the API at once, for its document."""

from functools import cache
from typing import Any

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver

from evalbook.api.action_routes import ActionRoutes
from evalbook.api.application import resolver
from evalbook.api.budget_routes import BudgetRoutes
from evalbook.api.calibration_routes import CalibrationRoutes
from evalbook.api.catalog_routes import CatalogRoutes
from evalbook.api.document import document
from evalbook.api.fixture_routes import FixtureRoutes
from evalbook.api.model_routes import ModelRoutes
from evalbook.api.rubric_routes import RubricRoutes
from evalbook.api.sandbox_routes import SandboxRoutes
from evalbook.api.scorer_routes import ScorerRoutes


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
