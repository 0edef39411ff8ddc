"""Working on calibrations: start some judge runs, look which are done, come again; at the end, the report.

Every visit sends the message of the next one before it writes down how far it came. A visit that dies in between is
delivered again; what was done already is then found done, since a judge run is named after its case. A visit
that was made already is dropped, so that a message delivered twice does not become two chains of them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from evalbook.budgets.model import BudgetKey
from evalbook.domain.errors import Refused, Retryable, Unreadable
from evalbook.domain.outcome import Code, Grade
from evalbook.domain.result import Run, ScoringVersion
from evalbook.domain.versions import JUDGE, VersionStore
from evalbook.jsonio.stored import read_stored
from evalbook.judges.version import JudgeParameters, read_parameters
from evalbook.services.budgets.ledger import BudgetLedger
from evalbook.services.calibration.calibrations import IN_FLIGHT, CalibrationPlaces
from evalbook.services.calibration.case_outcome import CaseOutcome, CaseReader, outcome_of_grade
from evalbook.services.calibration.labelled_cases import LabelledCase, read_labelled
from evalbook.services.calibration.ports import (
    CalibrationProgress,
    CalibrationRecord,
    CalibrationStatus,
    CalibrationTick,
)
from evalbook.services.calibration.report import CalibrationStudy, report_of, rows_of
from evalbook.services.judging.launch import JudgeExecution, JudgeRunLauncher
from evalbook.services.registry.ports import Clock

_SECONDS_A_CASE: Final = 8.0
CASES_GONE: Final = "CASES_GONE"
NOT_COMPARABLE: Final = "LABELS_NOT_COMPARABLE"

SecondsLeft = Callable[[], float]


@dataclass(frozen=True, slots=True)
class JudgingParts:
    """What asks the judge and says what became of it."""

    versions: VersionStore
    launcher: JudgeRunLauncher
    reader: CaseReader
    ledger: BudgetLedger


@dataclass(frozen=True, slots=True)
class CalibrationWork:
    """Works on calibrations, on *in_flight* cases of one side by side; looks again after *poll_seconds*."""

    places: CalibrationPlaces
    judging: JudgingParts
    clock: Clock
    poll_seconds: int
    in_flight: int = IN_FLIGHT

    def handle(self, visits: Sequence[tuple[str, CalibrationTick]], seconds_left: SecondsLeft) -> dict[str, str]:
        """Make visits, each with its message's id; of those to be delivered again the id and the reason."""
        return _each(visits, lambda visit: self._visit(visit, seconds_left))

    def give_up(self, visits: Sequence[tuple[str, CalibrationTick]]) -> dict[str, str]:
        """Let calibrations fail whose visits failed again and again."""
        return _each(visits, self._give_up)

    def _give_up(self, visit: CalibrationTick) -> None:
        record = self._running(visit)
        if record is not None:
            self._fail(record, Code.SCORING_FAILED.value)

    def _running(self, visit: CalibrationTick) -> CalibrationRecord | None:
        """The calibration, unless it has ended or the visit was made before."""
        record = self.places.store.calibration(visit.project, visit.calibration_id)
        if record is None or record.status is not CalibrationStatus.RUNNING:
            return None
        return record if visit.visit >= record.progress.visits else None

    def _visit(self, visit: CalibrationTick, seconds_left: SecondsLeft) -> None:
        record = self._running(visit)
        if record is None:
            return
        try:
            asking = self._asking(record)
        except Unreadable:
            self._fail(record, CASES_GONE)
            return
        progress = asking.collected(record.progress, seconds_left)
        if self.clock() < record.deadline_at:
            progress = asking.started(progress, self.in_flight, seconds_left)
        progress = replace(progress, visits=visit.visit + 1, seen_at=self.clock())
        over = self.clock() >= record.deadline_at and seconds_left() >= _SECONDS_A_CASE
        if progress.done == record.cases or over:
            self._finish(replace(record, progress=progress), asking)
            return
        self.places.queue.send(replace(visit, visit=progress.visits), self.poll_seconds)
        self.places.store.advance(record, progress)

    def _asking(self, record: CalibrationRecord) -> "_Asking":
        version = self.judging.versions.get(record.scorer_key, record.version)
        if version is None or record.held is None:
            raise Unreadable("the version is gone")
        parameters = read_parameters(version.parameters)
        entries = read_stored(self.places.held.read(record.held))
        return _Asking(self.places, self.judging, record, parameters, read_labelled(entries, parameters))

    def _finish(self, record: CalibrationRecord, asking: "_Asking") -> None:
        kept = self.places.store.outcomes(record)
        outcomes = {index: CaseOutcome.model_validate_json(text) for index, text in kept.items()}
        study = CalibrationStudy(record, asking.parameters, asking.cases, outcomes)
        now = self.clock()
        try:
            report, rows = report_of(study, now), rows_of(study)
        except Refused:
            self._fail(record, NOT_COMPARABLE)
            return
        errors = sum(not each.is_judged for each in study.every_outcome)
        ended = replace(
            record,
            status=CalibrationStatus.FINISHED,
            report=report,
            rows=self.places.rows.put(record.calibration_id, rows),
            finished_at=now,
            progress=replace(record.progress, pending=(), done=record.cases, errors=errors),
        )
        self._end(ended)

    def _fail(self, record: CalibrationRecord, code: str) -> None:
        self._end(replace(record, status=CalibrationStatus.FAILED, code=code, finished_at=self.clock()))

    def _end(self, record: CalibrationRecord) -> None:
        """Close what nobody else draws on, so that what runs on cannot spend, then write the end down."""
        if record.owns_budget:
            project = record.project
            self.judging.ledger.close_budget(BudgetKey(project.organization_id, project.project_id, record.budget_id))
        self.places.store.end(record)


