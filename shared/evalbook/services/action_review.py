"""What whoever decides on a judge's activation is shown: what it changes, and what is known of the judge."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from evalbook.calibration.headline import headline
from evalbook.jsonvalue import Json
from evalbook.judges.changes import Change, Comparison, compare
from evalbook.registry.actions import Target
from evalbook.services.calibration_ports import CalibrationRecord, CalibrationStatus, CalibrationStore
from evalbook.services.registry_ports import ScorerStore
from evalbook.services.staleness import StalenessCheck, judge_of
from evalbook.strict_json import read_json

_AT_ONCE: Final = 10
_MOST_CALIBRATIONS: Final = 100


@dataclass(frozen=True, slots=True)
class Evidence:
    """The latest finished calibration of a judge's material.

    `conditions_changed` says what the version that is to become active does otherwise than the calibrated one.
    """

    record: CalibrationRecord
    stale: bool
    conditions_changed: tuple[Change, ...]
    headline: Mapping[str, Json] | None


@dataclass(frozen=True, slots=True)
class Review:
    """What the activation changes against the version that was active at the request, and what was measured.

    Without such a version every field of the judge is a change, from null.
    """

    comparison: Comparison
    evidence: Evidence | None


@dataclass(frozen=True, slots=True)
class Reviews:
    """Reads reviews together; *calibrations* is None where the deployment keeps none."""

    store: ScorerStore
    calibrations: CalibrationStore | None

    def of(self, target: Target) -> Review:
        """The review of what is to become active."""
        wanted = judge_of(self.store.version(target.scorer, target.version))
        before = None if target.previous is None else self.store.version(target.scorer, target.previous)
        latest = next(self._finished(target), None)
        if latest is None:
            return Review(compare(judge_of(before), wanted), None)
        calibrated = judge_of(self.store.version(target.scorer, latest.version))
        found = headline(read_json(latest.report.encode())) if latest.report else None
        stale = StalenessCheck(self.store).of(latest).stale
        evidence = Evidence(latest, stale, compare(calibrated, wanted).conditions, found)
        return Review(compare(judge_of(before), wanted), evidence)

    def _finished(self, target: Target) -> Iterator[CalibrationRecord]:
        """Yield the finished calibrations of the target's material, newest first, among the scorer's newest."""
        if self.calibrations is None:
            return
        after = ""
        for _ in range(0, _MOST_CALIBRATIONS, _AT_ONCE):
            found = self.calibrations.calibrations(target.scorer, after, _AT_ONCE)
            yield from (
                each
                for each in found
                if each.status is CalibrationStatus.FINISHED and each.material_digest == target.material_digest
            )
            if len(found) < _AT_ONCE:
                return
            after = found[-1].calibration_id
