"""Calibrations with every store in memory, and judge runs that say at once what a rule says."""

import json
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from evalbook.api.schemas.calibrations import NewCalibrationBody
from evalbook.budgets.calls import Basis, CallRequest, Charge, Ownership, Settlement
from evalbook.budgets.model import BudgetKey
from evalbook.budgets.reservations import Admitted, Order
from evalbook.domain.errors import StoreUnavailable
from evalbook.domain.records import AuditStamp, Project, ScorerRecord, VersionRecord
from evalbook.domain.versions import JUDGE, ScorerVersion, VersionState, version_digest
from evalbook.jsonio.reader import read_json
from evalbook.judges.reply import RawReply
from evalbook.judges.version import read_parameters
from evalbook.services.budgets.ledger import BudgetLedger, LedgerSettings
from evalbook.services.calibration.calibrations import IN_FLIGHT, CalibrationPlaces, Calibrations
from evalbook.services.calibration.case_outcome import CaseReader
from evalbook.services.calibration.ports import CalibrationStatus
from evalbook.services.calibration.tick import CalibrationWork, JudgingParts
from evalbook.services.judging.aggregate import AggregateJudgeRun
from evalbook.services.judging.launch import JudgeRunLauncher
from evalbook.services.judging.prepare import JudgeRunStores, exhausted
from evalbook.services.judging.records import JudgeRunPlan, PlannedCall, StoredAnswer, StoredCharge, StoredRef
from evalbook.services.judging.replies import hold_reply
from tests.fakes.judge_runs import MODEL, PASSED, MemoryJudgeRunBodies, MemoryJudgeRunRecords
from tests.fakes.ledger import MemoryLedger
from tests.fakes.stores import MemoryBodies

PROJECT = Project("acme", "support")
START = "2026-11-30T12:00:00Z"
COST = 100


class MemoryCalibrations:
    """A `CalibrationRuns`; `down` makes every call fail."""

    def __init__(self):
        self.records, self.kept, self.down = {}, {}, False

    def create(self, record):
        self._answer()
        if self._key(record) in self.records:
            raise StoreUnavailable("the calibration's id is taken")
        self.records[self._key(record)] = record

    def calibration(self, project, calibration_id):
        self._answer()
        return self.records.get((project, calibration_id))

    def calibrations(self, scorer, after, limit):
        self._answer()
        found = [each for each in self.records.values() if each.scorer_key == scorer]
        found.sort(key=lambda each: each.calibration_id, reverse=True)
        return [each for each in found if not after or each.calibration_id < after][:limit]

    def advance(self, record, progress):
        self._answer()
        now = self.records[self._key(record)]
        if now.status is not CalibrationStatus.RUNNING or now.progress.visits != record.progress.visits:
            return False
        self.records[self._key(record)] = replace(now, progress=progress)
        return True

    def end(self, record):
        self._answer()
        now = self.records[self._key(record)]
        if now.status is not CalibrationStatus.RUNNING:
            return False
        names = ("status", "code", "progress", "report", "rows", "finished_at")
        self.records[self._key(record)] = replace(now, **{name: getattr(record, name) for name in names})
        return True

    def put_outcome(self, record, index, outcome):
        self._answer()
        self.kept.setdefault((*self._key(record), index), outcome)

    def outcomes(self, record):
        self._answer()
        return {key[-1]: text for key, text in self.kept.items() if key[:-1] == self._key(record)}

    def _key(self, record):
        return record.project, record.calibration_id

    def _answer(self):
        if self.down:
            raise StoreUnavailable("the table is down")


@dataclass
class MemoryVisits:
    """A `TickQueue` that keeps what it takes; `down` makes it refuse."""

    visits: list[Any] = field(default_factory=list)
    down: bool = False

    def send(self, visit, _):
        if self.down:
            raise StoreUnavailable("the queue is down")
        self.visits.append(visit)


