"""Routes about the gateway's models."""

from aws_lambda_powertools.event_handler import Response

from evalbook.api.problems import ApiCode
from evalbook.api.request_context import CursorText, Limit, RouteGroup, page, paged
from evalbook.api.route_table import Route, Scope
from evalbook.api.schemas.models import ModelsView
from evalbook.domain.refusals import DeclineReason
from evalbook.jsonio.values import Json
from evalbook.judges.catalog import CatalogModel
from evalbook.services.judging.models import Models


class ModelRoutes(RouteGroup):
    """Models."""

    tag = "Models"
    function = "Registry"

    def __init__(self, models: Models) -> None:
        self._models = models

    @Route(
        "GET",
        "/models",
        Scope.SCORER_READ,
        ModelsView,
        "List the gateway's models",
        problems=(DeclineReason.NO_GATEWAY, ApiCode.CATALOG_UNAVAILABLE),
        of_project=False,
    )
    def list_models(self, limit: Limit = 50, cursor: CursorText = None) -> Response[str]:
        """List the models that the caller's organization sees, by id."""
        asked = page(cursor, limit)
        found = self._models.list(self._context.project.organization_id, asked)
        exact = found.catalog.exact_choice
        return paged(
            found.models,
            asked,
            lambda each: _view(each[1], exact_choice=exact),
            lambda each: str(each[0]),
            {"exact_choice": exact},
        )


def _view(model: CatalogModel, *, exact_choice: bool) -> Json:
    return {
        "id": model.id,
        "for_judges": exact_choice and model.for_judges,
        "prices": None if model.prices is None else model.prices.model_dump(),
        "limits": model.limits.model_dump(),
        "temperature": None if model.temperature is None else model.temperature.model_dump(),
        "response_format": model.response_format,
    }
