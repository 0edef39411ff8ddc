"""What a calibration is asked for with."""

from collections.abc import Sequence
from dataclasses import dataclass

from evalbook.jsonio.values import Json


@dataclass(frozen=True, slots=True)
class LabelledCasesAt:
    """Where labelled cases lie in the bodies bucket: one object, a JSON array of *count* of them."""

    key: str
    sha256: str
    count: int


@dataclass(frozen=True, slots=True)
class CalibrationRequest:
    """A judge version, its labelled cases, and what pays.

    Of *budget_id*, a budget there is, and *budget_limit*, micro-dollars for a budget of its own, one is given.
    """

    scorer: str
    version: int
    cases: Sequence[Json] | LabelledCasesAt
    split: str
    guideline_digest: str | None = None
    budget_id: str | None = None
    budget_limit: int | None = None
