"""What calibrations need from the outside."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from evalbook.domain.records import AuditStamp, Project
from evalbook.domain.versions import ScorerKey
from evalbook.services.judging.ports import BodyRef


class CalibrationStatus(StrEnum):
    """Where a calibration stands."""

    RUNNING = "running"
    FINISHED = "finished"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class CalibrationProgress:
    """How far a calibration is.

    `visits` counts the times that somebody worked on it. The cases before number `started` have been started; those in
    `pending` have no result yet. `errors` counts cases without judgement, `spent` is in micro-dollars.
    """

    visits: int = 0
    started: int = 0
    pending: tuple[int, ...] = ()
    done: int = 0
    errors: int = 0
    spent: int = 0
    seen_at: str = ""


@dataclass(frozen=True, slots=True)
class CalibrationRecord:
    """A calibration of one judge version; its progress changes while it runs, its status and its report once.

    `activations` says how many activations the scorer had when the calibration was asked for: what was activated under
    a higher number came later. `report` is JSON text, None until the calibration is finished; `code` says why it
    failed. `held` is where the labelled cases are, `rows` where the report's rows are, both for some time only.
    """

    project: Project
    calibration_id: str
    scorer: str
    version: int
    digest: str
    material_digest: str
    label_set_digest: str
    activations: int
    created: AuditStamp
    status: CalibrationStatus
    report: str | None = None
    rubric_digest: str | None = None
    split: str = ""
    guideline_digest: str | None = None
    cases: int = 0
    held: BodyRef | None = None
    budget_id: str = ""
    owns_budget: bool = False
    deadline_at: str = ""
    progress: CalibrationProgress = CalibrationProgress()
    finished_at: str | None = None
    code: str | None = None
    rows: BodyRef | None = None

    @property
    def scorer_key(self) -> ScorerKey:
        """The scorer that is calibrated."""
        return self.project.scorer(self.scorer)


class CalibrationStore(Protocol):
    """Where calibrations are kept. Every method raises StoreUnavailable when the store does not answer."""

    def calibration(self, project: Project, calibration_id: str) -> CalibrationRecord | None:
        """The calibration, or None."""

    def calibrations(self, scorer: ScorerKey, after: str, limit: int) -> Sequence[CalibrationRecord]:
        """Up to *limit* calibrations of a scorer, newest first, those that follow the id *after*."""


class CalibrationRuns(CalibrationStore, Protocol):
    """The same place for those who run calibrations."""

    def create(self, record: CalibrationRecord) -> None:
        """Store a new calibration."""

    def advance(self, record: CalibrationRecord, progress: CalibrationProgress) -> bool:
        """Store how far a running calibration is, if nobody else has since *record* was read; whether it was stored."""

    def end(self, record: CalibrationRecord) -> bool:
        """Store a calibration's end (status, code, progress, report, rows), if it runs still; whether it did."""

    def put_outcome(self, record: CalibrationRecord, index: int, outcome: bytes) -> None:
        """Keep what became of a case (JSON text) under its number; the first one stays."""

    def outcomes(self, record: CalibrationRecord) -> Mapping[int, bytes]:
        """What became of the cases that are done, by number."""


@dataclass(frozen=True, slots=True)
class CalibrationTick:
    """A message: somebody shall work on a calibration that was worked on `visit` times before."""

    project: Project
    calibration_id: str
    visit: int


class TickQueue(Protocol):
    """Delivers visits some time later, each at least once."""

    def send(self, visit: CalibrationTick, delay_seconds: int) -> None:
        """Send one.

        Raises:
            StoreUnavailable: The queue did not take it.
        """
