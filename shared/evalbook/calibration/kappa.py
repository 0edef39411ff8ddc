"""Agreement corrected for chance, from a square table of counts (rows: human, columns: judge)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt

from evalbook.calibration.figures import NO_PAIRS, Figure, Interval, Undefined
from evalbook.calibration.rates import Z95

Table = Sequence[Sequence[int]]
"""Counts; `table[i][j]` cases have the human label i and the judge's label j."""

_NO_VARIATION = Undefined("no_variation: expected agreement is 1 (all human and judge labels are one class)")


@dataclass(frozen=True, slots=True)
class Kappa:
    """A kappa with its standard error and its 95 % interval (normal, not clipped to -1 and 1)."""

    value: Figure
    se: Figure
    ci95: Interval | Undefined


def cohen_kappa(table: Table) -> Kappa:
    """Return Cohen's kappa (po - pe) / (1 - pe) with the standard error of Fleiss, Cohen and Everitt.

    Cohen, Educ. Psychol. Meas. 20 (1960); Fleiss, Cohen, Everitt, Psychol. Bull. 72 (1969), eq. 13.
    Undefined without cases and where one class holds every label.
    """
    return weighted_kappa(table, lambda i, j: float(i == j))


def weighted_kappa(table: Table, weight: Callable[[int, int], float]) -> Kappa:
    """Return the kappa in which a case in cell (i, j) counts as `weight(i, j)` agreements, 1 on the diagonal.

    Cohen, Psychol. Bull. 70 (1968); standard error of Fleiss, Cohen, Everitt (1969), eq. 8. Undefined like Cohen's.
    """
    n = sum(map(sum, table))
    if not n:
        return Kappa(NO_PAIRS, NO_PAIRS, NO_PAIRS)
    size = range(len(table))
    if any(table[i][i] == n for i in size):
        return Kappa(_NO_VARIATION, _NO_VARIATION, _NO_VARIATION)
    rows, columns = margins(table)
    weights = [[weight(i, j) for j in size] for i in size]
    expected = sum(weights[i][j] * rows[i] * columns[j] for i in size for j in size)
    observed = sum(weights[i][j] * table[i][j] for i in size for j in size) / n
    value = (observed - expected) / (1 - expected)
    se = _standard_error(table, weights, value, expected)
    return Kappa(value, se, (value - Z95 * se, value + Z95 * se))


def _standard_error(table: Table, weights: Sequence[Sequence[float]], value: float, expected: float) -> float:
    n, size = sum(map(sum, table)), range(len(table))
    rows, columns = margins(table)
    row_means = [sum(weights[i][j] * columns[j] for j in size) for i in size]
    column_means = [sum(weights[i][j] * rows[i] for i in size) for j in size]
    spread = sum(
        table[i][j] / n * (weights[i][j] - (row_means[i] + column_means[j]) * (1 - value)) ** 2
        for i in size
        for j in size
    )
    variance = (spread - (value - expected * (1 - value)) ** 2) / (1 - expected) ** 2 / n
    return sqrt(max(0.0, variance))


def distance_weights(levels: Sequence[float], power: int) -> Callable[[int, int], float]:
    """Return the weights 1 - (distance / widest distance) ** power: linear for power 1, quadratic for 2."""
    widest = (levels[-1] - levels[0]) or 1.0
    return lambda i, j: 1 - (abs(levels[i] - levels[j]) / widest) ** power


def margins(table: Table) -> tuple[list[float], list[float]]:
    """Return the shares of each label among the human's (rows) and among the judge's (columns)."""
    n = sum(map(sum, table))
    return [sum(row) / n for row in table], [sum(column) / n for column in zip(*table, strict=True)]


def kappa_value(table: Table) -> Figure:
    """Return Cohen's kappa without its error, as `cohen_kappa`."""
    n, agreed, pairs = _agreement(table)
    if not n:
        return NO_PAIRS
    expected = sum(row * column for row, column in pairs)
    return _NO_VARIATION if expected == n * n else (agreed * n - expected) / (n * n - expected)


def ac1_value(table: Table) -> Figure:
    """Return Gwet's AC1 (po - pe) / (1 - pe), stable where nearly all labels are one class.

    pe is the sum of p (1 - p) / (k - 1), p the mean share of a label over human and judge. Gwet, Br. J. Math. Stat.
    Psychol. 61 (2008). Undefined without cases.
    """
    n, agreed, pairs = _agreement(table)
    if not n:
        return NO_PAIRS
    expected = _ac1_expected([(row + column) / (2 * n) for row, column in pairs])
    return (agreed / n - expected) / (1 - expected)


def alpha_of_table(table: Table) -> Figure:
    """Return Krippendorff's nominal alpha of two coders, the human and the judge: `alpha_nominal` of their pairs."""
    n, agreed, pairs = _agreement(table)
    if not n:
        return NO_PAIRS
    expected = (4 * n * n - sum((row + column) ** 2 for row, column in pairs)) / (2 * n - 1)
    return 1 - 2 * (n - agreed) / expected if expected else _NO_VARIATION


def gwet_ac1(table: Table) -> tuple[Figure, Figure]:
    """Return Gwet's AC1 and its standard error over cases (Gwet, Handbook of Inter-Rater Reliability, 2014, ch. 5).

    AC1 is undefined without cases, its error also for one case and where all labels are one class.
    """
    value = ac1_value(table)
    if isinstance(value, Undefined):
        return value, value
    n, _, pairs = _agreement(table)
    shares = [(row + column) / (2 * n) for row, column in pairs]
    if max(shares) == 1 or n == 1:
        return value, Undefined("no_variation: all labels are one class, or there is one case")
    whole = (value, _ac1_expected(shares), max(1, len(shares) - 1))
    squares = sum(
        count * (_ac1_of_case((shares[i] + shares[j]) / 2, whole, agrees=i == j) - value) ** 2
        for i, row in enumerate(table)
        for j, count in enumerate(row)
    )
    return value, sqrt(squares / n / (n - 1))


def _agreement(table: Table) -> tuple[int, int, list[tuple[int, int]]]:
    """Return how many cases there are, in how many both agree, and each label's counts by human and by judge."""
    rows = [sum(row) for row in table]
    columns = [sum(column) for column in zip(*table, strict=True)]
    return sum(rows), sum(row[i] for i, row in enumerate(table)), list(zip(rows, columns, strict=True))


def _ac1_expected(shares: Sequence[float]) -> float:
    return sum(share * (1 - share) for share in shares) / max(1, len(shares) - 1)


def _ac1_of_case(share: float, whole: tuple[float, float, int], *, agrees: bool) -> float:
    value, expected, spare = whole
    own = (agrees - expected) / (1 - expected)
    return own - 2 * (1 - value) * ((1 - share) / spare - expected) / (1 - expected)
