"""Asking for calibrations and looking at them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from evalbook.budgets.model import Admission, Budget, BudgetClosed, BudgetKey, refusal
from evalbook.domain.errors import Problem, Refused, StoreUnavailable, Unreadable
from evalbook.domain.limits import BATCH_DEPTH
from evalbook.domain.records import AuditStamp, Project, VersionRecord
from evalbook.domain.refusals import Declined, DeclineReason
from evalbook.domain.rfc3339 import rfc3339
from evalbook.domain.versions import JUDGE
from evalbook.jsonio.canonical import digest, plain_json
from evalbook.jsonio.reader import NotStrictJson, read_json
from evalbook.jsonio.stored import read_stored
from evalbook.jsonio.values import Json
from evalbook.judges.version import JudgeParameters, material, read_parameters
from evalbook.services.budgets.ledger import BudgetLedger
from evalbook.services.calibration.labelled_cases import LabelledCase, label_set_digest, read_labelled
from evalbook.services.calibration.ports import (
    CalibrationRecord,
    CalibrationRuns,
    CalibrationStatus,
    CalibrationTick,
    TickQueue,
)
from evalbook.services.calibration.request import CalibrationRequest, LabelledCasesAt
from evalbook.services.judging.ports import JudgeRunBodies
from evalbook.services.registry.ports import Clock, Page, ScorerStore
from evalbook.services.scoring.ports import Bodies

IN_FLIGHT: Final = 20
"""So many judge runs of a calibration run side by side at most, where a deployment says nothing else."""

MAX_LIMIT: Final = 1_000_000_000
_MARGIN: Final = timedelta(minutes=30)
_LONGEST: Final = timedelta(hours=20)  # labelled cases and judge runs' texts are kept for a day at least
_SILENCE: Final = timedelta(minutes=15)
_BUDGET_OUTLASTS: Final = timedelta(hours=1)
_NO_CASES: Final = "does not lead to labelled cases: no such object, another digest, or more than 8 MiB"


@dataclass(frozen=True, slots=True)
class CalibrationPlaces:
    """Where a calibration's parts are: its record, its labelled cases, its rows, cases by reference, its visits."""

    store: CalibrationRuns
    held: JudgeRunBodies
    rows: JudgeRunBodies
    bodies: Bodies
    queue: TickQueue


