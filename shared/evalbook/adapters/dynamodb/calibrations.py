"""Calibrations on DynamoDB, in a partition a project of their own; what became of single cases expires."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from evalbook.adapters.dynamodb.items import project_pk, stamp_item, stamp_of
from evalbook.adapters.dynamodb.table import IF_NEW, Item, Table, key, number, text
from evalbook.domain.errors import StoreUnavailable
from evalbook.domain.records import Project
from evalbook.domain.versions import ScorerKey
from evalbook.jsonio.canonical import plain_json
from evalbook.jsonio.reader import read_json
from evalbook.services.calibration.ports import CalibrationProgress, CalibrationRecord, CalibrationStatus
from evalbook.services.judging.ports import BodyRef

_MAX_CASES: Final = 500
_OUTCOMES_OUTLAST: Final = timedelta(days=7)
_TEXTS: Final = (
    "scorer", "digest", "material_digest", "label_set_digest", "split", "budget_id", "deadline_at",
)  # fmt: skip
_OPTIONAL_TEXTS: Final = ("report", "rubric_digest", "guideline_digest", "finished_at", "code")
_NUMBERS: Final = ("version", "activations", "cases")
_REFS: Final = ("held", "rows")
_ENDS: Final = ("report", "finished_at", "code", "rows_ref")
_COUNTS: Final = ("visits", "started", "done", "errors", "spent")
_RUNNING: Final = text(CalibrationStatus.RUNNING.value)


class DynamoDbCalibrations:
    """A `CalibrationRuns`. Ids must sort by the time at which they were made."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def create(self, record: CalibrationRecord) -> None:
        """Store a new calibration, and where its id leads to."""
        pointer = {**key(_pk(record.project), f"ID#{record.calibration_id}"), "scorer": text(record.scorer)}
        puts = [("Put", {"Item": item, "ConditionExpression": IF_NEW}) for item in (_item(record), pointer)]
        if not self._table.transact(*puts):
            raise StoreUnavailable("the calibration's id is taken")

    def calibration(self, project: Project, calibration_id: str) -> CalibrationRecord | None:
        """The calibration, or None."""
        pointer = self._table.read(key(_pk(project), f"ID#{calibration_id}"))
        item = self._table.read(_key(project, pointer["scorer"]["S"], calibration_id)) if pointer else None
        return _record(project, item) if item else None

    def calibrations(self, scorer: ScorerKey, after: str, limit: int) -> Sequence[CalibrationRecord]:
        """Up to *limit* calibrations of a scorer, newest first, those that follow the id *after*."""
        project = Project(scorer.organization_id, scorer.project_id)
        prefix = _prefix(scorer.name)
        start = prefix + after if after else None
        found = self._table.query(_pk(project), prefix, start, limit, newest_first=True)
        return [_record(project, item) for item in found]

    def advance(self, record: CalibrationRecord, progress: CalibrationProgress) -> bool:
        """Store how far a running calibration is, if nobody else has since *record* was read."""
        values = {**_progress_values(progress), ":running": _RUNNING, ":before": number(record.progress.visits)}
        condition = "#state = :running AND visits = :before"
        return self._table.update(_key_of(record), f"SET {_PROGRESS_CHANGE}", condition, values)

    def end(self, record: CalibrationRecord) -> bool:
        """Store a calibration's end, if it runs still."""
        ended = {name: value for name, value in _optional(record).items() if name in _ENDS}
        change = ", ".join([_PROGRESS_CHANGE, "#state = :state", *(f"{name} = :{name}" for name in sorted(ended))])
        values = {
            **_progress_values(record.progress),
            ":running": _RUNNING,
            ":state": text(record.status.value),
            **{f":{name}": value for name, value in ended.items()},
        }
        return self._table.update(_key_of(record), f"SET {change}", "#state = :running", values)

    def put_outcome(self, record: CalibrationRecord, index: int, outcome: bytes) -> None:
        """Keep what became of a case under its number; the first one stays."""
        at = key(_pk(record.project), f"{_outcomes_prefix(record)}{index:03d}")
        expires = datetime.fromisoformat(record.deadline_at) + _OUTCOMES_OUTLAST
        self._table.put({**at, "content": {"B": outcome}, "expires_at": number(int(expires.timestamp()))})

    def outcomes(self, record: CalibrationRecord) -> Mapping[int, bytes]:
        """What became of the cases that are done, by number."""
        found = self._table.query(_pk(record.project), _outcomes_prefix(record), None, _MAX_CASES)
        return {int(item["sk"]["S"].rpartition("#")[2]): bytes(item["content"]["B"]) for item in found}


