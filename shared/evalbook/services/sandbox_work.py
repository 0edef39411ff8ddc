"""Scoring the groups of cases that sandbox runs left to invocations to come."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evalbook.errors import Retryable
from evalbook.services.job import Worker
from evalbook.services.sandbox_ports import CaseGroup, SandboxStore, WorkQueue
from evalbook.services.scoring_run import Used, scoring_job
from evalbook.services.traces import Traces
from evalbook.strict_json import read_json

_DEPTH = 150


@dataclass(frozen=True, slots=True)
class SandboxWork:
    """Scores groups, and puts back what the time left cannot hold."""

    store: SandboxStore
    queue: WorkQueue
    worker: Worker
    traces: Traces | None = None

    def handle(self, groups: Sequence[tuple[str, CaseGroup]], seconds_left: Callable[[], float]) -> dict[str, str]:
        """Score groups, each with its message's id; of those to be delivered again the id and the reason."""
        failed: dict[str, str] = {}
        for message_id, group in groups:
            try:
                self._score(group, seconds_left())
            except Retryable as error:
                failed[message_id] = str(error)
        return failed

    def _score(self, group: CaseGroup, seconds_left: float) -> None:
        run = self.store.run(group.key)
        if run is None:
            return
        cases = [read_json(text, max_depth=_DEPTH) for text in self.store.cases(group)]
        job = scoring_job(Used(run.version, run.number), group.key.run_id, cases, self.traces)
        done = dict(self.worker.run(job, seconds_left=seconds_left, survive_crashes=True))
        self.store.put_results(run, {group.begin + index: text for index, text in done.items()})
        if len(done) < len(cases):
            self.queue.send([CaseGroup(group.key, group.begin + len(done), group.end)])
