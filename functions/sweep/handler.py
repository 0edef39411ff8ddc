"""EventBridge schedule: put right what crashes left behind in the budget ledger and among the panels."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from evalbook.entrypoints import judging
from evalbook.entrypoints.observed import observed

sweep = judging.sweep()


@observed(step="sweep")
def lambda_handler(event: dict[str, Any], _: LambdaContext) -> dict[str, Any]:
    """Sweep once; how many records of each kind were put right."""
    return sweep(event)
