"""SQS: score the batches of one family's queue."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from evalbook.adapters.sqs.event import batch_item_failures, messages_of
from evalbook.entrypoints import scoring
from evalbook.entrypoints.observed import observed

score = scoring.score()


@observed()
def lambda_handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Score every case of every message; messages that did not get all their results are delivered again."""
    summary = score(messages_of(event), lambda: context.get_remaining_time_in_millis() / 1_000)
    return batch_item_failures(summary.failed)
