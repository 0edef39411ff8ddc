"""Step Functions: ask the judge once."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from evalbook.entrypoints import judging
from evalbook.entrypoints.observed import judge_step, observed

ask = judging.ask()


@observed(judge_step, step="ask")
def lambda_handler(event: dict[str, Any], _: LambdaContext) -> dict[str, Any]:
    """Ask for one repeat, or pick up where that was left."""
    return ask(event)
