"""What calibrations need from the outside."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from evalbook.registry.records import Project, Stamp
from evalbook.versions import ScorerKey


class CalibrationStatus(StrEnum):
    """Where a calibration stands."""

    RUNNING = "running"
    FINISHED = "finished"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class CalibrationRecord:
    """A calibration of one judge version; only its status and its report change, once.

    `activations` says how many activations the scorer had when the calibration was asked for: what was activated under
    a higher number came later. `report` is JSON text, None until the calibration is finished.
    """

    project: Project
    calibration_id: str
    scorer: str
    version: int
    digest: str
    material_digest: str
    label_set_digest: str
    activations: int
    created: Stamp
    status: CalibrationStatus
    report: str | None = None

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
