"""What the use cases need from the outside."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Message:
    """A message as a queue delivered it."""

    message_id: str
    body: bytes
    receive_count: int


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message to be sent, and the received message that it answers."""

    answers: str
    body: bytes


class Queue(Protocol):
    """A queue that takes messages."""

    def send(self, messages: Sequence[Outgoing]) -> dict[str, str]:
        """Send the messages; of those that could not be sent, the received message (`answers`) and an error code."""


class DeadLetters(Protocol):
    """The queue without a consumer."""

    def send(self, message: Message, reason: str) -> None:
        """Keep a message with the reason why nothing can be made of it.

        Raises:
            StoreUnavailable: The queue did not take it.
        """


class Bodies(Protocol):
    """Where cases are held that do not fit a message."""

    def read(self, key: str, sha256: str) -> bytes:
        """Return the object under *key*, whose SHA-256 digest is *sha256*.

        Raises:
            Unreadable: There is no such object, it is too large, or its digest is another one.
            StoreUnavailable: The store did not answer.
        """
