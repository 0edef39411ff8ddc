"""Calibrations, and what has changed since, as the JSON that answers hold."""

from collections.abc import Iterable

from evalbook.api.views.registry import stamp
from evalbook.jsonio.stored import read_stored
from evalbook.jsonio.values import Json
from evalbook.judges.changes import JudgeChange
from evalbook.services.calibration.ports import CalibrationRecord
from evalbook.services.calibration.staleness import Staleness


def calibration(record: CalibrationRecord, standing: Staleness) -> dict[str, Json]:
    """A calibration without its report."""
    progress = record.progress
    return {
        "calibration_id": record.calibration_id,
        "scorer": record.scorer,
        "version": record.version,
        "digest": record.digest,
        "material_digest": record.material_digest,
        "rubric_digest": record.rubric_digest,
        "label_set_digest": record.label_set_digest,
        "split": record.split,
        "guideline_digest": record.guideline_digest,
        "budget_id": record.budget_id,
        "status": record.status.value,
        "code": record.code,
        "progress": {
            "cases": record.cases,
            "done": progress.done,
            "errors": progress.errors,
            "spent_micro_dollars": progress.spent,
        },
        "stale": standing.stale,
        "changed_fields": [each.field for each in standing.changes],
        "created": stamp(record.created),
        "deadline_at": record.deadline_at,
        "finished_at": record.finished_at,
    }


def with_report(record: CalibrationRecord, standing: Staleness) -> dict[str, Json]:
    """A calibration with its report and with all that has changed since."""
    report = None if record.report is None else read_stored(record.report)
    return {**calibration(record, standing), "staleness": staleness(standing), "report": report}


def changes(found: Iterable[JudgeChange]) -> list[Json]:
    """Changes of fields."""
    return [{"field": each.field, "old": each.old, "new": each.new, "diff": each.diff} for each in found]


def staleness(found: Staleness) -> Json:
    """How a calibration stands."""
    return {
        "stale": found.stale,
        "active_version": found.active_version,
        "changes": changes(found.changes),
        "conditions_changed": changes(found.conditions_changed),
    }
