"""Doing what a request asks for once, however often it is sent with the same key."""

from dataclasses import dataclass
from typing import Final, Protocol

from evalbook.domain.refusals import Declined, DeclineReason

MAX_KEPT_BYTES: Final = 300_000


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """An answer as it was given."""

    status: int
    content_type: str
    body: str
    location: str


@dataclass(frozen=True, slots=True)
class Attempt:
    """What is known of a key: the digest of the request that used it first, and the answer where there is one."""

    request: str
    answer: KeptAnswer | None


class AnswerStore(Protocol):
    """Where answers are kept for a day. Every method raises StoreUnavailable when the store does not answer."""

    def begin(self, key: str, request: str) -> Attempt | None:
        """Note that *request* starts under *key*, unless it was used before: then what is known of that."""

    def finish(self, key: str, answer: KeptAnswer) -> None:
        """Keep the answer of the request that was begun."""

    def release(self, key: str) -> None:
        """Forget the request that was begun: it changed nothing."""


@dataclass(frozen=True, slots=True)
class Idempotency:
    """Keys of requests and the answers that they got."""

    store: AnswerStore

    def begin(self, key: str, request: str) -> KeptAnswer | None:
        """Start a request; the answer to give instead where it was answered before.

        Raises:
            Declined: The key was used for another request, or the same one is being answered right now.
        """
        before = self.store.begin(key, request)
        if before is None:
            return None
        if before.request != request:
            raise Declined(DeclineReason.IDEMPOTENCY_KEY_REUSED, "The Idempotency-Key was used for another request.")
        if before.answer is None:
            raise Declined(DeclineReason.IDEMPOTENCY_KEY_IN_USE, "The same request is being answered right now.")
        return before.answer

    def end(self, key: str, answer: KeptAnswer) -> None:
        """Keep an answer; one that changed nothing, or is too large to keep, frees the key."""
        succeeded = 200 <= answer.status < 300  # noqa: PLR2004  (HTTP)
        if succeeded and len(answer.body.encode()) <= MAX_KEPT_BYTES:
            self.store.finish(key, answer)
        else:
            self.store.release(key)