_PROGRESS_CHANGE: Final = ", ".join(f"{name} = :{name}" for name in (*_COUNTS, "pending", "seen_at"))


def _progress_values(progress: CalibrationProgress) -> Item:
    return {f":{name}": value for name, value in _progress_item(progress).items()}


def _progress_item(progress: CalibrationProgress) -> Item:
    counts = {name: number(getattr(progress, name)) for name in _COUNTS}
    return {**counts, "pending": text(plain_json(list(progress.pending)).decode()), "seen_at": text(progress.seen_at)}


def _progress(item: Item) -> CalibrationProgress:
    counts = {name: int(item[name]["N"]) for name in _COUNTS}
    pending = tuple(read_json(item["pending"]["S"].encode()))
    return CalibrationProgress(**counts, pending=pending, seen_at=item["seen_at"]["S"])


def _pk(project: Project) -> str:
    return f"CALIBRATIONS#{project_pk(project)}"


def _prefix(scorer: str) -> str:
    return f"RECORD#{scorer}#"


def _outcomes_prefix(record: CalibrationRecord) -> str:
    return f"OUTCOME#{record.calibration_id}#"


def _key(project: Project, scorer: str, calibration_id: str) -> Item:
    return key(_pk(project), _prefix(scorer) + calibration_id)


def _key_of(record: CalibrationRecord) -> Item:
    return _key(record.project, record.scorer, record.calibration_id)


def _item(record: CalibrationRecord) -> Item:
    return {
        **_key_of(record),
        **{name: text(getattr(record, name)) for name in _TEXTS},
        **{name: number(getattr(record, name)) for name in _NUMBERS},
        **_optional(record),
        **_progress_item(record.progress),
        **stamp_item(record.created),
        "state": text(record.status.value),
        "owns_budget": {"BOOL": record.owns_budget},
    }


def _optional(record: CalibrationRecord) -> Item:
    texts = {name: text(getattr(record, name)) for name in _OPTIONAL_TEXTS if getattr(record, name) is not None}
    refs: dict[str, BodyRef | None] = {name: getattr(record, name) for name in _REFS}
    places = {
        f"{name}_ref": {"M": {"key": text(ref.key), "sha256": text(ref.sha256)}} for name, ref in refs.items() if ref
    }
    return {**texts, **places}


def _record(project: Project, item: Item) -> CalibrationRecord:
    fields: dict[str, Any] = {
        **{name: item[name]["S"] for name in _TEXTS},
        **{name: item[name]["S"] for name in _OPTIONAL_TEXTS if name in item},
        **{name: int(item[name]["N"]) for name in _NUMBERS},
        **{name: _ref(item[f"{name}_ref"]["M"]) for name in _REFS if f"{name}_ref" in item},
    }
    return CalibrationRecord(
        project=project,
        calibration_id=str(item["sk"]["S"]).rpartition("#")[2],
        created=stamp_of(item),
        status=CalibrationStatus(item["state"]["S"]),
        owns_budget=item["owns_budget"]["BOOL"],
        progress=_progress(item),
        **fields,
    )


def _ref_item(ref: BodyRef) -> Item:
    return {"M": {"key": text(ref.key), "sha256": text(ref.sha256)}}


def _ref(attributes: Item) -> BodyRef:
    return BodyRef(attributes["key"]["S"], attributes["sha256"]["S"])
