"""The demo's last step: a judge is measured against a person's labels, over the HTTP API and through the judge run."""

import time
from typing import Final

from devstack.clients.authors import JudgeAuthors
from devstack.demo.data import JsonObject
from devstack.standins.gateway_catalog import RECORDED_MODEL
from devstack.standins.gateway_recorded import labelled_outputs

_SCORER: Final = "coding-judge"
_FIELD: Final = "coding"
_RUBRIC: Final = "quick"
_LIMIT: Final = 20_000_000
_PARAMETERS: Final = {
    "model": f"recorded-{_RUBRIC}::{RECORDED_MODEL}",
    "prompt_template": "Does this answer do what a good programmer would do?\n\n{{output}}",
    "score_type": "binary",
    "repeat_count": 3,
}


def print_calibrated(authors: JudgeAuthors) -> bool:
    """Calibrate the judge and print what it is worth; whether a report came of it."""
    cases = [
        {"case": {"case_id": case_id, "output": output}, "human": label}
        for case_id, output, label in labelled_outputs(_FIELD)
    ]
    started = time.monotonic()
    found = authors.calibrate(_SCORER, authors.create(_SCORER, dict(_PARAMETERS)), cases, _LIMIT)
    report = found["report"]
    if report is None:
        print(f"\nThe calibration of {_SCORER} failed: {found['code']}.")
        return False
    seconds = time.monotonic() - started
    print(f"\nCalibration of {_SCORER}: {len(cases)} cases with a person's label, 3 repeats each, {seconds:.1f} s")
    print("\n".join(headline(report)), flush=True)
    return True


def headline(report: JsonObject) -> list[str]:
    """Give the lines that say what a judge is worth."""
    counts = report["confusion_matrix"]
    good, bad = counts["tp"] + counts["fn"], counts["tn"] + counts["fp"]
    return [
        f"  TPR {_rate(report, 'tpr')} of {good} good ones, TNR {_rate(report, 'tnr')} of {bad} bad ones",
        f"  Cohen's kappa {_interval(report['cohen_kappa'], report['cohen_kappa_ci95'])}",
        f"  pass rate {report['judge_pass_rate']:.3f} by the judge, {report['human_pass_rate']:.3f} by people",
        f"  {report['status']}: {good} and {bad} labels",
    ]


def _rate(report: JsonObject, name: str) -> str:
    return _interval(report[name], report[f"{name}_wilson95"])


def _interval(value: float, bounds: tuple[float, float]) -> str:
    return f"{value:.3f} [{bounds[0]:.3f}, {bounds[1]:.3f}]"