@dataclass
class MemoryScorers:
    """As much of a `ScorerStore` and of a `VersionStore` as calibrations read."""

    scorers: dict[Any, ScorerRecord] = field(default_factory=dict)
    records: dict[Any, VersionRecord] = field(default_factory=dict)

    def scorer(self, key):
        return self.scorers.get(key)

    def version(self, key, number):
        return self.records.get((key, number))

    def get(self, key, number):
        found = self.version(key, number)
        return found.version if found else None


class RuledJudgeRuns:
    """`Executions` that judge when they are told to: what each case's output says, reply after reply.

    An output is the verdicts (or scores) of the replies with spaces between them; `spent` stands for a budget that
    cannot pay. `started` counts how often each judge run was really begun.
    """

    def __init__(self, bench):
        self._bench = bench
        self.entries: dict[str, str] = {}
        self.starts: list[str] = []
        self.done: set[str] = set()
        self.at_once = True

    def start(self, judge_run_id, entry):
        self.starts.append(judge_run_id)
        if judge_run_id not in self.entries:
            self.entries[judge_run_id] = entry
            if self.at_once:
                self.judge(judge_run_id)

    def judge(self, judge_run_id):
        """Let one judge run come to its result."""
        self.done.add(judge_run_id)
        ref = json.loads(self.entries[judge_run_id])["job"]
        job_ref = StoredRef(**ref).ref
        job = self._bench.stores.job(job_ref)
        output = json.loads(job.case)["output"]
        parameters = self._bench.parameters
        if output == "spent":
            grade = exhausted(job.exhausted)
            self._bench.records.keep(judge_run_id, "RESULT", job.writer().encode(job.identity, grade))
            return
        self._answer(judge_run_id, job, output.split(), parameters)
        AggregateJudgeRun(self._bench.stores, self._bench.ledger).run(judge_run_id, job_ref)

    def judge_all(self):
        for judge_run_id in self.entries.keys() - self.done:
            self.judge(judge_run_id)

    def _answer(self, judge_run_id, job, words, parameters):
        calls = []
        for repeat, word in enumerate(words):
            logical_id = f"{judge_run_id}-{repeat}"
            self._bench.charge(job, logical_id)
            ref = hold_reply(self._bench.bodies, judge_run_id, RawReply(json.dumps(said(word, parameters)), "stop"))
            charged = StoredCharge(actual=COST, basis=Basis.USAGE)
            answer = StoredAnswer(reply=ref, charged=charged, served_model=self._bench.served(job.case_id))
            self._bench.records.keep(judge_run_id, f"ANSWER#{repeat}", answer.model_dump_json().encode())
            calls.append(PlannedCall(logical_id=logical_id, request=ref, estimate=COST))
        plan = JudgeRunPlan(
            parameters=self._bench.text,
            served_names=["judge"],
            input_rate=1,
            output_rate=1,
            contents=StoredRef.of(self._bench.bodies.put(judge_run_id, b"{}")),
            calls=calls,
        )
        kept = StoredRef.of(self._bench.bodies.put(judge_run_id, plan.model_dump_json().encode()))
        self._bench.records.keep(judge_run_id, "PLAN", kept.model_dump_json().encode())


def said(word, parameters):
    """A reply that says *word*: a verdict, a category, a score or `abstain`."""
    if word == "abstain":
        return {**PASSED, "verdict": None, "score": None, "abstain": True}
    if parameters.score_type == "binary":
        return {**PASSED, "verdict": word, "score": int(word == "pass")}
    if parameters.score_type == "categorical":
        return {**PASSED, "verdict": word, "score": None}
    return {**PASSED, "verdict": None, "score": float(word)}


class CalibrationsHere:
    """The use case of asking for calibrations over these stores, everything else in memory."""

    def __init__(self, scorers, store, clock, most=10**9, in_flight=IN_FLIGHT):
        self.store, self.queue = store, MemoryVisits()
        self.held, self.row_bodies, self.referred = MemoryJudgeRunBodies(), MemoryJudgeRunBodies(), MemoryBodies()
        self.money, ids = MemoryLedger(), count(1)
        terms = LedgerSettings(replays=False, clock=lambda: 0, refusal_hold=lambda: 0)
        self.ledger = BudgetLedger(self.money, terms)
        self.places = CalibrationPlaces(self.store, self.held, self.row_bodies, self.referred, self.queue)
        self.use_case = Calibrations(
            scorers, self.places, self.ledger, clock, lambda: f"c-{next(ids):04d}", most, in_flight
        )


