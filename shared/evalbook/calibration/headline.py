"""The few figures of a calibration report that a decision on a judge starts from."""

from collections.abc import Mapping
from typing import Final

from evalbook.jsonio.values import Json

_STATUS: Final = ("kind", "status", "status_reason", "n", "n_decided")
_FIGURES: Final = ("tpr", "tpr_wilson95", "tnr", "tnr_wilson95", "agreement", "cohen_kappa", "cohen_kappa_ci95")
_OF_SCORES: Final = ("kappa_quadratic", "kappa_quadratic_ci95")


def headline(report: Mapping[str, Json]) -> dict[str, Json]:
    """Pick kind, status, counts, TPR, TNR, agreement, kappa and the corrected pass rate, null where there is none.

    `partial` says whether cases are missing, in the report of a calibration that was run.

    Judges of scores and categories have the first four rates by their pass/fail view.
    """
    verdicts = report if "tpr" in report else _object(report, "binarised_pass")
    corrected = _object(report, "corrected_pass_rate")
    return {
        **{name: report.get(name) for name in (*_STATUS, *_OF_SCORES)},
        "partial": _object(report, "calibration").get("partial"),
        **{name: verdicts.get(name) for name in _FIGURES},
        "corrected_pass_rate": corrected.get("corrected"),
        "corrected_pass_rate_usable": corrected.get("usable"),
    }


def _object(report: Mapping[str, Json], name: str) -> Mapping[str, Json]:
    found = report.get(name)
    return found if isinstance(found, Mapping) else {}
