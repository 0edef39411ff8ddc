"""Bodies of requests and answers about calibrations."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, StringConstraints, WithJsonSchema, model_validator

from evalbook.api.schemas.requests import MicroDollars
from evalbook.api.schemas.responses import Cursor, StampView
from evalbook.api.schemas.staleness import StalenessView
from evalbook.contracts.model import WHOLE, AnyObject, ClosedWire, Id, Name, Ordinal, Sha256, Wire, exactly_one_of
from evalbook.services.calibration.request import CalibrationRequest, LabelledCasesAt

MAX_CASES = 500

_LABEL: dict[str, Any] = {
    "anyOf": [{"type": "string", "minLength": 1, "maxLength": 256}, {"type": "number"}, {"type": "boolean"}]
}
_NAMED_LABEL = {
    "type": "object",
    "required": ["labeller", "label"],
    "additionalProperties": False,
    "properties": {"labeller": {"type": "string", "minLength": 1, "maxLength": 128}, "label": _LABEL},
}
_LABELLED_CASE = {
    "type": "object",
    "required": ["case", "human"],
    "additionalProperties": False,
    "properties": {
        "case": {"type": "object", "description": "A case, as in a score batch."},
        "human": {"anyOf": [_LABEL, {"type": "array", "items": _NAMED_LABEL, "minItems": 1, "maxItems": 20}]},
        "adjudicated": _LABEL,
    },
}
AnyLabelledCase = Annotated[Any, WithJsonSchema(_LABELLED_CASE)]
"""A case with the labels that humans gave it; read, and refused with its own words, further inside."""

Split = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]
"""The name of the part of the data set that the cases are of, such as dev or test."""


class JudgeVersionBody(ClosedWire):
    """A stored judge version."""

    name: Name
    version: Ordinal


class LabelledCasesRef(ClosedWire):
    """Labelled cases held in the bodies bucket: one object, a JSON array of `count` of them."""

    key: Annotated[str, StringConstraints(min_length=1, max_length=1024)]
    sha256: Sha256
    count: Annotated[int, Field(ge=1, le=MAX_CASES), WHOLE]


class NewCalibrationBody(ClosedWire):
    """A judge version, labelled cases inline or by reference, and what pays: a budget there is, or one of its own."""

    model_config = ConfigDict(json_schema_extra=exactly_one_of(("cases", "cases_ref"), ("budget_id", "budget_limit")))

    scorer: JudgeVersionBody
    cases: Annotated[list[AnyLabelledCase], Field(min_length=1, max_length=MAX_CASES)] | None = None
    cases_ref: LabelledCasesRef | None = None
    split: Split
    guideline_digest: Sha256 | None = Field(None, description="Of the guideline that the labellers followed.")
    budget_id: Id | None = None
    budget_limit: MicroDollars | None = Field(None, description="In micro-dollars.")

    @model_validator(mode="after")
    def _each_once(self) -> "NewCalibrationBody":
        if (self.cases is None) == (self.cases_ref is None):
            raise ValueError("exactly one of cases and cases_ref is required")
        if (self.budget_id is None) == (self.budget_limit is None):
            raise ValueError("exactly one of budget_id and budget_limit is required")
        return self

    def asked(self) -> CalibrationRequest:
        """Return the request that the body makes."""
        ref = self.cases_ref
        cases = LabelledCasesAt(ref.key, ref.sha256, ref.count) if ref else self.cases or ()
        return CalibrationRequest(
            self.scorer.name,
            self.scorer.version,
            cases,
            self.split,
            self.guideline_digest,
            self.budget_id,
            self.budget_limit,
        )


class CalibrationProgressView(Wire):
    """How far a calibration is; `errors` counts cases without judgement."""

    cases: int
    done: int
    errors: int
    spent_micro_dollars: int


class CalibrationView(Wire):
    """A calibration of one judge version."""

    calibration_id: str
    scorer: Name
    version: Ordinal
    digest: Sha256
    material_digest: Sha256
    rubric_digest: Sha256 | None
    label_set_digest: Sha256
    split: str
    guideline_digest: Sha256 | None
    budget_id: str
    status: Literal["running", "finished", "failed"]
    code: str | None = Field(description="Why it failed.")
    progress: CalibrationProgressView
    stale: bool
    changed_fields: list[str] = Field(description="The fields of the judge's material that changed since.")
    created: StampView
    deadline_at: str
    finished_at: str | None


class CalibrationReportView(CalibrationView):
    """A calibration with its report; `rows` only for a caller with `dataset.read_body`, as long as they are kept."""

    staleness: StalenessView
    report: AnyObject | None = Field(description="See docs/calibration.md; null until the calibration is finished.")
    rows: list[AnyObject] | None = None


class CalibrationsView(Wire):
    """A page of a scorer's calibrations, newest first."""

    items: list[CalibrationView]
    next_cursor: Cursor
