"""Percentile bootstrap intervals that come out the same for the same counts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import floor
from random import Random

from evalbook.calibration.figures import Figure, Interval, Undefined
from evalbook.calibration.kappa import Table

RESAMPLES = 1000
_DRAWS = 3_000_000
_FEWEST = 100
_NONE_DEFINED = Undefined("no_resample: no resample defines the figure")


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """Intervals by figure, with the seed, the number of resamples and how many of them defined each figure."""

    seed: int
    resamples: int
    intervals: Mapping[str, Interval | Undefined]
    defined: Mapping[str, int]


def seed_of(table: Table) -> int:
    """Return the seed that belongs to the counts of *table*, a 32-bit number: equal counts, equal intervals."""
    return int.from_bytes(sha256(repr([list(row) for row in table]).encode()).digest()[:4])


def resamples_for(n: int) -> int:
    """Return 1000, or fewer (at least 100) where n cases would make more than three million draws."""
    return max(_FEWEST, min(RESAMPLES, _DRAWS // max(1, n)))


def bootstrap(
    table: Table, statistics: Mapping[str, Callable[[Table], Figure]], *, seed: int, resamples: int
) -> Bootstrap:
    """Return the 95 % percentile interval of each statistic over *resamples* draws of the table's cases.

    Efron, Ann. Stat. 7 (1979). The cases are taken in the order of the table's cells, row by row; percentiles are
    linearly interpolated; resamples that leave a statistic undefined are dropped and counted.
    """
    cells = [cell for cell, count in enumerate(count for row in table for count in row) for _ in range(count)]
    random = Random(seed)  # noqa: S311  (a reproducible sample, no secret)
    found: dict[str, list[float]] = {name: [] for name in statistics}
    for _ in range(resamples if cells else 0):
        drawn = _draw(cells, len(table), random)
        for name, statistic in statistics.items():
            value = statistic(drawn)
            if not isinstance(value, Undefined):
                found[name].append(value)
    intervals = {name: _percentiles(sorted(values)) for name, values in found.items()}
    return Bootstrap(seed, resamples, intervals, {name: len(values) for name, values in found.items()})


def _draw(cells: Sequence[int], size: int, random: Random) -> list[list[int]]:
    counts = [0] * (size * size)
    n, uniform = len(cells), random.random
    for _ in range(n):
        counts[cells[int(uniform() * n)]] += 1
    return [counts[start : start + size] for start in range(0, size * size, size)]


def _percentiles(ordered: Sequence[float]) -> Interval | Undefined:
    if not ordered:
        return _NONE_DEFINED
    return _quantile(ordered, 0.025), _quantile(ordered, 0.975)


def _quantile(ordered: Sequence[float], share: float) -> float:
    place = (len(ordered) - 1) * share
    low = floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)
