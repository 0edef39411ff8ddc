"""Scoring the groups of cases that sandbox runs left to invocations to come, or asking a judge about them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evalbook.domain.errors import Retryable
from evalbook.domain.outcome import Grade
from evalbook.jsonio.stored import read_stored
from evalbook.services.judging.launch import JudgeRunLauncher
from evalbook.services.sandbox.judged_runs import judge_runs_of
from evalbook.services.sandbox.ports import CaseGroup, SandboxRun, SandboxStore, WorkQueue
from evalbook.services.scoring.batch_job import identified
from evalbook.services.scoring.case_run import CaseSlice, ResolvedVersion, scoring_job
from evalbook.services.scoring.worker import Worker
from evalbook.traces.port import Traces

_SECONDS_A_PANEL = 3.0


@dataclass(frozen=True, slots=True)
class SandboxWork:
    """Scores groups or starts their judge runs, and puts back what the time left cannot hold."""

    store: SandboxStore
    queue: WorkQueue
    worker: Worker
    launcher: JudgeRunLauncher
    traces: Traces | None = None

    def handle(self, groups: Sequence[tuple[str, CaseGroup]], seconds_left: Callable[[], float]) -> dict[str, str]:
        """Score groups, each with its message's id; of those to be delivered again the id and the reason."""
        failed: dict[str, str] = {}
        for message_id, group in groups:
            try:
                self._work(group, seconds_left)
            except Retryable as error:
                failed[message_id] = str(error)
        return failed

    def _work(self, group: CaseGroup, seconds_left: Callable[[], float]) -> None:
        run = self.store.run(group.key)
        if run is None:
            return
        done = self._score(run, group, seconds_left()) if run.judging is None else self._ask(run, group, seconds_left)
        if group.begin + done < group.end:
            self.queue.send([CaseGroup(group.key, group.begin + done, group.end)])

    def _score(self, run: SandboxRun, group: CaseGroup, seconds_left: float) -> int:
        """Score as many cases as the time left can hold; how many."""
        cases = self._cases(run, group)
        job = scoring_job(ResolvedVersion(run.version, run.number), group.key.run_id, cases, self.traces)
        done = dict(self.worker.run(job, seconds_left=seconds_left, survive_crashes=True))
        self.store.put_results(run, {group.begin + index: text for index, text in done.items()})
        return len(done)

    def _cases(self, run: SandboxRun, group: CaseGroup) -> CaseSlice:
        values = [read_stored(text) for text in self.store.cases(group)]
        return CaseSlice(values, group.begin, run.repeated)

    def _ask(self, run: SandboxRun, group: CaseGroup, seconds_left: Callable[[], float]) -> int:
        """Start the judge runs of as many cases as the time left can hold; what needs none has its result at once."""
        judge_runs, done = judge_runs_of(run), 0
        for identity, value in identified(self._cases(run, group).place):
            if seconds_left() < _SECONDS_A_PANEL:
                break
            started = self.launcher.start(judge_runs, identity, value)
            if isinstance(started, Grade):
                self.store.put_results(run, {group.begin + done: judge_runs.writer().encode(identity, started)})
            done += 1
        return done
