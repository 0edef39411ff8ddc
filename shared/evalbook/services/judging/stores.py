"""Where the steps of a judge run find what the earlier ones have fixed, and how long they leave its calls alone."""

from dataclasses import dataclass
from typing import Final

from evalbook.services.judging.ports import BodyRef, JudgeRunBodies, JudgeRunRecords, RecordKind
from evalbook.services.judging.records import JudgeRunJob, JudgeRunPlan, StoredRef

OWNERSHIP_MARGIN_MS: Final = 90_000
"""For how long after the deadline a reservation is left alone: the last answer may just be coming in."""

SENT_MARGIN_MS: Final = 15_000
"""For how long after the deadline nobody takes a sent call over."""


@dataclass(frozen=True, slots=True)
class JudgeRunStores:
    """What every step reads and writes."""

    bodies: JudgeRunBodies
    records: JudgeRunRecords

    def job(self, ref: BodyRef) -> JudgeRunJob:
        """Return the case that the judge run is about. Raises what `JudgeRunBodies.read` raises."""
        return JudgeRunJob.model_validate_json(self.bodies.read(ref))

    def plan(self, judge_run_id: str) -> JudgeRunPlan | None:
        """Return how the case is judged, None until that is fixed. Raises what the stores raise."""
        kept = self.records.find(judge_run_id, RecordKind.PLAN)
        return None if kept is None else self.read_plan(kept)

    def read_plan(self, kept: bytes) -> JudgeRunPlan:
        """Return the plan that a record names."""
        return JudgeRunPlan.model_validate_json(self.bodies.read(StoredRef.model_validate_json(kept).ref))
