"""Queues on SQS."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from evalbook.adapters.aws_clients import AWS_ERRORS, error_code
from evalbook.domain.errors import StoreUnavailable
from evalbook.services.scoring.ports import Message, Outgoing

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

MAX_ENTRIES: Final = 10
MAX_REQUEST_BYTES: Final = 1_000_000


class SqsQueue:
    """A queue that takes messages in batches."""

    def __init__(self, client: "SQSClient", url: str) -> None:
        self._client = client
        self._url = url

    def send(self, messages: Sequence[Outgoing]) -> dict[str, str]:
        """Send the messages; of those that could not be sent, the received message (`answers`) and an error code."""
        failed: dict[str, str] = {}
        for group in _groups(messages):
            failed |= self._send(group)
        return failed

    def _send(self, group: Sequence[Outgoing]) -> dict[str, str]:
        try:
            answer = self._client.send_message_batch(
                QueueUrl=self._url,
                Entries=[
                    {"Id": str(number), "MessageBody": _text(message.body)} for number, message in enumerate(group)
                ],
            )
        except AWS_ERRORS as error:
            return {message.answers: error_code(error) for message in group}
        return {group[int(entry["Id"])].answers: entry["Code"] for entry in answer.get("Failed", [])}


class SqsDeadLetters:
    """The queue without a consumer: messages with the reason why nothing can be made of them."""

    def __init__(self, client: "SQSClient", url: str) -> None:
        self._client = client
        self._url = url

    def send(self, message: Message, reason: str) -> None:
        """Keep *message* with *reason* as an attribute.

        Raises:
            StoreUnavailable: The queue did not take it.
        """
        attributes = {"reason": reason, "message_id": message.message_id, "receive_count": str(message.receive_count)}
        try:
            self._client.send_message(
                QueueUrl=self._url,
                MessageBody=_text(message.body),
                MessageAttributes={
                    name: {"DataType": "String", "StringValue": value} for name, value in attributes.items()
                },
            )
        except AWS_ERRORS as error:
            raise StoreUnavailable(f"the dead-letter queue answered {error_code(error)}") from error


def _text(body: bytes) -> str:
    """The JSON text *body* without the two characters beyond ASCII that JSON allows and SQS refuses."""
    body = body.replace(b"\xef\xbf\xbe", b"\\ufffe").replace(b"\xef\xbf\xbf", b"\\uffff")
    return body.decode("utf-8", "surrogatepass")


def _groups(messages: Sequence[Outgoing]) -> Iterator[list[Outgoing]]:
    """Yield groups that fit one request each."""
    group: list[Outgoing] = []
    size = 0
    for message in messages:
        if group and (len(group) == MAX_ENTRIES or size + len(message.body) > MAX_REQUEST_BYTES):
            yield group
            group, size = [], 0
        group.append(message)
        size += len(message.body)
    if group:
        yield group
