"""Dispatching judge batches: every case becomes an execution of its own, or gets its result at once."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from evalbook.contracts.score_batch import CaseValue, ReadBatch
from evalbook.domain.outcome import Grade
from evalbook.domain.result import CaseIdentity, Run
from evalbook.services.judging.launch import JudgeExecution, JudgeRunLauncher
from evalbook.services.scoring.batch_job import CaseRange, identified
from evalbook.services.scoring.consumer import Done, MessageLoop, Summary
from evalbook.services.scoring.ports import Bodies, DeadLetters, Message, Queue
from evalbook.services.scoring.version_lookup import FoundVersion, VersionLookup

STARTED = "started"
"""Stands among a summary's outcomes for cases that a judge is being asked about."""

_SECONDS_A_CASE = 3.0


@dataclass(frozen=True, slots=True)
class DispatchJudgeRuns:
    """Starts one execution a case, whose name is the case's result id: the same case never runs twice."""

    versions: VersionLookup
    bodies: Bodies
    launcher: JudgeRunLauncher
    results: Queue
    queue: Queue

    def handle(self, messages: Sequence[Message], dead: DeadLetters, seconds_left: Callable[[], float]) -> Summary:
        """Dispatch *messages* one after the other; those in `Summary.failed` are to be delivered again."""
        started = Counter[str]()

        def dispatched(_: Message, read: ReadBatch, cases: CaseRange, seconds_left: Callable[[], float]) -> Done:
            done = self._dispatched(read, cases, seconds_left)
            started[STARTED] += done.cases - len(done.results)
            return done

        summary = MessageLoop(self.bodies, self.results, self.queue).run(messages, dead, seconds_left, dispatched)
        summary.outcomes.update(started)
        return summary

    def _dispatched(self, read: ReadBatch, cases: CaseRange, seconds_left: Callable[[], float]) -> Done:
        found = self.versions.find_for(read)
        done, results = 0, list[bytes]()
        for identity, value in identified(cases):
            if seconds_left() < _SECONDS_A_CASE:
                break
            results += self._case(read, found, identity, value)
            done += 1
        return Done(done, results)

    def _case(self, read: ReadBatch, found: FoundVersion, identity: CaseIdentity, value: CaseValue) -> Iterator[bytes]:
        """Start the case's judge run, or yield the result that it gets instead."""
        judge_runs = _judge_runs(read, found)
        started = self.launcher.start(judge_runs, identity, value)
        if isinstance(started, Grade):
            yield judge_runs.writer().encode(identity, started)


def _judge_runs(read: ReadBatch, found: FoundVersion) -> JudgeExecution:
    batch = read.head
    return JudgeExecution(
        run=Run(batch.organization_id, batch.project_id, batch.run_id),
        scorer=found.scorer,
        purpose=batch.purpose,
        batch_id=batch.batch_id,
        budget_id=batch.budget_id,
        refusal=found.refusal,
    )
