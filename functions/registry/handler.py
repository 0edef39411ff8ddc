"""HTTP: scorers, versions, fixtures, activations, rubrics."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from evalbook import bootstrap_api

api = bootstrap_api.registry()


def lambda_handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Answer one request."""
    return api(event, context)
