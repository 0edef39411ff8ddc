"""Taking batches from a queue: every case of every message gets its result, or its message comes again."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from evalbook.contracts.score_batch import BatchRefusal, ReadBatch, ScoreBatch, read_batch, read_cases
from evalbook.domain.errors import Retryable, Unreadable
from evalbook.services.scoring.batch_job import CaseRange
from evalbook.services.scoring.ports import Bodies, DeadLetters, Message, Outgoing, Queue
from evalbook.services.scoring.remainder import remaining_batch
from evalbook.services.scoring.result_batches import empty, pack

SECONDS_A_MESSAGE = 4.0
"""With less time than this no further message is started."""


class NotSent(Retryable):
    """A queue did not take what was sent to it."""


@dataclass(frozen=True, slots=True)
class BatchName:
    """Which batch a message held, for the logs."""

    run_id: str
    batch_id: str
    scorer: str
    version: int | str


@dataclass(slots=True)
class Summary:
    """What one invocation did: counts, and the ids of messages and batches."""

    outcomes: Counter[str] = field(default_factory=Counter)
    messages: int = 0
    unreadable: int = 0
    put_back: int = 0
    failed: dict[str, str] = field(default_factory=dict)
    """Message id and what made it fail."""
    batches: dict[str, BatchName] = field(default_factory=dict)
    """Message id and the batch that it held, for those that held one."""


@dataclass(frozen=True, slots=True)
class Done:
    """How many of a message's cases are done, from the first on, and the encoded results of those that have one."""

    cases: int
    results: Sequence[bytes]


Work = Callable[[Message, ReadBatch, CaseRange, Callable[[], float]], Done]
"""Is given a message, its batch and cases, and how many seconds are left."""


@dataclass(frozen=True, slots=True)
class MessageLoop:
    """Reads batches, sends their results and puts back what is left; without a *queue* nothing can be put back."""

    bodies: Bodies
    results: Queue
    queue: Queue | None

    def run(
        self, messages: Sequence[Message], dead: DeadLetters, seconds_left: Callable[[], float], work: Work
    ) -> Summary:
        """Let *work* take *messages* one after the other; those in `Summary.failed` are to be delivered again."""
        summary = Summary()
        for message in messages:
            summary.messages += 1
            try:
                self._one(message, dead, seconds_left, work, summary)
            except Retryable as error:
                summary.failed[message.message_id] = str(error)
            except Exception as error:  # noqa: BLE001  (a fault in one message must not cost the others a receive)
                summary.failed[message.message_id] = type(error).__name__
        return summary

    def _one(
        self, message: Message, dead: DeadLetters, seconds_left: Callable[[], float], work: Work, summary: Summary
    ) -> None:
        if seconds_left() < SECONDS_A_MESSAGE:
            self._put_back(message, message.body, summary)
            return
        try:
            read = read_batch(message.body)
            summary.batches[message.message_id] = named(read.head)
            read, cases = self._found(message, read)
        except Unreadable as error:
            dead.send(message, error.reason)
            summary.unreadable += 1
            return
        if cases.begin == cases.end:
            self._send(message, [empty(read.head)])
            return
        done = work(message, read, cases, seconds_left)
        # In this order a crash in between repeats work and loses none.
        self._send(message, pack(read.head, done.results))
        if done.cases < cases.end - cases.begin:
            whole = not done.cases or read.refusal is not None  # a refused batch stays as it is, to be refused again
            self._put_back(message, message.body if whole else remaining_batch(read, done.cases), summary)
        summary.outcomes.update(map(outcome_of, done.results))

    def _found(self, message: Message, read: ReadBatch) -> tuple[ReadBatch, CaseRange]:
        """Return the batch and the cases that it means, inline or by reference; Unreadable where there are none."""
        batch = read.head
        if batch.cases_ref is None:
            repeated = frozenset(batch.repeated)
            return read, CaseRange(message.body, True, 0, len(read.cases), batch.first_index, repeated)  # noqa: FBT003
        ref = batch.cases_ref
        text = self.bodies.read(ref.key, ref.sha256)
        there, end = len(read_cases(text)), ref.count if ref.end is None else ref.end
        if there != ref.count or not ref.start <= end <= ref.count:
            problem = f"/cases_ref means {ref.start} to {end} of {ref.count} cases, and there are {there}"
            read = read if read.refusal else replace(read, refusal=BatchRefusal(problem, batch.scorer.name))
            if not ref.start < (end := min(end, there)):
                raise Unreadable(f"the message is no score batch: {problem}")
        return read, CaseRange(text, False, ref.start, end, 0, frozenset())  # noqa: FBT003

    def _send(self, message: Message, bodies: Iterable[bytes]) -> None:
        if failed := self.results.send([Outgoing(message.message_id, body) for body in bodies]):
            raise NotSent(f"the results queue answered {failed[message.message_id]}")

    def _put_back(self, message: Message, body: bytes, summary: Summary) -> None:
        """Send what is left to do to the queue's end.

        The first message had all the time there is: with nothing done, coming again would not help it, being given up
        after some receives does.
        """
        hopeless = summary.messages == 1 and body is message.body
        if hopeless or self.queue is None:
            raise NotSent("there was no time left")
        if failed := self.queue.send([Outgoing(message.message_id, body)]):
            raise NotSent(f"the rest could not be put back: the queue answered {failed[message.message_id]}")
        summary.put_back += 1


def named(batch: ScoreBatch) -> BatchName:
    """Return the ids of *batch* that logs name it by."""
    return BatchName(batch.run_id, batch.batch_id, batch.scorer.name, batch.scorer.version)


_OUTCOME = b'"outcome":"'


def outcome_of(result: bytes) -> str:
    """The outcome in an encoded result: inside a text the quotes would be escaped, so the first find is the member."""
    start = result.index(_OUTCOME) + len(_OUTCOME)
    return result[start : result.index(b'"', start)].decode()
