"""Sandbox runs: a stored version or a draft on up to 20 cases, at once where time allows and no judge is asked."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from evalbook.budgets.model import MicroDollars
from evalbook.domain.errors import Problem, Refused
from evalbook.domain.records import AuditStamp, Project
from evalbook.domain.refusals import Declined, DeclineReason
from evalbook.domain.rfc3339 import rfc3339
from evalbook.domain.versions import JUDGE, ScorerVersion
from evalbook.jsonio.canonical import plain_json
from evalbook.jsonio.stored import read_stored
from evalbook.jsonio.values import Json
from evalbook.services.judging.models import NO_GATEWAY
from evalbook.services.registry.ports import Clock
from evalbook.services.registry.scorers import Scorers, as_record
from evalbook.services.registry.version_check import NewVersion
from evalbook.services.sandbox.judged_runs import ANSWERING, ASKING, SandboxJudges
from evalbook.services.sandbox.ports import CaseGroup, RunKey, SandboxRun, SandboxStore, WorkQueue
from evalbook.services.scoring.case_run import CaseSlice, ResolvedVersion, scoring_job
from evalbook.services.scoring.retries_exhausted import RETRIES_EXHAUSTED
from evalbook.services.scoring.worker import Worker
from evalbook.traces.port import Traces

AT_ONCE_SECONDS: Final = 20.0
GROUP_MS: Final = 60_000
MAX_CASE_BYTES: Final = 300_000
DRAFT_NAME: Final = "draft"
_MAX_CASES_A_GROUP: Final = 10
_PATIENCE: Final = timedelta(minutes=30)
_KEPT: Final = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class RunAndResults:
    """A run and the results that it has so far, by the numbers of their cases."""

    run: SandboxRun
    results: dict[int, Json]

    @property
    def finished(self) -> bool:
        """Whether every case has its result."""
        return len(self.results) == self.run.cases


@dataclass(frozen=True, slots=True)
class AskedRun:
    """What a caller asks for: cases, by whom, since when (seconds), and the most that a judge may cost."""

    cases: Sequence[Json]
    by: str
    since: float
    budget_limit: MicroDollars | None = None


@dataclass(frozen=True, slots=True)
class Clocks:
    """The time of day, and seconds that only ever grow."""

    clock: Clock
    seconds: Callable[[], float]


@dataclass(frozen=True, slots=True)
class Sandbox:
    """Runs of all projects; *runs_a_minute* is each caller's limit."""

    scorers: Scorers
    store: SandboxStore
    queue: WorkQueue
    worker: Worker
    moments: Clocks
    new_id: Callable[[], str]
    runs_a_minute: int
    judges: SandboxJudges
    traces: Traces | None = None

    def count(self, caller: str) -> None:
        """Count a run of the caller.

        Raises:
            Declined: RATE_LIMITED.
        """
        if not self.store.count(caller, self.moments.clock()[:16], self.runs_a_minute):
            raise Declined(DeclineReason.RATE_LIMITED, f"A caller has {self.runs_a_minute} sandbox runs a minute.")

    def stored(self, project: Project, name: str, number: int | None) -> ResolvedVersion:
        """A stored version, the active one where no number is given.

        Raises:
            Declined: There is no such version, none is active, or it is a judge's and there is no gateway.
        """
        if number is None:
            number = self.scorers.get(project, name).active
            if number is None:
                raise Declined(DeclineReason.NONE_ACTIVE, "The scorer has no active version.")
        version = self.scorers.version(project, name, number).version
        self._check_gateway(version.implementation)
        return ResolvedVersion(version, number)

    def draft(self, project: Project, asked: NewVersion, by: str) -> ResolvedVersion:
        """A version that is checked and not stored.

        Raises:
            ParametersRefused: No such version could be created.
            Declined: It is a judge's and there is no gateway.
        """
        self._check_gateway(asked.implementation)
        drafted = self.scorers.check.draft(project, DRAFT_NAME, asked, AuditStamp(by, ""))
        return ResolvedVersion(as_record(drafted, 0).version, None)

    def start(self, project: Project, used: ResolvedVersion, asked: AskedRun) -> RunAndResults:
        """Score what can be scored within 20 seconds, and leave the rest, and all that a judge is asked, for later.

        Raises:
            Refused: A case is too large, or the budget asked for cannot be had.
            TracesUnavailable: The traces component did not answer.
        """
        texts = [plain_json(case) for case in asked.cases]
        _check_sizes(texts)
        run = self._new_run(project, used, asked)
        if used.version.implementation == JUDGE:
            return self._judged(run, asked, texts)
        if asked.budget_limit is not None:
            raise Refused([Problem("/budget_limit", "has no meaning here: only a judge's run has a budget")])
        job = scoring_job(used, run.key.run_id, CaseSlice(asked.cases), self.traces)
        left = AT_ONCE_SECONDS - (self.moments.seconds() - asked.since)
        done = dict(self.worker.run(job, seconds_left=left, survive_crashes=True))
        self.store.create(run, {index: text for index, text in enumerate(texts) if index not in done})
        self.store.put_results(run, done)
        if len(done) < run.cases:
            self.queue.send(_groups(run, len(done)))
        return RunAndResults(run, {index: _read(text) for index, text in done.items()})

    def get(self, project: Project, run_id: str) -> RunAndResults:
        """A run and its results; after the run's deadline what is missing is given up.

        Raises:
            Declined: RUN_NOT_FOUND.
        """
        key = RunKey(project, run_id)
        run = self.store.run(key)
        if run is None or run.expires_at < self.moments.clock():
            raise Declined(DeclineReason.RUN_NOT_FOUND, "The project has no such run, or it has expired.")
        results = {index: _read(text) for index, text in self._found(run).items()}
        if len(results) < run.cases and run.deadline_at < self.moments.clock():
            results |= {index: self._given_up(run, index) for index in range(run.cases) if index not in results}
        return RunAndResults(run, results)

    def _judged(self, run: SandboxRun, asked: AskedRun, texts: Sequence[bytes]) -> RunAndResults:
        begun = self.judges.begin(run, asked.cases, asked.budget_limit)
        self.store.create(begun, dict(enumerate(texts)))
        self.queue.send([CaseGroup(run.key, 0, run.cases)])
        return RunAndResults(begun, {})

    def _found(self, run: SandboxRun) -> dict[int, bytes]:
        """The results that there are; what judge runs have recorded since is kept with them."""
        found = dict(self.store.results(run.key))
        if run.judging is not None:
            new = self.judges.results(run, [index for index in range(run.cases) if index not in found])
            self.store.put_results(run, new)
            found |= new
        return found

    def _check_gateway(self, implementation: str) -> None:
        if implementation == JUDGE and self.scorers.check.models is None:
            raise Declined(DeclineReason.NO_GATEWAY, NO_GATEWAY)

    def _given_up(self, run: SandboxRun, index: int) -> Json:
        [text] = self.store.cases(CaseGroup(run.key, index, index + 1))
        case = CaseSlice([_read(text)], index, run.repeated)
        job = scoring_job(ResolvedVersion(run.version, run.number), run.key.run_id, case, verdict=RETRIES_EXHAUSTED)
        [(_, result)] = self.worker.run(job, seconds_left=AT_ONCE_SECONDS, survive_crashes=True)
        return _read(result)

    def _new_run(self, project: Project, used: ResolvedVersion, asked: AskedRun) -> SandboxRun:
        now = self.moments.clock()
        moment = datetime.fromisoformat(now)
        key = RunKey(project, self.new_id())
        deadline, expiry = rfc3339(moment + _patience(used.version)), rfc3339(moment + _KEPT)
        size, repeated = len(asked.cases), CaseSlice(asked.cases).repeats()
        return SandboxRun(key, used.version, used.number, size, AuditStamp(asked.by, now), deadline, expiry, repeated)


def _patience(version: ScorerVersion) -> timedelta:
    """For how long results are waited for: with a judge, until one that was asked last has had all its time."""
    if version.implementation != JUDGE:
        return _PATIENCE
    return ASKING + timedelta(milliseconds=version.time_limit_ms) + ANSWERING


def _groups(run: SandboxRun, begin: int) -> list[CaseGroup]:
    """Cut the cases from *begin* on into groups that one invocation can hold."""
    size = max(1, min(_MAX_CASES_A_GROUP, GROUP_MS // run.version.time_limit_ms))
    starts = range(begin, run.cases, size)
    return [CaseGroup(run.key, start, min(start + size, run.cases)) for start in starts]


def _check_sizes(texts: Sequence[bytes]) -> None:
    message = f"must be at most {MAX_CASE_BYTES} bytes of JSON"
    problems = [Problem(f"/cases/{index}", message) for index, text in enumerate(texts) if len(text) > MAX_CASE_BYTES]
    if problems:
        raise Refused(problems)


def _read(text: bytes) -> Json:
    return read_stored(text)
