"""Changes of judges and the staleness of calibrations as the JSON that answers hold."""

from collections.abc import Iterable

from evalbook.jsonio.values import Json
from evalbook.judges.changes import Change
from evalbook.services.calibration.staleness import Staleness


def changes(found: Iterable[Change]) -> list[Json]:
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
