"""Cases that a judge left undecided: how many, on which side, and what agreement looks like with them."""

from collections.abc import Iterable, Mapping, Sequence

from evalbook.calibration.confusion import Confusion, true_negative_rate, true_positive_rate
from evalbook.calibration.figures import NO_PAIRS, ratio
from evalbook.calibration.kappa import cohen_kappa
from evalbook.calibration.pairing import Pair
from evalbook.calibration.rates import wilson
from evalbook.domain.outcome import Outcome

_UNDECIDED = tuple(outcome.value for outcome in Outcome if outcome not in {Outcome.PASS, Outcome.FAIL})
_JUDGEMENTS = frozenset({Outcome.ABSTAINED.value, Outcome.INCONCLUSIVE.value})
_NO_LABELS = "no_labels: no case has the human label"


def undecided_figures(pairs: Sequence[Pair]) -> dict[str, object]:
    """Return each undecided outcome that occurs: its count, its rate of all labelled cases, and both by human label."""
    labels = sorted({pair.human for pair in pairs if isinstance(pair.human, str)})
    groups = {label: [pair for pair in pairs if pair.human == label] for label in labels}
    return {
        outcome: {**_counted(pairs, outcome), "by_human": {label: _counted(groups[label], outcome) for label in labels}}
        for outcome in _UNDECIDED
        if any(pair.undecided == outcome for pair in pairs)
    }


def _counted(pairs: Sequence[Pair], outcome: str) -> dict[str, object]:
    count = sum(pair.undecided == outcome for pair in pairs)
    return {
        "n": count,
        "of": len(pairs),
        "rate": ratio(count, len(pairs), _NO_LABELS),
        "wilson95": wilson(count, len(pairs)),
    }


def coverage_figures(pairs: Sequence[Pair]) -> dict[str, object]:
    """Return coverage (decided / labelled), and abstention and error rates with intervals."""
    n = len(pairs)
    decided = sum(pair.undecided is None for pair in pairs)
    figures: dict[str, object] = {"coverage": ratio(decided, n, NO_PAIRS.reason)}
    for name, outcome in (("abstention", Outcome.ABSTAINED), ("error", Outcome.ERROR)):
        count = sum(pair.undecided == outcome for pair in pairs)
        figures[f"{name}_rate"] = ratio(count, n, NO_PAIRS.reason)
        figures[f"{name}_rate_wilson95"] = wilson(count, n)
    return figures


def abstention_figures(verdicts: Sequence[Pair], counts: Confusion) -> dict[str, object]:
    """Return what undecided cases do to a pass/fail judge: rates by human label, selective and worst-case figures.

    Selective figures are over decided cases; `_counting_abstain_as_wrong` also counts abstained and inconclusive ones,
    as disagreement. Errors and cases that were not judged are in neither.
    """
    left = [pair for pair in verdicts if pair.undecided in _JUDGEMENTS]
    left_pass = sum(pair.human == Outcome.PASS for pair in left)
    agreed = counts.tp + counts.tn
    return {
        "n": len(verdicts),
        **coverage_figures(verdicts),
        **_by_human(verdicts),
        "selective_agreement": ratio(agreed, counts.n, NO_PAIRS.reason),
        "tpr_selective": true_positive_rate(counts),
        "tnr_selective": true_negative_rate(counts),
        "kappa_selective": cohen_kappa(counts.table).value,
        "agreement_counting_abstain_as_wrong": ratio(agreed, counts.n + len(left), NO_PAIRS.reason),
        "tpr_counting_abstain_as_wrong": ratio(counts.tp, counts.n_human_pass + left_pass, _NO_LABELS),
        "tnr_counting_abstain_as_wrong": ratio(counts.tn, counts.n_human_fail + len(left) - left_pass, _NO_LABELS),
    }


def _by_human(verdicts: Iterable[Pair]) -> Mapping[str, object]:
    pairs = list(verdicts)
    figures: dict[str, object] = {}
    for name, outcome in (("abstain", Outcome.ABSTAINED), ("error", Outcome.ERROR)):
        for human in (Outcome.PASS, Outcome.FAIL):
            group = [pair for pair in pairs if pair.human == human]
            count = sum(pair.undecided == outcome for pair in group)
            figures[f"{name}_rate_human_{human}"] = ratio(count, len(group), _NO_LABELS)
            figures[f"{name}_rate_human_{human}_wilson95"] = wilson(count, len(group))
    return figures


def confusion_of(verdicts: Iterable[Pair]) -> Confusion:
    """Count the decided ones of *verdicts*."""
    return Confusion.of(
        (pair.human == Outcome.PASS, pair.judge == Outcome.PASS) for pair in verdicts if pair.judge is not None
    )
