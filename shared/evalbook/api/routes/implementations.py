"""Routes about what there is: the implementations, and this API itself."""

from collections.abc import Callable
from http import HTTPStatus

from aws_lambda_powertools.event_handler import Response

from evalbook.api.request_context import JSON, RouteGroup, answer
from evalbook.api.route_table import Route, Scope
from evalbook.api.schemas.responses import ImplementationsView
from evalbook.domain.implementation import Need
from evalbook.domain.versions import JUDGE
from evalbook.jsonio.values import Json
from evalbook.judges.version import JudgeParameters
from evalbook.services.scoring import catalog


class CatalogRoutes(RouteGroup):
    """Implementations and the API's own document, whose text *document* gives."""

    tag = "Catalog"
    function = "Registry"

    def __init__(self, document: Callable[[], str]) -> None:
        self._document = document

    @Route("GET", "/implementations", Scope.SCORER_READ, ImplementationsView, "List implementations", of_project=False)
    def list_implementations(self) -> Response[str]:
        """List all implementations with their parameters as JSON Schema."""
        return answer({"items": all_implementations()})

    @Route("GET", "/openapi.json", None, None, "Get this document")
    def get_openapi(self) -> Response[str]:
        """Get the OpenAPI document."""
        return Response(HTTPStatus.OK.value, JSON, self._document())


def all_implementations() -> list[Json]:
    """What versions can name as their implementation, by name."""
    found: list[Json] = [
        {
            "name": entry.name,
            "family": entry.family,
            "summary": entry.summary,
            "needs": [need.value for need in entry.needs],
            "parameters": entry.parameters_schema(),
        }
        for entry in catalog.implementations().values()
    ]
    judge = {
        "name": JUDGE,
        "family": JUDGE,
        "summary": "Ask a model, by the author's instructions and rubric.",
        "needs": [Need.OUTPUT.value],
        "parameters": JudgeParameters.model_json_schema(),
    }
    return sorted([*found, judge], key=lambda each: str(each["name"]))
