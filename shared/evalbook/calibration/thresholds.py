"""What every possible pass threshold of a scored judge would make of the labelled cases."""

from bisect import bisect_left
from collections.abc import Sequence

from evalbook.calibration.association import ranks
from evalbook.calibration.confusion import Confusion, true_negative_rate, true_positive_rate, youden_j
from evalbook.calibration.figures import Figure, Undefined

MAX_CANDIDATES = 100


def candidates(scores: Sequence[float]) -> list[float]:
    """Return the different scores in order, at most 100 of them, evenly taken, first and last included."""
    levels = sorted(set(scores))
    if len(levels) <= MAX_CANDIDATES:
        return levels
    last = len(levels) - 1
    return [levels[at * last // (MAX_CANDIDATES - 1)] for at in range(MAX_CANDIDATES)]


def threshold_sweep(scored: Sequence[tuple[float, bool]]) -> list[dict[str, object]]:
    """Return a row for each candidate threshold: the table, TPR, TNR and Youden's J if scores from it on passed.

    *scored* are (judge's score, human passes). A threshold chosen here must be confirmed on other cases.
    """
    passed = sorted(score for score, human in scored if human)
    failed = sorted(score for score, human in scored if not human)
    rows: list[dict[str, object]] = []
    for threshold in candidates([score for score, _ in scored]):
        fn, tn = bisect_left(passed, threshold), bisect_left(failed, threshold)
        counts = Confusion(len(passed) - fn, fn, len(failed) - tn, tn)
        rows.append(
            {
                "threshold": threshold,
                **counts.cells,
                "tpr": true_positive_rate(counts),
                "tnr": true_negative_rate(counts),
                "youden_j": youden_j(counts),
            }
        )
    return rows


def roc_auc(scored: Sequence[tuple[float, bool]]) -> Figure:
    """Return the share of (human pass, human fail) pairs whose scores are in that order, ties counting half.

    The Mann-Whitney form of the area under the ROC curve. Hanley, McNeil, Radiology 143 (1982). Undefined where a
    class is absent.
    """
    n_pass = sum(human for _, human in scored)
    n_fail = len(scored) - n_pass
    if not (n_pass and n_fail):
        return Undefined("one_class: the scored cases have one human label only")
    rank_sum = sum(
        rank for rank, (_, human) in zip(ranks([score for score, _ in scored]), scored, strict=True) if human
    )
    return (rank_sum - n_pass * (n_pass + 1) / 2) / (n_pass * n_fail)
