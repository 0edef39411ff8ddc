"""HTTP: sandbox runs."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from evalbook.entrypoints import api
from evalbook.entrypoints.observed import http_request, observed

application = api.sandbox_api()


@observed(http_request)
def lambda_handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Answer one request."""
    return application(event, context)