@dataclass(frozen=True, slots=True)
class Calibrations:
    """The calibrations of all projects; a budget of their own is at most *most* micro-dollars."""

    scorers: ScorerStore
    places: CalibrationPlaces
    ledger: BudgetLedger
    clock: Clock
    new_id: Callable[[], str]
    most: int = MAX_LIMIT
    in_flight: int = IN_FLIGHT

    def start(self, project: Project, asked: CalibrationRequest, by: str) -> CalibrationRecord:
        """Store a calibration and let the work on it begin.

        Raises:
            Declined: The version is not there or no judge's, or the budget is not there or closed.
            Refused: A labelled case cannot be used; carries every problem.
            StoreUnavailable: A store or the queue did not answer; nothing is asked.
        """
        chosen = self._chosen(project, asked)
        record = self._record(project, asked, chosen, AuditStamp(by, self.clock()))
        self.places.store.create(record)
        self._visit(record)
        return record

    def get(self, project: Project, calibration_id: str) -> CalibrationRecord:
        """The calibration; one that nobody has worked on for long is taken up again.

        Raises:
            Declined: CALIBRATION_NOT_FOUND.
        """
        found = self.places.store.calibration(project, calibration_id)
        if found is None:
            raise Declined(DeclineReason.CALIBRATION_NOT_FOUND, "The project has no such calibration.")
        seen = datetime.fromisoformat(found.progress.seen_at or found.created.at)
        silent = datetime.fromisoformat(self.clock()) - seen > _SILENCE
        if found.status is CalibrationStatus.RUNNING and silent:
            self._visit(found)
        return found

    def rows(self, record: CalibrationRecord) -> Json | None:
        """The report's rows, one a case; None where there are none or they are no longer kept."""
        if record.rows is None:
            return None
        try:
            return read_stored(self.places.rows.read(record.rows))
        except Unreadable:
            return None

    def list(self, project: Project, scorer: str, page: Page) -> Sequence[CalibrationRecord]:
        """A page of a scorer's calibrations, newest first.

        Raises:
            Declined: SCORER_NOT_FOUND.
        """
        self._activations(project, scorer)
        return self.places.store.calibrations(project.scorer(scorer), page.after, page.limit)

    def _record(
        self, project: Project, asked: CalibrationRequest, chosen: "_Chosen", created: AuditStamp
    ) -> CalibrationRecord:
        version, parameters, cases = chosen.version, chosen.parameters, chosen.cases
        calibration_id = self.new_id()
        deadline = datetime.fromisoformat(created.at) + self._longest(len(cases), parameters)
        return CalibrationRecord(
            project=project,
            calibration_id=calibration_id,
            scorer=asked.scorer,
            version=version.version.number,
            digest=version.version.digest,
            material_digest=version.material_digest or digest(dict(material(parameters))),
            label_set_digest=label_set_digest(cases),
            activations=self._activations(project, asked.scorer),
            created=created,
            status=CalibrationStatus.RUNNING,
            rubric_digest=parameters.rubric.digest if parameters.rubric else None,
            split=asked.split,
            guideline_digest=asked.guideline_digest,
            cases=len(cases),
            held=self.places.held.put(calibration_id, plain_json(chosen.entries)),
            budget_id=self._budget(project, asked, calibration_id, deadline),
            owns_budget=asked.budget_id is None,
            deadline_at=rfc3339(deadline),
        )

    def _chosen(self, project: Project, asked: CalibrationRequest) -> "_Chosen":
        version = self._version(project, asked.scorer, asked.version)
        parameters = read_parameters(version.version.parameters)
        entries = self._entries(asked)
        return _Chosen(version, parameters, entries, read_labelled(entries, parameters))

    def _visit(self, record: CalibrationRecord) -> None:
        self.places.queue.send(CalibrationTick(record.project, record.calibration_id, record.progress.visits), 0)

    def _longest(self, cases: int, parameters: JudgeParameters) -> timedelta:
        """For how long the cases can take where every judge takes all its time, and half an hour; at most 20 hours."""
        rounds = -(-cases // self.in_flight)
        return min(rounds * timedelta(milliseconds=parameters.time_limit_ms) + _MARGIN, _LONGEST)

    def _activations(self, project: Project, name: str) -> int:
        scorer = self.scorers.scorer(project.scorer(name))
        if scorer is None:
            raise Declined(DeclineReason.SCORER_NOT_FOUND, "The project has no scorer of this name.")
        return scorer.activations

    def _version(self, project: Project, name: str, number: int) -> VersionRecord:
        found = self.scorers.version(project.scorer(name), number)
        if found is None:
            self._activations(project, name)
            raise Declined(DeclineReason.VERSION_NOT_FOUND, "The scorer has no version of this number.")
        if found.version.implementation != JUDGE:
            raise Declined(DeclineReason.ONLY_FOR_JUDGES, "Only a judge's version is calibrated.")
        return found

    def _entries(self, asked: CalibrationRequest) -> Sequence[Json]:
        return self._referred(asked.cases) if isinstance(asked.cases, LabelledCasesAt) else asked.cases

    def _referred(self, ref: LabelledCasesAt) -> Sequence[Json]:
        """The entries that a reference leads to; what stands in its way is said in the same words, whatever it is."""
        try:
            text = self.places.bodies.read(ref.key, ref.sha256)
        except Unreadable:
            raise Refused([Problem("/cases_ref", _NO_CASES)]) from None
        try:
            entries = read_json(text, max_depth=BATCH_DEPTH)
        except NotStrictJson as error:
            raise Refused([Problem("/cases_ref", f"is no strict JSON: {error}")]) from None
        if not isinstance(entries, list) or len(entries) != ref.count:
            raise Refused([Problem("/cases_ref", "must lead to an array of as many entries as it counts")])
        return entries

    def _budget(self, project: Project, asked: CalibrationRequest, calibration_id: str, deadline: datetime) -> str:
        """The budget that pays: the one that is named, or a new one that outlasts the calibration."""
        if asked.budget_id is not None:
            self._check_budget(BudgetKey(project.organization_id, project.project_id, asked.budget_id))
            return asked.budget_id
        limit = asked.budget_limit or 0
        if limit > self.most:
            raise Refused([Problem("/budget_limit", f"must be at most {self.most} micro-dollars")])
        key = BudgetKey(project.organization_id, project.project_id, calibration_id)
        expires_at = int((deadline + _BUDGET_OUTLASTS).timestamp() * 1_000)
        if self.ledger.create_budget(Budget.opened(key, limit, "calibration", expires_at)) is None:
            raise StoreUnavailable("the calibration's id is taken")
        return calibration_id

    def _check_budget(self, key: BudgetKey) -> None:
        found = self.ledger.budget(key)
        if found is None:
            raise Declined(DeclineReason.BUDGET_NOT_FOUND, "The project has no such budget.")
        now = int(datetime.fromisoformat(self.clock()).timestamp() * 1_000)
        if isinstance(refusal(found, Admission(0, now)), BudgetClosed):
            raise Declined(DeclineReason.BUDGET_CLOSED, "The budget is closed or has expired.")


@dataclass(frozen=True, slots=True)
class _Chosen:
    """A judge version and the labelled cases that it is to be asked about, as they were sent and as they were read."""

    version: VersionRecord
    parameters: JudgeParameters
    entries: Sequence[Json]
    cases: Sequence[LabelledCase]
