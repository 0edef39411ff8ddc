"""The report of a calibration that has ended: the figures, bound to everything that they are figures of."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from evalbook.calibration.cases import case_figures
from evalbook.calibration.report import calibrate
from evalbook.calibration.rows import CalibrationRow
from evalbook.domain.outcome import Code
from evalbook.jsonio.canonical import plain_json
from evalbook.jsonio.values import Json
from evalbook.judges.version import JudgeParameters, conditions
from evalbook.services.calibration.case_outcome import MISSING, CaseOutcome
from evalbook.services.calibration.labelled_cases import LabelledCase
from evalbook.services.calibration.ports import CalibrationRecord

MAX_REPORT_BYTES: Final = 350_000
"""An item of the registry's table holds 400 KB, the record's own members among them."""

_LARGE: Final = ("threshold_sweep", "undecided", "per_category", "binarised_pass", "confusion_matrix")
_DEADLINE: Final = "DEADLINE"


@dataclass(frozen=True, slots=True)
class CalibrationStudy:
    """All cases of a calibration and what became of those that were done, by number."""

    record: CalibrationRecord
    parameters: JudgeParameters
    cases: Sequence[LabelledCase]
    outcomes: Mapping[int, CaseOutcome]

    def outcome(self, index: int) -> CaseOutcome:
        """What became of a case; what has no result counts as an error."""
        return self.outcomes.get(index, MISSING)

    @property
    def every_outcome(self) -> list[CaseOutcome]:
        """What became of each case, in their order."""
        return [self.outcome(index) for index in range(len(self.cases))]

    @property
    def passing(self) -> tuple[float | None, tuple[str, ...]]:
        """The score from which a case passes, and the categories that pass."""
        threshold = self.parameters.pass_threshold
        return None if threshold is None else float(threshold), self.parameters.pass_categories or ()


def report_of(study: CalibrationStudy, finished_at: str) -> str:
    """The report as JSON text of at most 350,000 bytes: the figures and, under `calibration`, what they are bound to.

    Where it would be larger its largest parts are left out and named under `omitted`. Raises Refused where labels and
    decisions cannot be compared.
    """
    threshold, categories = study.passing
    declared = study.parameters.categories or ()
    report = calibrate(_rows(study), threshold=threshold, pass_categories=categories, categories=declared)
    report["calibration"] = _binding(study, finished_at)
    text = plain_json(report)
    for part in _LARGE:
        if len(text) <= MAX_REPORT_BYTES:
            break
        if report.pop(part, None) is not None:
            report["omitted"] = [*report.get("omitted", []), part]
        text = plain_json(report)
    return text.decode()


def rows_of(study: CalibrationStudy) -> bytes:
    """The report's rows as JSON text, one a case in their order; they name cases and labels, but quote no case."""
    threshold, categories = study.passing
    figures = case_figures(_rows(study), threshold=threshold, pass_categories=categories)
    return plain_json([_row(study, index, each) for index, each in enumerate(figures)])


def _rows(study: CalibrationStudy) -> list[CalibrationRow]:
    return [
        CalibrationRow(
            index=index,
            case_id=case.identity.case_id or "",
            human=case.human,
            outcome=outcome.outcome,
            label=outcome.label,
            score=outcome.score,
            repeats=tuple(outcome.repeats),
            adjudicated=case.adjudicated,
        )
        for index, (case, outcome) in enumerate(zip(study.cases, study.every_outcome, strict=True))
    ]


def _row(study: CalibrationStudy, index: int, figures: Mapping[str, Json]) -> Json:
    outcome, case = study.outcome(index), study.cases[index]
    labels = [{"labeller": labeller, "label": label} for labeller, label in case.labels if labeller]
    return {
        **figures,
        "outcome": outcome.outcome,
        "code": outcome.code,
        "score": outcome.score,
        "label": outcome.label,
        **({"labels": labels} if labels else {}),
    }


def _binding(study: CalibrationStudy, finished_at: str) -> dict[str, Json]:
    record, parameters = study.record, study.parameters
    served: list[Json] = sorted({name for each in study.outcomes.values() for name in each.served})
    return {
        "calibration_id": record.calibration_id,
        "scorer": record.scorer,
        "version": record.version,
        "version_digest": record.digest,
        "material_digest": record.material_digest,
        "rubric_digest": record.rubric_digest,
        "label_set_digest": record.label_set_digest,
        "split": record.split,
        "guideline_digest": record.guideline_digest,
        "aggregation": {
            "score_type": parameters.score_type,
            "repeat_count": parameters.repeat_count,
            "pass_threshold": parameters.pass_threshold,
            "pass_categories": list(parameters.pass_categories or ()),
        },
        "conditions": {**conditions(parameters), "served_models": served},
        "mixed_models": len(served) > 1,
        "started_at": record.created.at,
        "finished_at": finished_at,
        **_completeness(study),
    }


def _completeness(study: CalibrationStudy) -> dict[str, Json]:
    """How much of what was asked for the figures rest on."""
    outcomes = study.every_outcome
    codes = Counter(each.code or each.outcome for each in outcomes if not each.is_judged)
    reasons = {
        Code.BUDGET_EXHAUSTED.value: codes[Code.BUDGET_EXHAUSTED.value],
        _DEADLINE: len(study.cases) - len(study.outcomes),
    }
    missing = {reason: count for reason, count in reasons.items() if count}
    return {
        "cases": len(outcomes),
        "errors": sum(codes.values()),
        "errors_by_code": dict(sorted(codes.items())),
        "partial": bool(missing),
        "partial_reasons": missing,
        "spent_micro_dollars": sum(each.cost for each in outcomes),
    }
