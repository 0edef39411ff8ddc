"""Giving up messages that were delivered too often: every case gets a result, and the message is kept."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evalbook.domain.errors import Retryable
from evalbook.domain.outcome import Code, errored
from evalbook.services.scoring.consumer import Summary
from evalbook.services.scoring.ports import DeadLetters, Message
from evalbook.services.scoring.score_batches import ScoreMessages

RETRIES_EXHAUSTED = errored(Code.SCORING_FAILED, "Scoring failed again and again; the case was given up.")


@dataclass(frozen=True, slots=True)
class RetriesExhausted:
    """Turns each case of a message into a SCORING_FAILED result, then forwards the message to the dead-letter queue."""

    score: ScoreMessages

    def handle(self, messages: Sequence[Message], dead: DeadLetters, seconds_left: Callable[[], float]) -> Summary:
        """Give up *messages*; those in `Summary.failed` are to be delivered again."""
        total = Summary()
        for message in messages:
            summary = self.score.handle([message], dead, seconds_left)
            if not summary.failed and not summary.unreadable:
                try:
                    dead.send(message, "given up after too many receives")
                except Retryable as error:
                    summary.failed[message.message_id] = str(error)
            total.messages += 1
            total.unreadable += summary.unreadable
            total.outcomes.update(summary.outcomes)
            total.failed.update(summary.failed)
        return total
