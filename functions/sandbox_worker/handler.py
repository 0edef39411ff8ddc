"""SQS: score the cases that sandbox runs left over."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from evalbook.adapters.sqs.event import batch_item_failures
from evalbook.adapters.sqs.sandbox_queue import groups_of
from evalbook.entrypoints import api
from evalbook.entrypoints.observed import observed

work = api.sandbox_worker()


@observed(step="sandbox")
def lambda_handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Score groups of cases; those that could not be are delivered again."""
    failed = work.handle(list(groups_of(event)), lambda: context.get_remaining_time_in_millis() / 1_000)
    return batch_item_failures(failed)
