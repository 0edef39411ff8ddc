"""EventBridge schedule: carry out governed actions that were approved and left there, and end those that expired."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from evalbook.entrypoints import governance
from evalbook.entrypoints.observed import observed

resume = governance.resume_actions()


@observed(step="resume_actions")
def lambda_handler(_: dict[str, Any], __: LambdaContext) -> dict[str, int]:
    """Bring actions on once; how many are in which state now."""
    return resume()
