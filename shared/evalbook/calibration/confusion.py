"""Figures of a judge's pass and fail against the human's: the confusion matrix and what follows from it."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt

from evalbook.calibration.figures import Figure, Undefined, ratio
from evalbook.calibration.kappa import Table, alpha_of_table, cohen_kappa, gwet_ac1
from evalbook.calibration.rates import mcnemar_exact, wilson

_NO_POSITIVE = "no_human_pass: no decided case has the human label pass"
_NO_NEGATIVE = "no_human_fail: no decided case has the human label fail"
_NO_DECISION = "no_pairs: no case has both a human label and a decision of the judge"


@dataclass(frozen=True, slots=True)
class Confusion:
    """Counts of decided cases; positive is a human pass, so `fp` are false passes."""

    tp: int
    fn: int
    fp: int
    tn: int

    @property
    def n(self) -> int:
        """How many cases are decided."""
        return self.tp + self.fn + self.fp + self.tn

    @property
    def n_human_pass(self) -> int:
        """How many of them the human passes."""
        return self.tp + self.fn

    @property
    def n_human_fail(self) -> int:
        """How many of them the human fails."""
        return self.fp + self.tn

    @property
    def table(self) -> Table:
        """The counts as a table: rows human, columns judge, pass before fail."""
        return (self.tp, self.fn), (self.fp, self.tn)

    @property
    def cells(self) -> dict[str, int]:
        """The counts by name."""
        return {"tp": self.tp, "fn": self.fn, "fp": self.fp, "tn": self.tn}

    @classmethod
    def of(cls, pairs: Iterable[tuple[bool, bool]]) -> "Confusion":
        """Count (human passes, judge passes)."""
        counts = {(True, True): 0, (True, False): 0, (False, True): 0, (False, False): 0}
        for pair in pairs:
            counts[pair] += 1
        return cls(*counts.values())


def true_positive_rate(counts: Confusion) -> Figure:
    """Return tp / (tp + fn), the share of human passes that the judge passes (sensitivity, recall)."""
    return ratio(counts.tp, counts.n_human_pass, _NO_POSITIVE)


def true_negative_rate(counts: Confusion) -> Figure:
    """Return tn / (tn + fp), the share of human fails that the judge fails (specificity)."""
    return ratio(counts.tn, counts.n_human_fail, _NO_NEGATIVE)


def youden_j(counts: Confusion) -> Figure:
    """Return TPR + TNR - 1, 0 for a judge that guesses. Youden, Cancer 3 (1950). Undefined where a class is absent."""
    tpr, tnr = true_positive_rate(counts), true_negative_rate(counts)
    if isinstance(tpr, Undefined):
        return tpr
    return tnr if isinstance(tnr, Undefined) else tpr + tnr - 1


def balanced_accuracy(counts: Confusion) -> Figure:
    """Return the mean of TPR and TNR; undefined where a class is absent."""
    j = youden_j(counts)
    return j if isinstance(j, Undefined) else (j + 1) / 2


def matthews(counts: Confusion) -> Figure:
    """Return (tp·tn - fp·fn) / sqrt of the product of the margins. Matthews, BBA 405 (1975).

    Undefined where the human or the judge uses one class only.
    """
    judged_pass, judged_fail = counts.tp + counts.fp, counts.fn + counts.tn
    product = counts.n_human_pass * counts.n_human_fail * judged_pass * judged_fail
    if not product:
        return Undefined("empty_margin: the human or the judge uses one class only")
    return (counts.tp * counts.tn - counts.fp * counts.fn) / sqrt(product)


def pass_fail_figures(counts: Confusion) -> dict[str, object]:
    """Return every figure of the table by name: rates with Wilson intervals, chance-corrected agreement, bias."""
    return {**_rates(counts), **chance_corrected(counts.table), **_bias(counts)}


def _rates(counts: Confusion) -> dict[str, object]:
    agreed = counts.tp + counts.tn
    return {
        "tpr": true_positive_rate(counts),
        "tpr_wilson95": wilson(counts.tp, counts.n_human_pass),
        "tnr": true_negative_rate(counts),
        "tnr_wilson95": wilson(counts.tn, counts.n_human_fail),
        "agreement": ratio(agreed, counts.n, _NO_DECISION),
        "agreement_wilson95": wilson(agreed, counts.n),
        "balanced_accuracy": balanced_accuracy(counts),
        "youden_j": youden_j(counts),
        "precision": ratio(counts.tp, counts.tp + counts.fp, "no_judged_pass: the judge passes no decided case"),
        "npv": ratio(counts.tn, counts.tn + counts.fn, "no_judged_fail: the judge fails no decided case"),
        "f1": ratio(
            2 * counts.tp,
            2 * counts.tp + counts.fp + counts.fn,
            "no_pass: neither the human nor the judge passes a case",
        ),
        "mcc": matthews(counts),
    }


def chance_corrected(table: Table) -> dict[str, object]:
    """Return Cohen's kappa, Gwet's AC1 and the nominal alpha of a table, with their errors where they have one."""
    kappa = cohen_kappa(table)
    ac1, ac1_se = gwet_ac1(table)
    return {
        "cohen_kappa": kappa.value,
        "cohen_kappa_se": kappa.se,
        "cohen_kappa_ci95": kappa.ci95,
        "gwet_ac1": ac1,
        "gwet_ac1_se": ac1_se,
        "krippendorff_alpha_nominal": alpha_of_table(table),
    }


def _bias(counts: Confusion) -> dict[str, object]:
    n = counts.n
    majority = ratio(max(counts.n_human_pass, counts.n_human_fail), n, _NO_DECISION)
    return {
        "human_pass_rate": ratio(counts.n_human_pass, n, _NO_DECISION),
        "judge_pass_rate": ratio(counts.tp + counts.fp, n, _NO_DECISION),
        "bias_pass_rate": ratio(counts.fp - counts.fn, n, _NO_DECISION),
        "mcnemar_exact_p": mcnemar_exact(counts.fn, counts.fp),
        "always_pass_baseline": ratio(counts.n_human_pass, n, _NO_DECISION),
        "majority_baseline": majority,
        "beats_majority_baseline": majority
        if isinstance(majority, Undefined)
        else counts.tp + counts.tn > max(counts.n_human_pass, counts.n_human_fail),
    }
