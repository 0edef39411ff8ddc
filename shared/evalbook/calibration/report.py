"""The calibration report: every figure that labelled cases allow, as JSON of one documented shape."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from evalbook.calibration.abstention import abstention_figures, confusion_of, coverage_figures, undecided_figures
from evalbook.calibration.agreement import categorical_figures, scored_figures, table_of
from evalbook.calibration.alpha import alpha_interval, alpha_nominal, alpha_ordinal
from evalbook.calibration.confusion import Confusion, pass_fail_figures
from evalbook.calibration.correction import ENOUGH, JudgeErrors, PassCount, correction_usable, rogan_gladen
from evalbook.calibration.doors import check_doors
from evalbook.calibration.figures import Undefined, as_json
from evalbook.calibration.kappa import Table, ac1_value, alpha_of_table, kappa_value
from evalbook.calibration.pairing import Pair, Study, study_of
from evalbook.calibration.repeats import figures_by_repeat, stability_figures
from evalbook.calibration.resampling import bootstrap, resamples_for, seed_of, uniforms
from evalbook.calibration.rows import CalibrationRow
from evalbook.calibration.stability import pairwise_agreement
from evalbook.calibration.terms import JudgementKind, Passing
from evalbook.calibration.thresholds import roc_auc, threshold_sweep
from evalbook.jsonio.values import Json

_MAX_SHOWN = 30
_NO_RUN = Undefined("no_unlabelled: no decided case is without a human label, so there is no run to correct")
_ASSUMES = "the judge errs in this run as often as on the labelled cases, in each class"


def calibrate(
    rows: Sequence[CalibrationRow],
    *,
    threshold: float | None = None,
    pass_categories: Iterable[str] = (),
    categories: Iterable[str] = (),
) -> dict[str, Json]:
    """Return the report of *rows*; where scores pass from *threshold* on, and categories if in *pass_categories*.

    *categories* are those that the judge has, where that is known. Every undefined figure is null beside
    `<name>_reason`. Without human labels only stability is computed. Raises Refused where labels and decisions cannot
    be compared, or the comparison would be about nothing.
    """
    pass_categories = tuple(pass_categories)
    check_doors(rows, threshold, pass_categories, categories)
    passing = Passing(threshold, frozenset(pass_categories))
    study = study_of(rows, passing)
    report: dict[str, object] = {
        "kind": study.terms.kind.value,
        **_status(study),
        "n": len(study.pairs),
        "n_decided": sum(pair.undecided is None for pair in study.pairs),
        "n_rows": len(rows),
        "n_without_human": sum(not row.human for row in rows),
        "n_human_ties": study.ties,
        "pass_threshold": threshold,
        "pass_categories": sorted(passing.categories),
    }
    if study.terms.kind is not JudgementKind.STABILITY:
        report |= _compared(study)
        report["human_agreement"] = _human_agreement(rows)
        report["by_repeat"] = figures_by_repeat(study)
    report["stability"] = stability_figures(rows, threshold)
    return as_json(report)


def _compared(study: Study) -> dict[str, object]:
    own, verdicts = _own_terms(study), study.verdicts
    if study.terms.kind is not JudgementKind.BINARY:
        binarised = verdicts if isinstance(verdicts, Undefined) else _verdict_figures(verdicts)
        own |= {**coverage_figures(study.pairs), "binarised_pass": binarised}
    own |= {"undecided": undecided_figures(study.pairs)}
    if isinstance(verdicts, Undefined):
        missing = ("abstention", "corrected_pass_rate", "roc_auc", "threshold_sweep")
        return own | dict.fromkeys(missing, verdicts)
    counts = confusion_of(verdicts)
    own |= {
        "abstention": abstention_figures(verdicts, counts),
        "corrected_pass_rate": _corrected(study.unlabelled, counts),
    }
    scored = study.scored_verdicts
    sweep = scored if isinstance(scored, Undefined) else threshold_sweep(scored)
    return own | {"roc_auc": scored if isinstance(scored, Undefined) else roc_auc(scored), "threshold_sweep": sweep}


def _own_terms(study: Study) -> dict[str, object]:
    if study.terms.kind is JudgementKind.BINARY and not isinstance(study.verdicts, Undefined):
        return _verdict_figures(study.verdicts)
    decided = [(pair.human, pair.judge) for pair in study.pairs if pair.judge is not None]
    if study.terms.kind is JudgementKind.CATEGORICAL:
        categories = sorted({str(label) for pair in decided for label in pair})
        table = table_of(decided, categories)
        figures = categorical_figures(table, categories)
        every = sorted({*categories, *(str(pair.human) for pair in study.pairs)})
        matrix = _matrix(every, table_of(decided, every))
        return figures | {"confusion_matrix": matrix, "bootstrap": _bootstrap(table)}
    human = [float(label) for label, _ in decided]
    judge = [float(label) for _, label in decided]
    is_ordinal = study.terms.kind is JudgementKind.ORDINAL
    figures = scored_figures(human, judge, ordinal=is_ordinal)
    levels = sorted({*human, *judge})
    if is_ordinal and len(levels) <= _MAX_SHOWN:
        figures["confusion_matrix"] = _matrix(levels, table_of(decided, levels))
    return figures


def _verdict_figures(verdicts: Sequence[Pair]) -> dict[str, object]:
    counts = confusion_of(verdicts)
    return {
        **pass_fail_figures(counts),
        "confusion_matrix": {**counts.cells, **_matrix(("pass", "fail"), counts.table)},
        "bootstrap": _bootstrap(counts.table),
    }


def _matrix(labels: Sequence[object], table: Table) -> dict[str, object]:
    return {"labels": list(labels), "rows_human": [list(row) for row in table]}


def _bootstrap(table: Table) -> dict[str, object]:
    statistics = {"cohen_kappa": kappa_value, "gwet_ac1": ac1_value, "krippendorff_alpha_nominal": alpha_of_table}
    seed, resamples = seed_of(table), resamples_for(sum(map(sum, table)))
    drawn = bootstrap(table, statistics, uniform=uniforms(seed).__next__, resamples=resamples)
    return {
        "seed": seed,
        "resamples": resamples,
        "defined": drawn.defined,
        **{f"{name}_bootstrap95": interval for name, interval in drawn.intervals.items()},
    }


def _corrected(unlabelled: Sequence[bool], counts: Confusion) -> dict[str, object] | Undefined:
    """Return the pass rate of the run without labels; of labelled cases it would only give back the humans' own."""
    if not unlabelled:
        return _NO_RUN
    run_count = PassCount(sum(unlabelled), len(unlabelled))
    errors = JudgeErrors(counts.tp, counts.n_human_pass, counts.tn, counts.n_human_fail)
    corrected = rogan_gladen(run_count, errors)
    interval = corrected.interval
    low, high = (interval, interval) if isinstance(interval, Undefined) else interval
    return {
        "judge_pass": run_count.judge_pass,
        "n": run_count.n,
        "raw": run_count.judge_pass / run_count.n,
        "corrected": corrected.value,
        "unclipped": corrected.unclipped,
        "low": low,
        "high": high,
        "usable": correction_usable(errors),
        "assumes": _ASSUMES,
    }


