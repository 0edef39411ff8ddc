"""Rates, their Wilson intervals, and the exact McNemar test."""

from math import sqrt
from statistics import NormalDist
from typing import Final

from evalbook.calibration.figures import Interval, Undefined

Z95: Final = NormalDist().inv_cdf(0.975)
"""The 97.5 % point of the standard normal distribution, 1.96."""


def wilson(successes: int, n: int) -> Interval | Undefined:
    """Return the 95 % score interval of the rate successes / n, within 0 and 1.

    Centre (k + z²/2) / (n + z²), half width z / (n + z²) · sqrt(k (n - k) / n + z²/4). Wilson, JASA 22 (1927).
    Undefined without a case.
    """
    if not n:
        return Undefined("no_cases: a rate over no cases has no interval")
    centre = (successes + Z95**2 / 2) / (n + Z95**2)
    half = Z95 / (n + Z95**2) * sqrt(successes * (n - successes) / n + Z95**2 / 4)
    return max(0.0, centre - half), min(1.0, centre + half)


def mcnemar_exact(only_first: int, only_second: int) -> float:
    """Return the two-sided exact p of McNemar's test from the two discordant counts; 1 where there are none.

    Twice the lower tail of Binomial(b + c, 1/2) at min(b, c), at most 1. McNemar, Psychometrika 12 (1947).
    """
    n = only_first + only_second
    term = tail = 1
    for k in range(min(only_first, only_second)):
        term = term * (n - k) // (k + 1)
        tail += term
    return min(1.0, 2 * tail / (1 << n))
