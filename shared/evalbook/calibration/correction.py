"""Pass rates corrected for what calibration shows about the judge's errors."""

from dataclasses import dataclass
from math import sqrt

from evalbook.calibration.figures import Figure, Interval, Undefined
from evalbook.calibration.rates import Z95, wilson

ENOUGH = 30
"""Human labels of a class below which a calibration is insufficient."""

_UNINFORMATIVE = Undefined("judge_not_informative: TPR + TNR is not above 1, so the pass rate says nothing")
_NO_CASES = Undefined("no_cases: the correction needs judged cases and human labels of both classes")


@dataclass(frozen=True, slots=True)
class JudgeErrors:
    """What calibration found: tp of n_pass human passes and tn of n_fail human fails were judged like the human."""

    tp: int
    n_pass: int
    tn: int
    n_fail: int


@dataclass(frozen=True, slots=True)
class PassCount:
    """A run as judged: `judge_pass` of `n` decided cases."""

    judge_pass: int
    n: int


@dataclass(frozen=True, slots=True)
class Corrected:
    """A corrected pass rate within 0 and 1, the estimate before clipping, and its 95 % interval."""

    value: Figure
    unclipped: Figure
    interval: Interval | Undefined


def rogan_gladen(run: PassCount, errors: JudgeErrors) -> Corrected:
    """Return (p + TNR - 1) / (TPR + TNR - 1), the pass rate that humans would find in the run.

    Rogan, Gladen, Am. J. Epidemiol. 107 (1978); interval of Lang, Reiczigel, Prev. Vet. Med. 113 (2014). It holds as
    far as the judge errs in the run as on the labelled cases. Undefined without cases and where TPR + TNR <= 1.
    """
    if not (run.n and errors.n_pass and errors.n_fail):
        return Corrected(_NO_CASES, _NO_CASES, _NO_CASES)
    # integers decide: 0.7 + 0.3 may come out just above 1
    if errors.tp * errors.n_fail + errors.tn * errors.n_pass <= errors.n_pass * errors.n_fail:
        return Corrected(_UNINFORMATIVE, _UNINFORMATIVE, _UNINFORMATIVE)
    tpr, tnr = errors.tp / errors.n_pass, errors.tn / errors.n_fail
    estimate = (run.judge_pass / run.n + tnr - 1) / (tpr + tnr - 1)
    return Corrected(_clip(estimate), estimate, _lang_reiczigel(run, errors))


def _lang_reiczigel(run: PassCount, errors: JudgeErrors) -> Interval | Undefined:
    n1, n0, square = errors.n_pass + 2, errors.n_fail + 2, Z95**2
    q1, q0 = (errors.tp + 1) / n1, (errors.tn + 1) / n0
    p = (run.judge_pass + square / 2) / (run.n + square)
    informative = q1 + q0 - 1
    if informative <= 0:
        return _UNINFORMATIVE
    theta = (p + q0 - 1) / informative
    v1, v0 = q1 * (1 - q1) / n1, q0 * (1 - q0) / n0
    shift = 2 * square * (theta * v1 - (1 - theta) * v0)
    half = Z95 / informative * sqrt(p * (1 - p) / (run.n + square) + theta**2 * v1 + (1 - theta) ** 2 * v0)
    return _clip(theta + shift - half), _clip(theta + shift + half)


def correction_usable(errors: JudgeErrors) -> bool:
    """Whether a corrected rate may decide anything: 30 labels a class, lower Wilson ends of TPR + TNR above 1."""
    tpr, tnr = wilson(errors.tp, errors.n_pass), wilson(errors.tn, errors.n_fail)
    if isinstance(tpr, Undefined) or isinstance(tnr, Undefined):
        return False
    return min(errors.n_pass, errors.n_fail) >= ENOUGH and tpr[0] + tnr[0] > 1


def _clip(share: float) -> float:
    return max(0.0, min(1.0, share))
