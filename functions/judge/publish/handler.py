"""Step Functions: send a case's result."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from evalbook.entrypoints import judging
from evalbook.entrypoints.observed import judge_step, observed

publish = judging.publish()


@observed(judge_step, step="publish")
def lambda_handler(event: dict[str, Any], _: LambdaContext) -> dict[str, Any]:
    """Send the result as it was recorded."""
    return publish(event)
