"""Whether calibrations still speak for the judge that is active, and what has changed since (C-03)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial

from evalbook.domain.records import VersionRecord
from evalbook.domain.versions import JUDGE, ScorerKey
from evalbook.judges.changes import Comparison, JudgeChange, compare
from evalbook.judges.version import JudgeParameters, read_parameters
from evalbook.services.calibration.ports import CalibrationRecord
from evalbook.services.registry.ports import ScorerStore


@dataclass(frozen=True, slots=True)
class Staleness:
    """How a calibration stands against the version that became active after it was asked for.

    `active_version` is that version, None where none became active since. Where `stale`, `changes` name every field in
    which its material differs from the calibrated version's; `conditions_changed` name what else differs, and make
    nothing stale.
    """

    stale: bool = False
    active_version: int | None = None
    changes: tuple[JudgeChange, ...] = ()
    conditions_changed: tuple[JudgeChange, ...] = ()


@dataclass(frozen=True, slots=True)
class StalenessCheck:
    """Compares calibrations with what is active now."""

    store: ScorerStore

    def of(self, record: CalibrationRecord) -> Staleness:
        """How one calibration stands now."""
        return self.of_all(record.scorer_key, [record])[0]

    def of_all(self, key: ScorerKey, records: Sequence[CalibrationRecord]) -> list[Staleness]:
        """How calibrations of one scorer stand now, in their order; each version is read once."""
        scorer = self.store.scorer(key)
        if scorer is None or scorer.active is None:
            return [Staleness() for _ in records]
        version = cache(partial(self.store.version, key))
        return [
            _against(version(scorer.active), version(each.version), each.material_digest)
            if each.activations < scorer.activations
            else Staleness()
            for each in records
        ]


def judge_of(record: VersionRecord | None) -> JudgeParameters | None:
    """The judge that a version is, None where it is none."""
    if record is None or record.version.implementation != JUDGE:
        return None
    return read_parameters(record.version.parameters)


def _against(active: VersionRecord | None, calibrated: VersionRecord | None, measured: str) -> Staleness:
    assert active is not None  # its scorer names it, and versions stay
    differs = active.material_digest != measured
    if differs and active.version.implementation != JUDGE:
        changed = Comparison((JudgeChange("implementation", JUDGE, active.version.implementation),))
    else:
        changed = compare(judge_of(calibrated), judge_of(active))
    return Staleness(differs, active.version.number, changed.material if differs else (), changed.conditions)
