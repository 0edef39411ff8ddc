"""Krippendorff's alpha for any number of labels a unit."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from math import fsum

from evalbook.calibration.figures import Figure, Undefined

_NO_PAIRS = Undefined("no_pairs: no unit has two labels to compare")
_NO_VARIATION = Undefined("no_variation: all labels are equal, so no disagreement can be expected")


def alpha_nominal(units: Iterable[Sequence[Hashable]]) -> Figure:
    """Return alpha = 1 - observed / expected disagreement where labels are equal or not.

    Units with fewer than two labels are left out. Krippendorff, Computing Krippendorff's Alpha-Reliability (2011).
    Undefined without a pair of labels and where all labels are equal.
    """
    counts = [Counter(unit) for unit in units if len(unit) > 1]
    if not counts:
        return _NO_PAIRS
    total: Counter[Hashable] = Counter()
    for count in counts:
        total.update(count)
    expected = _unequal_pairs(total) / (total.total() - 1)
    observed = fsum(_unequal_pairs(count) / (count.total() - 1) for count in counts)
    return 1 - observed / expected if expected else _NO_VARIATION


def alpha_interval(units: Iterable[Sequence[float]]) -> Figure:
    """Return alpha with squared differences as disagreement; source and undefined cases as in `alpha_nominal`."""
    pairable = [unit for unit in units if len(unit) > 1]
    if not pairable:
        return _NO_PAIRS
    values = [value for unit in pairable for value in unit]
    expected = _squared_pairs(values) / (len(values) - 1)
    observed = fsum(_squared_pairs(unit) / (len(unit) - 1) for unit in pairable)
    return 1 - observed / expected if expected else _NO_VARIATION


def alpha_ordinal(units: Iterable[Sequence[float]]) -> Figure:
    """Return alpha with squared differences of middle ranks; source and undefined cases as in `alpha_nominal`.

    The ordinal metric, the sum of the counts between two values less half of those of the two, is the
    difference of their middle ranks, so this is the interval alpha of the ranks.
    """
    pairable = [unit for unit in units if len(unit) > 1]
    ordered = sorted(value for unit in pairable for value in unit)
    rank = {value: (bisect_left(ordered, value) + bisect_right(ordered, value)) / 2 for value in set(ordered)}
    return alpha_interval([[rank[value] for value in unit] for unit in pairable])


def _unequal_pairs(counts: Counter[Hashable]) -> int:
    return counts.total() ** 2 - sum(count**2 for count in counts.values())


def _squared_pairs(values: Sequence[float]) -> float:
    mean = fsum(values) / len(values)
    return 2 * len(values) * fsum((value - mean) ** 2 for value in values)
