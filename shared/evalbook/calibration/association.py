"""How scores of a judge and of humans go together: correlation, concordance, differences."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from math import atanh, fsum, sqrt, tanh

from evalbook.calibration.figures import NO_PAIRS, Figure, Interval, Undefined
from evalbook.calibration.rates import Z95

Scores = Sequence[float]

_CONSTANT = Undefined("constant: one side's scores are all equal, so no correlation is defined")
_TOO_FEW = Undefined("too_few: the interval needs more than three cases")
_PERFECT = Undefined("perfect: a correlation of 1 or -1 has no Fisher interval")


def pearson(first: Scores, second: Scores) -> Figure:
    """Return Pearson's product-moment correlation, -1 to 1; undefined where one side is constant."""
    if not first:
        return NO_PAIRS
    a, b = _centred(first), _centred(second)
    scale = sqrt(fsum(x * x for x in a)) * sqrt(fsum(y * y for y in b))
    if not scale:
        return _CONSTANT
    return max(-1.0, min(1.0, fsum(x * y for x, y in zip(a, b, strict=True)) / scale))


def spearman(first: Scores, second: Scores) -> Figure:
    """Return Spearman's rank correlation, ties at their mean rank. Am. J. Psychol. 15 (1904)."""
    return pearson(ranks(first), ranks(second))


def fisher_ci(r: Figure, n: int, spread: Callable[[float], float] = lambda _: 1.0) -> Interval | Undefined:
    """Return the 95 % interval tanh(atanh r ± z · sqrt(spread / (n - 3))) of a correlation over n cases.

    Fisher, Metron 1 (1921). Undefined like *r*, for n <= 3 and for |r| = 1.
    """
    if isinstance(r, Undefined):
        return r
    if n <= 3:  # noqa: PLR2004  (the variance of atanh r is 1 / (n - 3))
        return _TOO_FEW
    if abs(r) >= 1:
        return _PERFECT
    half = Z95 * sqrt(spread(r) / (n - 3))
    return tanh(atanh(r) - half), tanh(atanh(r) + half)


def bonett_wright(r: float) -> float:
    """Return 1 + r²/2, the spread of a Spearman correlation's interval. Bonett, Wright, Psychometrika 65 (2000)."""
    return 1 + r * r / 2


def kendall_tau_b(first: Scores, second: Scores) -> Figure:
    """Return Kendall's tau-b: (concordant - discordant) / sqrt(pairs untied in one · pairs untied in the other).

    Kendall, Biometrika 33 (1945); counted in O(n log n) after Knight, JASA 61 (1966). Undefined where one side is
    constant.
    """
    if not first:
        return NO_PAIRS
    all_pairs = len(first) * (len(first) - 1) // 2
    tied_first, tied_second = _tied_pairs(first), _tied_pairs(second)
    tied_both = _tied_pairs(list(zip(first, second, strict=True)))
    untied = (all_pairs - tied_first) * (all_pairs - tied_second)
    if not untied:
        return _CONSTANT
    by_first = [y for _, y in sorted(zip(first, second, strict=True))]
    discordant = _inversions(by_first)[0]
    concordant = all_pairs - tied_first - tied_second + tied_both - discordant
    return (concordant - discordant) / sqrt(untied)


def lin_ccc(first: Scores, second: Scores) -> Figure:
    """Return Lin's concordance correlation 2 s_xy / (s_x² + s_y² + (mean difference)²). Biometrics 45 (1989).

    Undefined where all scores of both sides are one number.
    """
    if not first:
        return NO_PAIRS
    n = len(first)
    a, b = _centred(first), _centred(second)
    shift = (fsum(first) - fsum(second)) / n
    whole = fsum(x * x for x in a) / n + fsum(y * y for y in b) / n + shift**2
    return 2 * fsum(x * y for x, y in zip(a, b, strict=True)) / n / whole if whole else _CONSTANT


def bland_altman(differences: Scores) -> Interval | Undefined:
    """Return mean ± z · sd of the differences (sample sd): where 95 % of them lie. Lancet 327 (1986)."""
    n = len(differences)
    if n < 2:  # noqa: PLR2004  (a standard deviation needs two)
        return Undefined("too_few: limits of agreement need two cases")
    half = Z95 * sqrt(fsum(d * d for d in _centred(differences)) / (n - 1))
    mean = fsum(differences) / n
    return mean - half, mean + half


def ranks(values: Scores) -> list[float]:
    """Return each value's rank from 1, equal values at the mean of theirs."""
    ordered = sorted(values)
    return [(bisect_left(ordered, value) + bisect_right(ordered, value) + 1) / 2 for value in values]


def _centred(values: Scores) -> list[float]:
    if min(values) == max(values):
        return [0.0] * len(values)
    mean = fsum(values) / len(values)
    return [value - mean for value in values]


def _tied_pairs(values: Sequence[float] | Sequence[tuple[float, float]]) -> int:
    return sum(count * (count - 1) // 2 for count in Counter(values).values())


def _inversions(values: Scores) -> tuple[int, list[float]]:
    if len(values) < 2:  # noqa: PLR2004  (nothing to compare)
        return 0, list(values)
    middle = len(values) // 2
    left_count, left = _inversions(values[:middle])
    right_count, right = _inversions(values[middle:])
    across = sum(len(left) - bisect_right(left, value) for value in right)
    return left_count + right_count + across, sorted(left + right)
