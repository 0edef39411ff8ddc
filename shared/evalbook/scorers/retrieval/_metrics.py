"""The metrics of information retrieval over ranked distinct ids, as trec_eval defines them.

Precision, recall, F1, success (hit rate), reciprocal rank, average precision and R-precision are fractions and computed
exactly; nDCG (Järvelin and Kekäläinen, 2002; linear gain, discount log2(rank + 1)) is a double.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from math import log2
from typing import Final

from evalbook.scorers.retrieval._labels import Labels


@dataclass(frozen=True, slots=True)
class Ranking:
    """The distinct ids that are examined, best first, the labels, and the k that cut them off (None: none did)."""

    examined: Sequence[str]
    labels: Labels
    k: int | None = None
    by_k: bool = False
    """Whether precision divides by k, the classical P@k."""

    @property
    def ranks(self) -> list[int]:
        """The ranks of the relevant ids among those examined, from 1."""
        return [rank for rank, one in enumerate(self.examined, 1) if one in self.labels.ids]


@dataclass(frozen=True, slots=True)
class MetricValue:
    """A metric's value, 0 to 1, and how an explanation says it."""

    value: Fraction
    shown: str


def _share(part: int, whole: int) -> MetricValue:
    return MetricValue(Fraction(part, whole), f"{part}/{whole}")


def _fraction(value: Fraction) -> MetricValue:
    return MetricValue(value, f"{float(value):.4f}")


def _precision(ranking: Ranking) -> MetricValue:
    whole = ranking.k if ranking.by_k and ranking.k is not None else len(ranking.examined)
    return _share(len(ranking.ranks), whole)


def _recall(ranking: Ranking) -> MetricValue:
    return _share(len(ranking.ranks), len(ranking.labels.ids))


def _f1(ranking: Ranking) -> MetricValue:
    """2·hits / (examined + relevant), defined wherever these are."""
    examined = ranking.k if ranking.by_k and ranking.k is not None else len(ranking.examined)
    return _share(2 * len(ranking.ranks), examined + len(ranking.labels.ids))


def _hit_rate(ranking: Ranking) -> MetricValue:
    return _share(1 if ranking.ranks else 0, 1)


def _reciprocal_rank(ranking: Ranking) -> MetricValue:
    ranks = ranking.ranks
    return _share(1, ranks[0]) if ranks else _share(0, 1)


def _average_precision(ranking: Ranking) -> MetricValue:
    precisions = [Fraction(hits, rank) for hits, rank in enumerate(ranking.ranks, 1)]
    return _fraction(_sum(precisions) / len(ranking.labels.ids))


def _sum(fractions: Sequence[Fraction]) -> Fraction:
    """Return the sum, by halves: adding one by one would carry the largest denominator through every step."""
    if len(fractions) <= 1:
        return fractions[0] if fractions else Fraction(0)
    middle = len(fractions) // 2
    return _sum(fractions[:middle]) + _sum(fractions[middle:])


def _r_precision(ranking: Ranking) -> MetricValue:
    relevant = len(ranking.labels.ids)
    return _share(sum(rank <= relevant for rank in ranking.ranks), relevant)


def _ndcg(ranking: Ranking) -> MetricValue:
    gains = ranking.labels.gains
    found = _dcg([float(gains.get(one, 0)) for one in ranking.examined])
    ideal = _dcg([float(gain) for gain in islice(sorted(gains.values(), reverse=True), ranking.k)])
    return _fraction(Fraction(min(found / ideal, 1.0)))


def _dcg(gains: Sequence[float]) -> float:
    return sum(gain / log2(rank + 1) for rank, gain in enumerate(gains, 1) if gain)


METRICS: Final[Mapping[str, Callable[[Ranking], MetricValue]]] = {
    "precision": _precision,
    "recall": _recall,
    "f1": _f1,
    "hit_rate": _hit_rate,
    "reciprocal_rank": _reciprocal_rank,
    "average_precision": _average_precision,
    "r_precision": _r_precision,
    "ndcg": _ndcg,
}
