"""Measures how the cost of an attack grows, and estimates the length at which it reaches a given cost."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from evalbook.regex_safety.automaton.attacks import Attack
from evalbook.regex_safety.automaton.steps import OutOfSteps, Steps
from evalbook.regex_safety.engine_model import CostOf

MAX_LENGTH = 1_000
_EXPONENTIAL_SLOPE = 3.5
_LONGEST_EXPONENTIAL = 300
_MOST_EXPONENTIAL = 24
_RISING = 1.25
_FLAT_SLOPE = 0.05
_LINEAR_LENGTH = 120
_LINEAR_SLOPE = 1.1
_MIN_REPEATS = 16
"""A long pump is repeated this often, however long the text: before that a steep growth may not show."""
_FITTED = 4
_EXACT = 0.005
_FEW = 2
_FEW_FACTOR = 4
_HALVINGS = 16
_ORDER = 4
_MIN_DIFFERENCES = 3
_MIN_FACTOR = 1.3
_MIN_SHARE = 0.02
_IN_A_ROW = 10


class Point(NamedTuple):
    """One measurement: repeats of the pump, characters of the text, units of cost."""

    repeats: int
    length: int
    cost: int


@dataclass(frozen=True, slots=True)
class Growth:
    """What matching an attack's texts costs, from short to long."""

    attack: Attack
    points: tuple[Point, ...]

    @property
    def slope(self) -> float:
        """The growth's exponent at the largest sizes."""
        return self._slope(-1)

    def _slope(self, at: int) -> float:
        less, more = self.points[at - 1], self.points[at]
        return math.log(more.cost / less.cost) / math.log(more.repeats / less.repeats)

    @property
    def exponential(self) -> bool:
        """Whether the cost grows exponentially with the repeats.

        Either its differences keep growing where those of any everyday power are used up, or its exponent is high and
        still rises.
        """
        if len(self.points) < _FITTED:
            return False
        if _differences_multiply(self._costs_in_a_row()):
            return True
        last = self.points[-1]
        if last.length > _LONGEST_EXPONENTIAL and last.repeats > _MOST_EXPONENTIAL:
            return False
        return self.slope > _EXPONENTIAL_SLOPE and self.slope > self._slope(-3) * _RISING

    def _costs_in_a_row(self) -> list[int]:
        return [point.cost for repeats, point in enumerate(self.points, start=1) if point.repeats == repeats]

    def length_at(self, cost: int) -> float:
        """Estimate the length of the text whose match costs *cost* units; infinite if it does not grow."""
        if len(self.points) < _FEW or self.slope <= _FLAT_SLOPE:
            return math.inf
        last = self.points[-1]
        further: float = len(self.attack.pump) * (self._repeats_at(cost) - last.repeats)
        return last.length + further

    def _repeats_at(self, cost: int) -> float:
        less, last = self.points[-2:]
        if last.cost >= cost:
            return last.repeats
        if self.exponential:
            rate = math.log(last.cost / less.cost) / (last.repeats - less.repeats)
            return last.repeats + math.log(cost / last.cost) / rate
        low, high = 1.0, math.pow(cost / last.cost, 1 / self.slope)
        for _ in range(_HALVINGS):
            middle = math.sqrt(low * high)
            low, high = (middle, high) if self._extrapolated(middle) < cost else (low, middle)
        return last.repeats * high

    def _extrapolated(self, ratio: float) -> float:
        """Extrapolate by the slope seen, or through the last points where these foretell one another."""
        last = self.points[-1]
        least: float = last.cost * ratio**self.slope
        points = self.points[-_FITTED - 1 :]
        if len(points) <= _FITTED or abs(_interpolate(points[:-1], last.repeats) - last.cost) > _EXACT * last.cost:
            return least
        most: float = last.cost * ratio ** (math.ceil(self.slope + _LINEAR_SLOPE - 1) + 1)
        return min(max(_interpolate(points[1:], last.repeats * ratio), least), most)


def _differences_multiply(costs: list[int]) -> bool:
    """Say whether the fourth differences grow by a constant factor: those of a power up to the fourth do not grow."""
    differences = costs
    for _ in range(_ORDER):
        differences = [after - before for before, after in pairwise(differences)]
    if len(differences) < _MIN_DIFFERENCES or differences[-1] < costs[-1] * _MIN_SHARE:
        return False
    return all(0 < before * _MIN_FACTOR <= after for before, after in pairwise(differences[-_MIN_DIFFERENCES:]))


def _interpolate(points: tuple[Point, ...], repeats: float) -> float:
    """Give the cost on the polynomial through *points* (Lagrange)."""
    total = 0.0
    for point in points:
        others = (other.repeats for other in points if other is not point)
        total += point.cost * math.prod((repeats - other) / (point.repeats - other) for other in others)
    return total


def measure(cost_of: CostOf, growth: Growth, steps: Steps, *, limit: int) -> Growth:
    """Go on measuring at larger sizes.

    It ends when a match costs more than *limit*, the text is long enough, the cost grows no faster than it, or the
    steps are used up. The first points may cost a few times *limit*, since too few of them say nothing.
    """
    in_a_row = _IN_A_ROW if growth.attack.forks else _FITTED
    for repeats in _sizes(growth.points[-1].repeats if growth.points else 0, in_a_row):
        text = growth.attack.text(repeats)
        enough = len(growth.points) > _FEW
        if enough and repeats > _MIN_REPEATS and (len(text) > MAX_LENGTH or _is_linear(growth)):
            break
        try:
            found = cost_of(text, steps, limit=limit if enough else limit * _FEW_FACTOR)
        except OutOfSteps:
            break
        if found is None:
            break
        growth = Growth(growth.attack, (*growth.points, Point(repeats, len(text), found)))
    return growth


def _is_linear(growth: Growth) -> bool:
    return growth.points[-1].length > _LINEAR_LENGTH and growth.slope < _LINEAR_SLOPE


def _sizes(size: int, in_a_row: int) -> Iterator[int]:
    while True:
        size = size + 1 if size < in_a_row else size * 7 // 5
        yield size
