"""Routes about what there is: the implementations, and this API itself."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response

from evalbook.api.request_context import JSON, RouteGroup, answer, answered
from evalbook.api.schemas.responses import ImplementationsView
from evalbook.domain.implementation import Need
from evalbook.domain.versions import JUDGE
from evalbook.jsonio.values import Json
from evalbook.judges.version import JudgeParameters
from evalbook.services.scoring import catalog


class CatalogRoutes(RouteGroup):
    """Implementations and the API's own document, whose text *document* gives."""

    def __init__(self, app: APIGatewayHttpResolver, document: Callable[[], str]) -> None:
        super().__init__(app)
        self._document = document
        app.get("/implementations", **answered("List implementations", ImplementationsView))(self.implementations)
        content = {JSON: {"schema": {"type": "object"}}}
        described: Any = {HTTPStatus.OK.value: {"description": "OpenAPI 3.1", "content": content}}
        app.get("/openapi.json", summary="Get this document", responses=described)(self.document)

    def implementations(self) -> Response[str]:
        """List all implementations with their parameters as JSON Schema."""
        return answer({"items": all_implementations()})

    def document(self) -> Response[str]:
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
