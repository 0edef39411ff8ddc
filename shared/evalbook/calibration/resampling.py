"""Percentile bootstrap intervals that come out the same for the same counts."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256, shake_128
from itertools import count
from math import floor
from struct import unpack

from evalbook.calibration.figures import Figure, Interval, Undefined
from evalbook.calibration.kappa import Table

RESAMPLES = 1000
_DRAWS = 3_000_000
_FEWEST = 100
_WORDS = 1024
_NONE_DEFINED = Undefined("no_resample: no resample defines the figure")


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """Intervals by figure, and how many resamples defined each figure."""

    intervals: Mapping[str, Interval | Undefined]
    defined: Mapping[str, int]


def seed_of(table: Table) -> int:
    """Return the seed that belongs to the counts of *table*, a 32-bit number: equal counts, equal intervals."""
    return int.from_bytes(sha256(repr([list(row) for row in table]).encode()).digest()[:4])


def uniforms(seed: int) -> Iterator[float]:
    """Yield numbers from 0 up to 1 without end, the same for the same seed everywhere: SHAKE-128 (FIPS 202) words."""
    for block in count():
        stream = shake_128(f"{seed}:{block}".encode()).digest(4 * _WORDS)
        for word in unpack(f">{_WORDS}I", stream):
            yield word / 2**32


def resamples_for(n: int) -> int:
    """Return 1000, or fewer (at least 100) where n cases would make more than three million draws."""
    return max(_FEWEST, min(RESAMPLES, _DRAWS // max(1, n)))


def bootstrap(
    table: Table, statistics: Mapping[str, Callable[[Table], Figure]], *, uniform: Callable[[], float], resamples: int
) -> Bootstrap:
    """Return the 95 % percentile interval of each statistic over *resamples* draws of the table's cases.

    Efron, Ann. Stat. 7 (1979). *uniform* gives numbers from 0 up to 1, one a drawn case; the cases are taken in the
    order of the table's cells, row by row. Percentiles are linearly interpolated; resamples that leave a statistic
    undefined are dropped and counted.
    """
    counts = [cell for row in table for cell in row]
    cells = [cell for cell, cases in enumerate(counts) for _ in range(cases)]
    found: dict[str, list[float]] = {name: [] for name in statistics}
    for _ in range(resamples if cells else 0):
        drawn = _draw(cells, len(table), uniform)
        for name, statistic in statistics.items():
            value = statistic(drawn)
            if not isinstance(value, Undefined):
                found[name].append(value)
    intervals = {name: _percentiles(sorted(values)) for name, values in found.items()}
    return Bootstrap(intervals, {name: len(values) for name, values in found.items()})


def _draw(cells: Sequence[int], size: int, uniform: Callable[[], float]) -> list[list[int]]:
    counts = [0] * (size * size)
    n = len(cells)
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