@dataclass(frozen=True, slots=True)
class _Asking:
    """One visit's view of a calibration's cases."""

    places: CalibrationPlaces
    judging: JudgingParts
    record: CalibrationRecord
    parameters: JudgeParameters
    cases: Sequence[LabelledCase]

    @property
    def judge_runs(self) -> JudgeExecution:
        """What the judge runs share: their run is the calibration."""
        record = self.record
        return JudgeExecution(
            run=Run(record.project.organization_id, record.project.project_id, record.calibration_id),
            scorer=ScoringVersion(record.scorer, record.version, record.digest, JUDGE),
            purpose="calibration",
            batch_id=record.calibration_id,
            budget_id=record.budget_id,
        )

    def collected(self, progress: CalibrationProgress, seconds_left: SecondsLeft) -> CalibrationProgress:
        """The progress after looking what became of the cases that were started."""
        writer = self.judge_runs.writer()
        for index in progress.pending:
            if seconds_left() < _SECONDS_A_CASE:
                break
            judge_run_id = writer.result_id(self.cases[index].identity)
            outcome = self.judging.reader.read(judge_run_id, self.parameters)
            if outcome is not None:
                self._keep(index, outcome)
                progress = _done(progress, index, outcome)
        return progress

    def started(self, progress: CalibrationProgress, in_flight: int, seconds_left: SecondsLeft) -> CalibrationProgress:
        """The progress after starting cases until *in_flight* of them run side by side."""
        judge_runs = self.judge_runs
        while progress.started < len(self.cases) and len(progress.pending) < in_flight:
            if seconds_left() < _SECONDS_A_CASE:
                break
            index = progress.started
            case = self.cases[index]
            begun = self.judging.launcher.start(judge_runs, case.identity, case.value)
            progress = replace(progress, started=index + 1, pending=(*progress.pending, index))
            if isinstance(begun, Grade):
                outcome = outcome_of_grade(begun)
                self._keep(index, outcome)
                progress = _done(progress, index, outcome)
        return progress

    def _keep(self, index: int, outcome: CaseOutcome) -> None:
        self.places.store.put_outcome(self.record, index, outcome.model_dump_json().encode())


def _done(progress: CalibrationProgress, index: int, outcome: CaseOutcome) -> CalibrationProgress:
    return replace(
        progress,
        pending=tuple(each for each in progress.pending if each != index),
        done=progress.done + 1,
        errors=progress.errors + (not outcome.is_judged),
        spent=progress.spent + outcome.cost,
    )


def _each(visits: Sequence[tuple[str, CalibrationTick]], make: Callable[[CalibrationTick], None]) -> dict[str, str]:
    failed: dict[str, str] = {}
    for message_id, visit in visits:
        try:
            make(visit)
        except Retryable as error:
            failed[message_id] = str(error)
        except Exception as error:  # noqa: BLE001  (its message may quote a case, and logs keep it)
            failed[message_id] = type(error).__name__
    return failed
