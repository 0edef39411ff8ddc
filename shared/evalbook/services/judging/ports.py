"""What judging a case needs from the outside, beside the gateway, the ledger and the traces component."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from evalbook.domain.errors import Retryable


class NotNow(Retryable):
    """The step cannot be taken now, and nothing is lost by taking it again later."""


@dataclass(frozen=True, slots=True)
class BodyRef:
    """Where a text is held, and the SHA-256 digest that it has."""

    key: str
    sha256: str


class JudgeRunBodies(Protocol):
    """Where a judge run's texts are held for some days: cases, requests, replies. Equal texts are held once."""

    def put(self, judge_run_id: str, body: bytes) -> BodyRef:
        """Hold *body*, and say where.

        Raises:
            StoreUnavailable: The store did not answer.
        """

    def read(self, ref: BodyRef) -> bytes:
        """The text.

        Raises:
            Unreadable: It is no longer there, or another one.
            StoreUnavailable: The store did not answer.
        """


class RecordKind(StrEnum):
    """What is recorded of a judge run once."""

    PLAN = "PLAN"
    RESULT = "RESULT"
    ANSWER = "ANSWER"


class JudgeRunRecords(Protocol):
    """What is written once a judge run and never changed. Both methods raise StoreUnavailable."""

    def keep(self, judge_run_id: str, name: str, value: bytes) -> bytes:
        """Record *value* under a name unless there is a value already; the one that is recorded."""

    def find(self, judge_run_id: str, name: str) -> bytes | None:
        """The value that is recorded, or None."""


class Executions(Protocol):
    """The state machine's executions, one a judge run. Every method raises StoreUnavailable."""

    def start(self, judge_run_id: str, entry: str) -> None:
        """Start the judge run with the JSON text *entry*; one that was started before goes on where it failed."""

    def resume_failed(self, limit: int) -> int:
        """Let at most *limit* executions that have failed lately go on; how many do."""


class LedgerFault(StrEnum):
    """What the ledger and an answer can disagree about; all but an overrun is a fault of ours."""

    OTHER_CHARGE = "other_charge"
    """The call was settled before, with another amount."""
    NEVER_SENT = "never_sent"
    """An answer was charged of whose request the ledger knows nothing."""
    OVERRUN = "overrun"
    """A call has cost more than was reserved for it: an estimate or the catalog's price is too low."""
    OTHER_REQUEST = "other_request"
    """The call's id was used for another request."""


LedgerFaults = Callable[[LedgerFault, str], None]
"""Is told of a fault and of the call (its logical request id) or the judge run that it is about."""


def answer_name(repeat: int) -> str:
    """The name under which a repeat's answer is recorded."""
    return f"{RecordKind.ANSWER}#{repeat}"
