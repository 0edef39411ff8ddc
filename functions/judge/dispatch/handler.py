"""SQS: start a judge run for every case of the judge queue's batches."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from evalbook.adapters.sqs.event import batch_item_failures, messages_of
from evalbook.entrypoints import judging
from evalbook.entrypoints.observed import observed

dispatch = judging.dispatch()


@observed()
def lambda_handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Start every case's judge run, or answer the case at once; what could not be started is delivered again."""
    summary = dispatch(messages_of(event), lambda: context.get_remaining_time_in_millis() / 1_000)
    return batch_item_failures(summary.failed)
