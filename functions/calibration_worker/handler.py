"""SQS: work on calibrations, a visit a message."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from evalbook.adapters.sqs.event import batch_item_failures
from evalbook.entrypoints import calibration
from evalbook.entrypoints.observed import observed

calibrate = calibration.calibration_worker()


@observed(step="calibrate")
def lambda_handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Make visits to calibrations; those that fail are delivered again."""
    return batch_item_failures(calibrate(event, lambda: context.get_remaining_time_in_millis() / 1_000))
