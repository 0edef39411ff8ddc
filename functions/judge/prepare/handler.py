"""Step Functions: plan how a case is judged, reserve what that can cost, fix its deadline."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from evalbook.entrypoints import judging
from evalbook.entrypoints.observed import judge_step, observed

prepare = judging.prepare()


@observed(judge_step, step="prepare")
def lambda_handler(event: dict[str, Any], _: LambdaContext) -> dict[str, Any]:
    """Take the judge run's first step."""
    return prepare(event)
