"""Scoring messages from a family's queue: every case of every message gets its result, or its message comes again."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from evalbook.contracts.score_batch import ReadBatch, ScoreBatch, read_batch, read_cases
from evalbook.errors import Retryable, Unreadable
from evalbook.outcome import Grade
from evalbook.result import Run
from evalbook.services.batch_job import BatchJob, CaseRange
from evalbook.services.job import Worker
from evalbook.services.packing import pack
from evalbook.services.ports import Bodies, DeadLetters, Message, Outgoing, Queue
from evalbook.services.rest import rest_of
from evalbook.services.stored_content import resolutions
from evalbook.services.traces import Traces
from evalbook.services.version_lookup import FoundVersion, VersionLookup

SECONDS_A_MESSAGE = 4.0
"""With less time than this no further message is started."""


@dataclass(slots=True)
class Summary:
    """What one invocation did: counts only."""

    outcomes: Counter[str] = field(default_factory=Counter)
    messages: int = 0
    unreadable: int = 0
    put_back: int = 0
    failed: dict[str, str] = field(default_factory=dict)
    """Message id and what made it fail."""


@dataclass(frozen=True, slots=True)
class ScoreMessages:
    """Scores the messages that one queue delivered.

    With *verdict* no case is scored: all get that grade.
    """

    versions: VersionLookup
    worker: Worker
    bodies: Bodies
    results: Queue
    queue: Queue | None
    verdict: Grade | None = None
    traces: Traces | None = None

    def handle(self, messages: Sequence[Message], dead: DeadLetters, seconds_left: Callable[[], float]) -> Summary:
        """Score *messages* one after the other; those in `Summary.failed` are to be delivered again."""
        return one_by_one(messages, lambda message, summary: self._one(message, dead, seconds_left, summary))

    def _one(self, message: Message, dead: DeadLetters, seconds_left: Callable[[], float], summary: Summary) -> None:
        if seconds_left() < SECONDS_A_MESSAGE:
            put_back(self.queue, message, message.body, summary)
            return
        try:
            read = read_batch(message.body)
            cases = cases_of(message, read, self.bodies)
        except Unreadable as error:
            dead.send(message, error.reason)
            summary.unreadable += 1
            return
        job = self._job(read, cases, self.versions.find(read.head))
        results = self.worker.run(job, seconds_left=seconds_left(), survive_crashes=message.receive_count > 1)
        done = [encoded for _, encoded in results]
        # In this order a crash in between repeats work and loses none.
        send_results(self.results, message, read.head, done)
        if len(done) < job.size:
            put_back(self.queue, message, rest_of(read, len(done)) if done else message.body, summary)
        summary.outcomes.update(map(outcome_of, done))

    def _job(self, read: ReadBatch, cases: CaseRange, found: FoundVersion) -> BatchJob:
        batch = read.head
        run = Run(batch.organization_id, batch.project_id, batch.run_id)
        verdict = self.verdict or found.refusal
        job = BatchJob(cases, run, found.scorer, found.parameters, found.time_limit_ms, verdict)
        if verdict:
            return job
        values = read.cases if cases.is_message else read_cases(cases.text)[cases.begin : cases.end]
        found_in_traces = resolutions(values, run, found.scorer.implementation, found.parameters, self.traces)
        return replace(job, resolved=found_in_traces) if found_in_traces else job


def one_by_one(messages: Sequence[Message], handle: Callable[[Message, Summary], None]) -> Summary:
    """Let *handle* take each of *messages*; those that it raises for are in `Summary.failed` and cost no other."""
    summary = Summary()
    for message in messages:
        summary.messages += 1
        try:
            handle(message, summary)
        except Retryable as error:
            summary.failed[message.message_id] = str(error)
        except Exception as error:  # noqa: BLE001  (a fault in one message must not cost the others a receive)
            summary.failed[message.message_id] = type(error).__name__
    return summary


def send_results(queue: Queue, message: Message, batch: ScoreBatch, results: Sequence[bytes]) -> None:
    """Send the encoded *results* of a message's *batch*.

    Raises:
        NotSent: The queue did not take them all.
    """
    if failed := queue.send([Outgoing(message.message_id, body) for body in pack(batch, results)]):
        raise NotSent(f"the results queue answered {failed[message.message_id]}")


def put_back(queue: Queue | None, message: Message, body: bytes, summary: Summary) -> None:
    """Send what is left to do to the queue's end.

    The first message had all the time there is: with nothing done, coming again would not help it, being given up
    after some receives does.

    Raises:
        NotSent: So it is with the first message, there is no queue, or it did not take the rest.
    """
    hopeless = summary.messages == 1 and body is message.body
    if hopeless or queue is None:
        raise NotSent("there was no time left")
    if failed := queue.send([Outgoing(message.message_id, body)]):
        raise NotSent(f"the rest could not be put back: the queue answered {failed[message.message_id]}")
    summary.put_back += 1


def cases_of(message: Message, read: ReadBatch, bodies: Bodies) -> CaseRange:
    """The cases that a batch means, inline or by reference.

    Raises:
        Unreadable: The reference leads nowhere or does not fit what it leads to.
        StoreUnavailable: The bucket did not answer.
    """
    batch = read.head
    if batch.cases_ref is None:
        repeated = frozenset(batch.repeated)
        return CaseRange(message.body, True, 0, len(read.cases), batch.first_index, repeated)  # noqa: FBT003
    ref = batch.cases_ref
    text = bodies.read(ref.key, ref.sha256)
    end = ref.count if ref.end is None else ref.end
    if len(read_cases(text)) != ref.count or not ref.start <= end <= ref.count:
        raise Unreadable("cases_ref does not fit the cases that it names")
    return CaseRange(text, False, ref.start, end, 0, frozenset())  # noqa: FBT003


class NotSent(Retryable):
    """A queue did not take what was sent to it."""


_OUTCOME = b'"outcome":"'


def outcome_of(result: bytes) -> str:
    """The outcome in an encoded result: inside a text the quotes would be escaped, so the first find is the member."""
    start = result.index(_OUTCOME) + len(_OUTCOME)
    return result[start : result.index(b'"', start)].decode()
