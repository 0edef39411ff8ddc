"""What whoever decides on a judge's activation is shown: what it changes, and what is known of the judge."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from evalbook.calibration.headline import headline
from evalbook.domain.records import Project
from evalbook.jsonio.stored import read_stored
from evalbook.jsonio.values import Json
from evalbook.judges.changes import Comparison, JudgeChange, compare, text_diff
from evalbook.judges.rubric import read_rubric
from evalbook.judges.version import JudgeParameters
from evalbook.services.calibration.ports import CalibrationRecord, CalibrationStatus, CalibrationStore
from evalbook.services.calibration.staleness import StalenessCheck, judge_of
from evalbook.services.governance.actions import Target
from evalbook.services.registry.ports import RubricStore, ScorerStore

_RUBRIC: Final = "rubric_digest"
_AT_ONCE: Final = 10
_MAX_CALIBRATIONS: Final = 100


@dataclass(frozen=True, slots=True)
class CalibrationEvidence:
    """The latest finished calibration of a judge's material.

    `conditions_changed` says what the version that is to become active does otherwise than the calibrated one.
    """

    record: CalibrationRecord
    stale: bool
    conditions_changed: tuple[JudgeChange, ...]
    headline: Mapping[str, Json] | None


@dataclass(frozen=True, slots=True)
class Review:
    """What the activation changes against the version that was active at the request, and what was measured.

    Without such a version every field of the judge is a change, from null.
    """

    comparison: Comparison
    evidence: CalibrationEvidence | None


@dataclass(frozen=True, slots=True)
class Reviews:
    """Reads reviews together; *calibrations* is None where the deployment keeps none."""

    store: ScorerStore
    rubrics: RubricStore
    calibrations: CalibrationStore | None

    def of(self, target: Target) -> Review:
        """The review of what is to become active."""
        wanted = judge_of(self.store.version(target.scorer, target.version))
        before = None if target.previous is None else self.store.version(target.scorer, target.previous)
        return Review(self._compared(target, judge_of(before), wanted), self._evidence(target, wanted))

    def _compared(self, target: Target, before: JudgeParameters | None, wanted: JudgeParameters | None) -> Comparison:
        """What differs; a rubric of another digest is shown as a diff of what judges read."""
        found = compare(before, wanted)
        if not any(change.field == _RUBRIC for change in found.material):
            return found
        diff = text_diff(self._rubric_text(target, before), self._rubric_text(target, wanted))
        return replace(
            found,
            material=tuple(replace(each, diff=diff) if each.field == _RUBRIC else each for each in found.material),
        )

    def _rubric_text(self, target: Target, judge: JudgeParameters | None) -> str:
        named = judge.rubric if judge else None
        if named is None:
            return ""
        project = Project(target.scorer.organization_id, target.scorer.project_id)
        stored = self.rubrics.rubric_version(project, named.name, named.version)
        return read_rubric(read_stored(stored.content)).text() if stored else ""

    def _evidence(self, target: Target, wanted: JudgeParameters | None) -> CalibrationEvidence | None:
        latest = next(self._finished(target), None)
        if latest is None:
            return None
        calibrated = judge_of(self.store.version(target.scorer, latest.version))
        found = headline(read_stored(latest.report)) if latest.report else None
        stale = StalenessCheck(self.store).of(latest).stale
        return CalibrationEvidence(latest, stale, compare(calibrated, wanted).conditions, found)

    def _finished(self, target: Target) -> Iterator[CalibrationRecord]:
        """Yield the finished calibrations of the target's material, newest first, among the scorer's newest."""
        if self.calibrations is None:
            return
        after = ""
        for _ in range(0, _MAX_CALIBRATIONS, _AT_ONCE):
            found = self.calibrations.calibrations(target.scorer, after, _AT_ONCE)
            yield from (
                each
                for each in found
                if each.status is CalibrationStatus.FINISHED and each.material_digest == target.material_digest
            )
            if len(found) < _AT_ONCE:
                return
            after = found[-1].calibration_id
