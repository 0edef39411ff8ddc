"""Step Functions: make a case's one result of all answers."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from evalbook.entrypoints import judging
from evalbook.entrypoints.observed import judge_step, observed

aggregate = judging.aggregate()


@observed(judge_step, step="aggregate")
def lambda_handler(event: dict[str, Any], _: LambdaContext) -> dict[str, Any]:
    """Record the result, unless there is one already."""
    return aggregate(event)
