"""The queue of visits that calibrations are to be made."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from evalbook.adapters.aws_clients import AWS_ERRORS, error_code
from evalbook.domain.errors import StoreUnavailable
from evalbook.domain.records import Project
from evalbook.jsonio.canonical import plain_json
from evalbook.jsonio.reader import read_json
from evalbook.services.calibration.ports import CalibrationTick

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient


class SqsVisits:
    """A `TickQueue`."""

    def __init__(self, client: "SQSClient", url: str) -> None:
        self._client = client
        self._url = url

    def send(self, visit: CalibrationTick, delay_seconds: int) -> None:
        """Send one, to be delivered after the delay (at most 15 minutes)."""
        body = plain_json(
            {
                "organization_id": visit.project.organization_id,
                "project_id": visit.project.project_id,
                "calibration_id": visit.calibration_id,
                "visit": visit.visit,
            }
        )
        try:
            self._client.send_message(QueueUrl=self._url, MessageBody=body.decode(), DelaySeconds=delay_seconds)
        except AWS_ERRORS as error:
            raise StoreUnavailable(f"the queue of calibrations answered {error_code(error)}") from error


def visits_of(event: dict[str, Any]) -> Iterator[tuple[str, CalibrationTick]]:
    """The visits that an SQS event delivers, each with its message's id."""
    for record in event.get("Records", []):
        named = read_json(record["body"].encode())
        project = Project(named["organization_id"], named["project_id"])
        yield record["messageId"], CalibrationTick(project, named["calibration_id"], named["visit"])
