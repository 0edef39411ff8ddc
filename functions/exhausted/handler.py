"""SQS: give up the messages that were delivered too often, with a result for every case."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from evalbook.adapters.sqs.event import batch_item_failures, messages_of, queue_arn_of
from evalbook.entrypoints import scoring
from evalbook.entrypoints.observed import observed

exhausted = scoring.exhausted()


@observed()
def lambda_handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Send SCORING_FAILED results for every case, then keep the message in the family's dead-letter queue."""
    messages = messages_of(event)
    if not messages:
        return batch_item_failures(())
    summary = exhausted(messages, queue_arn_of(event), lambda: context.get_remaining_time_in_millis() / 1_000)
    return batch_item_failures(summary.failed)