def _status(study: Study) -> dict[str, object]:
    counts = _class_counts(study)
    short = [f"{n} of class {label}" for label, n in counts.items() if n < ENOUGH]
    status: dict[str, object] = {"status": "insufficient" if short or not counts else "sufficient"}
    if status["status"] == "insufficient":
        status["status_reason"] = f"{', '.join(short) or 'no decided case'}; {ENOUGH} of each class are needed"
    return status | {"n_by_class": counts}


def _class_counts(study: Study) -> Mapping[str, int]:
    """Return the decided cases of each human class; one that the judge never decided is there with 0."""
    decided = Counter(_class_of(pair) for pair in study.pairs if pair.judge is not None)
    by_label = {label: decided[label] for label in sorted({_class_of(pair) for pair in study.pairs})}
    if isinstance(study.verdicts, Undefined):
        return by_label
    counted = confusion_of(study.verdicts)
    never = {label: n for label, n in by_label.items() if not n and label != "scored"}
    return never | {"pass": counted.n_human_pass, "fail": counted.n_human_fail}


def _class_of(pair: Pair) -> str:
    return pair.human if isinstance(pair.human, str) else "scored"


def _human_agreement(rows: Sequence[CalibrationRow]) -> dict[str, object] | Undefined:
    units = [row.human for row in rows if len(row.human) > 1]
    if not units:
        return Undefined("one_human: no case has labels of several humans")
    figures: dict[str, object] = {
        "n_cases": len(units),
        "mean_pairwise_agreement": sum(map(pairwise_agreement, units)) / len(units),
        "krippendorff_alpha_nominal": alpha_nominal(units),
    }
    scores = [[label for label in unit if not isinstance(label, str)] for unit in units]
    if any(scores):
        figures |= {
            "krippendorff_alpha_ordinal": alpha_ordinal(scores),
            "krippendorff_alpha_interval": alpha_interval(scores),
        }
    return figures
