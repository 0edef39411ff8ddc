"""Figures over the single replies of a judge that was asked several times."""

from collections import Counter
from collections.abc import Sequence
from math import fsum

from evalbook.calibration.abstention import confusion_of
from evalbook.calibration.agreement import table_of
from evalbook.calibration.confusion import pass_fail_figures
from evalbook.calibration.figures import NO_PAIRS, Undefined, ratio
from evalbook.calibration.kappa import kappa_value
from evalbook.calibration.pairing import Pair, Study
from evalbook.calibration.rates import wilson
from evalbook.calibration.rows import UNDECIDED, CalibrationRow, Label, problem_at
from evalbook.calibration.stability import nominal_stability, scored_stability
from evalbook.calibration.terms import verdict_word
from evalbook.domain.errors import Refused

_NO_REPEATS = Undefined("no_repeats: no row has repeats")
_SHOWN = ("agreement", "agreement_wilson95", "tpr", "tpr_wilson95", "tnr", "tnr_wilson95", "cohen_kappa")


def stability_figures(rows: Sequence[CalibrationRow], threshold: float | None) -> dict[str, object] | Undefined:
    """Return how stable the replies of *rows* are, labelled or not; undefined where no row has repeats.

    Replies that decide nothing (abstained, error and the like, null) are counted and left out; a case takes part with
    two replies that decide. Raises Refused where some replies are scores and others texts.
    """
    repeated = [row for row in rows if row.repeats]
    if not repeated:
        return _NO_REPEATS
    scores, texts = _units(repeated)
    units: Sequence[Sequence[Label]] = scores or texts
    figures: dict[str, object] = {**_counts(repeated, units), **nominal_stability(units)}
    if scores:
        figures |= scored_stability(scores, threshold)
    if scores and threshold is not None:
        verdicts = [[verdict_word(passes=score >= threshold) for score in unit] for unit in scores]
        figures["as_verdicts"] = nominal_stability(verdicts)
    return figures


def _units(rows: Sequence[CalibrationRow]) -> tuple[list[list[float]], list[list[str]]]:
    decided = [(row, [reply for reply in row.repeats if reply is not None and reply not in UNDECIDED]) for row in rows]
    kinds = {isinstance(reply, str) for _, replies in decided for reply in replies}
    if len(kinds) > 1:
        raise Refused(
            problem_at(row.index, "repeats", "must be scores, as other replies are")
            for row, replies in decided
            if any(isinstance(reply, str) for reply in replies)
        )
    scores = [[reply for reply in replies if not isinstance(reply, str)] for _, replies in decided]
    texts = [[reply for reply in replies if isinstance(reply, str)] for _, replies in decided]
    return [unit for unit in scores if len(unit) > 1], [unit for unit in texts if len(unit) > 1]


def _counts(rows: Sequence[CalibrationRow], units: Sequence[Sequence[Label]]) -> dict[str, object]:
    replies = [reply for row in rows for reply in row.repeats]
    undecided = Counter("missing" if reply is None else str(reply) for reply in replies if _is_undecided(reply))
    return {
        "n_cases": len(units),
        "n_cases_with_fewer_than_two_replies": len(rows) - len(units),
        "n_replies": len(replies),
        "undecided_replies": {name: undecided[name] for name in sorted(undecided)},
    }


def _is_undecided(reply: Label | None) -> bool:
    return reply is None or reply in UNDECIDED


def figures_by_repeat(study: Study) -> list[dict[str, object]] | Undefined:
    """Return, for the first, second, ... reply of each labelled case, how it agrees with the human."""
    longest = max((len(pair.replies) for pair in study.pairs), default=0)
    if not longest:
        return _NO_REPEATS
    native = [_only_reply(study.pairs, at) for at in range(longest)]
    if isinstance(study.verdicts, Undefined):
        return [{"repeat": at + 1, **_of_pairs(pairs)} for at, pairs in enumerate(native)]
    verdicts = [_only_reply(study.verdicts, at) for at in range(longest)]
    return [{"repeat": at + 1, **_of_pairs(pairs), **_of_verdicts(verdicts[at])} for at, pairs in enumerate(native)]


def _only_reply(pairs: Sequence[Pair], at: int) -> list[Pair]:
    return [
        Pair(pair.case_id, pair.human, pair.replies[at])
        for pair in pairs
        if at < len(pair.replies) and pair.replies[at] is not None
    ]


def _of_verdicts(pairs: Sequence[Pair]) -> dict[str, object]:
    figures = pass_fail_figures(confusion_of(pairs))
    return {name: figures[name] for name in _SHOWN}


def _of_pairs(pairs: Sequence[Pair]) -> dict[str, object]:
    n = len(pairs)
    differences = [
        pair.judge - pair.human
        for pair in pairs
        if not isinstance(pair.human, str) and not isinstance(pair.judge, str) and pair.judge is not None
    ]
    if differences:
        return {
            "n": n,
            "exact_agreement": sum(difference == 0 for difference in differences) / n,
            "mae": fsum(map(abs, differences)) / n,
            "bias_mean_judge_minus_human": fsum(differences) / n,
        }
    agreed = sum(pair.judge == pair.human for pair in pairs)
    labels = sorted({str(label) for pair in pairs for label in (pair.human, pair.judge)})
    return {
        "n": n,
        "agreement": ratio(agreed, n, NO_PAIRS.reason),
        "agreement_wilson95": wilson(agreed, n),
        "cohen_kappa": kappa_value(table_of([(pair.human, pair.judge) for pair in pairs], labels)),
    }