class CalibrationBench(CalibrationsHere):
    """Calibrations of one judge: ask for them, deliver visits, look at them."""

    def __init__(self, *, most=10**9, in_flight=IN_FLIGHT, **parameters):
        self.now, self.scorers = START, MemoryScorers()
        self.served_models: dict[str, str] = {}
        super().__init__(self.scorers, MemoryCalibrations(), lambda: self.now, most, in_flight)
        self.calibrations = self.use_case
        self.bodies, self.records = MemoryJudgeRunBodies(), MemoryJudgeRunRecords()
        self.stores = JudgeRunStores(self.bodies, self.records)
        self.judge_runs = RuledJudgeRuns(self)
        self.add_judge(**parameters)
        reader = CaseReader(self.stores, self.money)
        launcher = JudgeRunLauncher(self.bodies, self.judge_runs)
        judging = JudgingParts(self.scorers, launcher, reader, self.ledger)
        self.work = CalibrationWork(self.places, judging, lambda: self.now, 5, in_flight)

    def add_judge(self, **parameters):
        chosen = {
            "model": MODEL, "prompt_template": "{{output}}", "score_type": "binary", "time_limit_ms": 60_000
        }  # fmt: skip
        self.text = json.dumps({**chosen, **parameters})
        self.parameters = read_parameters(self.text)
        key = PROJECT.scorer("judge")
        digest = version_digest(JUDGE, read_json(self.text.encode()), 60_000)
        version = ScorerVersion(key, 1, JUDGE, self.text, 60_000, digest, VersionState.DRAFT)
        self.scorers.records[key, 1] = VersionRecord(version, JUDGE, "[]", AuditStamp("ann", START), "m" * 64)
        self.scorers.scorers[key] = ScorerRecord(key, "", AuditStamp("ann", START), 1, None, 2)

    def charge(self, job, logical_id):
        """Reserve a call and settle it."""
        order = Order(job.budget, (CallRequest(logical_id, "0" * 64, COST),), Ownership("panel", 10**12))
        reserved = self.ledger.reserve(order)
        assert isinstance(reserved, Admitted)
        self.ledger.mark_sent(reserved.calls[0].claim, 10**12)
        self.ledger.settle(logical_id, Settlement(Charge(COST, Basis.USAGE), ""))

    def served(self, case_id):
        """The name by which a case's replies call their model."""
        return self.served_models.get(case_id, "judge-as-served")

    def ask(self, *rows, project=PROJECT, **more):
        """Ask for a calibration of (output, human label) pairs."""
        cases = [
            {"case": {"case_id": f"case-{at}", "output": output}, "human": human}
            for at, (output, human) in enumerate(rows)
        ]
        body = {"scorer": {"name": "judge", "version": 1}, "cases": cases, "split": "test", "budget_limit": 10_000}
        body = {name: each for name, each in {**body, **more}.items() if each is not None}
        return self.calibrations.start(project, NewCalibrationBody.model_validate(body).asked(), "ann")

    def deliver(self, visit=None, seconds_left=lambda: 90.0):
        """Deliver one message; what is to be delivered again."""
        visit = self.queue.visits.pop(0) if visit is None else visit
        return self.work.handle([("m", visit)], seconds_left)

    def run(self):
        """Deliver messages until there are none."""
        for _ in range(1_000):
            if not self.queue.visits:
                return
            self.deliver()
        raise AssertionError("there is no end of visits")

    def found(self, record):
        """The calibration as it is kept now."""
        return self.store.records[record.project, record.calibration_id]

    def report(self, record):
        return json.loads(self.found(record).report)

    def budget(self, record):
        return self.money.budget(BudgetKey(PROJECT.organization_id, PROJECT.project_id, record.budget_id))
