"""How far a judge agrees with itself when it is asked again about the same case."""

from collections import Counter
from collections.abc import Hashable, Sequence
from math import fsum, sqrt
from statistics import fmean, stdev

from evalbook.calibration.alpha import alpha_interval, alpha_nominal, alpha_ordinal
from evalbook.calibration.figures import Figure, Undefined, ratio
from evalbook.calibration.rates import wilson

_NO_REPEATS = Undefined("no_repeats: no case has two replies that decide")
_UNEQUAL = Undefined("unequal_replies: the cases do not all have the same number of replies that decide")
_NO_VARIATION = Undefined("no_variation: all replies are equal, so no disagreement can be expected")


def fleiss_kappa(units: Sequence[Sequence[Hashable]]) -> Figure:
    """Return Fleiss' kappa of cases with equally many labels. Fleiss, Psychol. Bull. 76 (1971).

    (P - Pe) / (1 - Pe): P the mean pairwise agreement in a case, Pe the sum of the labels' squared shares. Undefined
    without labels, with unequal numbers of them and where all are equal.
    """
    sizes = {len(unit) for unit in units}
    if not sizes or min(sizes) < 2:  # noqa: PLR2004  (agreement takes two)
        return _NO_REPEATS
    if len(sizes) > 1:
        return _UNEQUAL
    shares = Counter(label for unit in units for label in unit)
    if len(shares) == 1:
        return _NO_VARIATION
    expected = sum((count / shares.total()) ** 2 for count in shares.values())
    return (fmean(map(pairwise_agreement, units)) - expected) / (1 - expected)


def pairwise_agreement(unit: Sequence[Hashable]) -> float:
    """Return the share of pairs of labels in *unit* (two or more) that are equal."""
    return sum(count * (count - 1) for count in Counter(unit).values()) / (len(unit) * (len(unit) - 1))


def nominal_stability(units: Sequence[Sequence[Hashable]]) -> dict[str, object]:
    """Return how often replies to a case (two or more each) are equal.

    `unanimous_rate` over cases; `flip_rate_vs_majority` the share of replies that are not their case's commonest one;
    `mean_pairwise_agreement` the mean over cases; Fleiss' kappa; nominal alpha. Undefined without repeats.
    """
    unanimous = sum(len(set(unit)) == 1 for unit in units)
    replies = sum(map(len, units))
    flips = replies - sum(max(Counter(unit).values()) for unit in units)
    return {
        "n_unanimous": unanimous,
        "unanimous_rate": ratio(unanimous, len(units), _NO_REPEATS.reason),
        "unanimous_rate_wilson95": wilson(unanimous, len(units)),
        "flip_rate_vs_majority": ratio(flips, replies, _NO_REPEATS.reason),
        "mean_pairwise_agreement": fmean(map(pairwise_agreement, units)) if units else _NO_REPEATS,
        "fleiss_kappa": fleiss_kappa(units),
        "krippendorff_alpha_nominal": alpha_nominal(units),
    }


def scored_stability(units: Sequence[Sequence[float]], threshold: float | None) -> dict[str, object]:
    """Return how far scores of a case (two or more each) lie apart, in the scale's own units.

    Means over cases of the standard deviation (population, the one of a result's variability, and sample) and of the
    range, the widest range, the share of cases whose range straddles *threshold* (some scores pass, some fail); ordinal
    and interval alpha.
    """
    ranges = [max(unit) - min(unit) for unit in units]
    straddling = sum(threshold is not None and min(unit) < threshold <= max(unit) for unit in units)
    no_threshold = Undefined("no_threshold: the score from which a case passes is not given")
    return {
        "mean_within_case_sd": fmean(map(population_sd, units)) if units else _NO_REPEATS,
        "mean_within_case_sample_sd": fmean(map(stdev, units)) if units else _NO_REPEATS,
        "mean_range": fmean(ranges) if units else _NO_REPEATS,
        "max_range": max(ranges, default=_NO_REPEATS),
        "straddling_rate": no_threshold if threshold is None else ratio(straddling, len(units), _NO_REPEATS.reason),
        "krippendorff_alpha_ordinal": alpha_ordinal(units),
        "krippendorff_alpha_interval": alpha_interval(units),
    }


def population_sd(values: Sequence[float]) -> float:
    """Return the population standard deviation of one or more values; 0 for equal ones."""
    mean = fsum(values) / len(values)
    return sqrt(fsum((value - mean) ** 2 for value in values) / len(values)) if len(set(values)) > 1 else 0.0
