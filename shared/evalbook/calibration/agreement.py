"""Figures of a judge that sorts into categories or gives scores, against the human's."""

from collections.abc import Sequence
from math import fsum, sqrt

from evalbook.calibration.alpha import alpha_interval, alpha_nominal, alpha_ordinal
from evalbook.calibration.association import (
    bland_altman,
    bonett_wright,
    fisher_ci,
    kendall_tau_b,
    lin_ccc,
    pearson,
    spearman,
)
from evalbook.calibration.confusion import chance_corrected
from evalbook.calibration.figures import NO_PAIRS, Figure, Undefined, ratio
from evalbook.calibration.kappa import Kappa, Table, cohen_kappa, distance_weights, weighted_kappa
from evalbook.calibration.rates import wilson

MAX_LEVELS = 100
_NOT_ORDINAL = Undefined(f"not_ordinal: the scores are no whole numbers, or more than {MAX_LEVELS} different ones")


def table_of(pairs: Sequence[tuple[object, object]], labels: Sequence[object]) -> list[list[int]]:
    """Count (human, judge) *pairs* into a table: rows human, columns judge, both in the order of *labels*."""
    place = {label: at for at, label in enumerate(labels)}
    table = [[0] * len(labels) for _ in labels]
    for human, judge in pairs:
        table[place[human]][place[judge]] += 1
    return table


def categorical_figures(table: Table, categories: Sequence[str]) -> dict[str, object]:
    """Return the figures of a categorical judge: agreement, kappa, AC1, alpha, macro F1, recall and precision each.

    Balanced accuracy and macro F1 are means over the categories, those that the human never used left out of the first.
    """
    n = sum(map(sum, table))
    size = range(len(table))
    judged = [sum(row[j] for row in table) for j in size]
    recalls = [ratio(table[i][i], sum(table[i]), "no_human_label: no human used the category") for i in size]
    precisions = [ratio(table[j][j], judged[j], "no_judged_label: the judge never used the category") for j in size]
    f1s = [2 * table[i][i] / (sum(table[i]) + judged[i]) for i in size if sum(table[i]) + judged[i]]
    agreed = sum(table[i][i] for i in size)
    return {
        "agreement": ratio(agreed, n, NO_PAIRS.reason),
        "agreement_wilson95": wilson(agreed, n),
        **chance_corrected(table),
        "macro_f1": _mean(f1s),
        "balanced_accuracy": _mean([recall for recall in recalls if not isinstance(recall, Undefined)]),
        "per_category": {
            category: {"n_human": sum(table[i]), "n_judge": judged[i], "recall": recalls[i], "precision": precisions[i]}
            for i, category in enumerate(categories)
        },
    }


def scored_figures(human: Sequence[float], judge: Sequence[float], *, ordinal: bool) -> dict[str, object]:
    """Return the figures of a scored judge: errors, bias, correlations and alphas; weighted kappas if *ordinal*."""
    differences = [theirs - ours for ours, theirs in zip(human, judge, strict=True)]
    units = list(zip(human, judge, strict=True))
    return {
        **_errors(differences, ordinal=ordinal),
        **(_ordinal_kappas(units) if ordinal else _kappas(None)),
        **_correlations(human, judge),
        "krippendorff_alpha_nominal": alpha_nominal(units),
        "krippendorff_alpha_ordinal": alpha_ordinal(units),
        "krippendorff_alpha_interval": alpha_interval(units),
    }


def _errors(differences: Sequence[float], *, ordinal: bool) -> dict[str, object]:
    n = len(differences)
    exact = sum(difference == 0 for difference in differences)
    within = sum(abs(difference) <= 1 for difference in differences)
    return {
        "exact_agreement": ratio(exact, n, NO_PAIRS.reason),
        "exact_agreement_wilson95": wilson(exact, n),
        "within_1": ratio(within, n, NO_PAIRS.reason) if ordinal else _NOT_ORDINAL,
        "mae": ratio(fsum(map(abs, differences)), n, NO_PAIRS.reason),
        "rmse": sqrt(fsum(d * d for d in differences) / n) if n else NO_PAIRS,
        "bias_mean_judge_minus_human": ratio(fsum(differences), n, NO_PAIRS.reason),
        "bland_altman_limits_95": bland_altman(differences),
    }


def _ordinal_kappas(units: Sequence[tuple[float, float]]) -> dict[str, object]:
    levels = sorted({value for unit in units for value in unit})
    if not levels or len(levels) > MAX_LEVELS:
        return _kappas(None)
    table = table_of(units, levels)
    linear, quadratic = (weighted_kappa(table, distance_weights(levels, power)) for power in (1, 2))
    return _kappas((cohen_kappa(table), linear, quadratic))


def _kappas(kappas: tuple[Kappa, Kappa, Kappa] | None) -> dict[str, object]:
    names = ("kappa_unweighted", "kappa_linear", "kappa_quadratic")
    undefined = Kappa(_NOT_ORDINAL, _NOT_ORDINAL, _NOT_ORDINAL)
    figures: dict[str, object] = {}
    for name, kappa in zip(names, kappas or (undefined,) * 3, strict=True):
        figures |= {name: kappa.value, f"{name}_se": kappa.se, f"{name}_ci95": kappa.ci95}
    return figures


def _correlations(human: Sequence[float], judge: Sequence[float]) -> dict[str, object]:
    r, rho = pearson(human, judge), spearman(human, judge)
    return {
        "spearman": rho,
        "spearman_ci95": fisher_ci(rho, len(human), bonett_wright),
        "kendall_tau_b": kendall_tau_b(human, judge),
        "pearson": r,
        "pearson_fisher_ci95": fisher_ci(r, len(human)),
        "lin_ccc": lin_ccc(human, judge),
    }


def _mean(values: Sequence[float]) -> Figure:
    return ratio(fsum(values), len(values), NO_PAIRS.reason)
