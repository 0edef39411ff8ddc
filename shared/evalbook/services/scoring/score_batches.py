"""Scoring messages from a family's queue, in a worker process that can be stopped."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from evalbook.contracts.score_batch import ReadBatch, read_cases
from evalbook.domain.outcome import Grade
from evalbook.domain.result import Run
from evalbook.services.scoring.batch_job import BatchJob, CaseRange
from evalbook.services.scoring.consumer import Done, MessageLoop, Summary
from evalbook.services.scoring.ports import Bodies, DeadLetters, Message, Queue
from evalbook.services.scoring.trace_needs import resolutions
from evalbook.services.scoring.version_lookup import FoundVersion, VersionLookup
from evalbook.services.scoring.worker import Worker
from evalbook.traces.port import Traces


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
        return MessageLoop(self.bodies, self.results, self.queue).run(messages, dead, seconds_left, self._scored)

    def _scored(self, message: Message, read: ReadBatch, cases: CaseRange, seconds_left: Callable[[], float]) -> Done:
        job = self._job(read, cases, self.versions.find_for(read))
        results = self.worker.run(job, seconds_left=seconds_left(), survive_crashes=message.receive_count > 1)
        done = [encoded for _, encoded in results]
        return Done(len(done), done)

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
