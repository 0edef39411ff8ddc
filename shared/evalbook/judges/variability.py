"""How far the repeats of one case agree."""

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction


def as_json_number(number: int | Decimal | Fraction) -> int | float:
    """Give *number* as an int where it is whole, else as the nearest double."""
    exact = Fraction(number)
    return exact.numerator if exact.denominator == 1 else float(exact)


def median(scores: Sequence[int | Decimal]) -> Fraction:
    """Give the exact median of at least one score; of an even count, the mean of the two in the middle."""
    return statistics.median([Fraction(score) for score in scores])


def agreement(verdicts: Sequence[str]) -> Mapping[str, int | float]:
    """Give the share of at least one verdict that equals the most frequent one."""
    most = max(Counter(verdicts).values())
    return {"agreement": most / len(verdicts)}


def spread(scores: Sequence[int | Decimal]) -> Mapping[str, int | float]:
    """Give minimum, maximum, mean and population standard deviation of at least one score; one score deviates by 0."""
    exact = [Fraction(score) for score in scores]
    return {
        "min": as_json_number(min(exact)),
        "max": as_json_number(max(exact)),
        "mean": as_json_number(statistics.mean(exact)),
        "stdev": float(statistics.pstdev(exact)),
    }
