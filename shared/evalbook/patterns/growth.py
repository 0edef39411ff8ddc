"""Measures how the cost of an attack grows, and estimates the length at which it reaches a given cost."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from evalbook.patterns.attacks import Attack
from evalbook.patterns.machine import Program, Run, TooCostly
from evalbook.patterns.steps import Steps

MAX_LENGTH = 1_000
_EXPONENTIAL_SLOPE = 3.5
_RISING = 0.25
_EXACT = 0.005
_FEW = 2
_LINEAR_LENGTH = 120
_LINEAR_SLOPE = 1.1
_FEW_FACTOR = 4
_LONGEST_EXPONENTIAL = 300


@dataclass(frozen=True, slots=True)
class Growth:
    """Repeats of the pump, lengths of the text and costs of the match, from short to long."""

    attack: Attack
    points: tuple[tuple[int, int, int], ...]

    @property
    def slope(self) -> float:
        """The growth's exponent at the largest sizes."""
        return self._slope(-1)

    def _slope(self, at: int) -> float:
        (n, _, cost), (m, _, more) = self.points[at - 1], self.points[at]
        return math.log(max(more, 1) / max(cost, 1)) / math.log(m / n)

    @property
    def exponential(self) -> bool:
        """Whether the exponent still rises with the size, as it does in exponential growth only."""
        if len(self.points) < 4:
            return len(self.points) > 1 and self.slope > 2 * _EXPONENTIAL_SLOPE
        if self.points[-1][1] > _LONGEST_EXPONENTIAL:
            return False
        return self.slope > _EXPONENTIAL_SLOPE and self.slope > self._slope(-3) * (1 + _RISING)

    def length_at(self, cost: int) -> float:
        """Estimate the length of the text whose match costs *cost* units."""
        n, length, last = self.points[-1]
        if self.slope <= 0.05 or len(self.points) < 2:
            return math.inf
        return length + len(self.attack.pump) * (self.repeats_at(cost) - n)

    def repeats_at(self, cost: int) -> float:
        """Estimate the repeats of the pump at which a match costs *cost* units."""
        (m, _, before), (n, _, last) = self.points[-2:]
        if last >= cost:
            return n
        if self.exponential:
            return n + math.log(cost / last) * (n - m) / math.log(last / before)
        return self._polynomial(cost)

    def _polynomial(self, cost: int) -> float:
        n, _, last = self.points[-1]
        low = 1.0
        high = (cost / last) ** (1 / max(self.slope, 0.3))
        for _ in range(30):
            middle = math.sqrt(low * high)
            if self._cost(n * middle) < cost:
                low = middle
            else:
                high = middle
        return n * high

    def _cost(self, repeats: float) -> float:
        """Extrapolate by the slope seen, or through the last four points where the four before them foretell the last."""
        n, _, last = self.points[-1]
        ratio = repeats / n
        least = last * ratio**self.slope
        points = [(float(m), float(c)) for m, _, c in self.points[-5:]]
        if len(points) < 5 or abs(_interpolate(points[:4], n) - last) > _EXACT * last:
            return least
        most = last * ratio ** (math.ceil(self.slope + 0.1) + 1)
        return min(max(_interpolate(points[1:], repeats), least), most)


def _interpolate(points: list[tuple[float, float]], x: float) -> float:
    total = 0.0
    for i, (xi, yi) in enumerate(points):
        for j, (xj, _) in enumerate(points):
            if i != j:
                yi *= (x - xj) / (xi - xj)  # noqa: PLW2901  (the product is built up)
        total += yi
    return total


def cost(program: Program, text: str, steps: Steps, *, whole: bool, limit: int) -> int | None:
    """Give what matching *text* costs; None if it is more than *limit*."""
    run = Run(program, text, whole=whole, limit=limit)
    try:
        return run.match() + 1
    except TooCostly:
        return None
    finally:
        steps.take(run.cost + len(text))


def measure(program: Program, growth: Growth, steps: Steps, *, whole: bool, limit: int) -> Growth:
    """Go on with the sizes measured so far until a match costs more than *limit*, the text is long enough or it grows no faster than its length."""
    points = list(growth.points)
    for repeats in _sizes(points[-1][0] if points else 0):
        text = growth.attack.text(repeats)
        if len(text) > MAX_LENGTH and len(points) > 1:
            break
        allowed = limit if len(points) > _FEW else limit * _FEW_FACTOR
        found = cost(program, text, steps, whole=whole, limit=allowed)
        if found is None:
            break
        points.append((repeats, len(text), found))
        if (
            len(text) > _LINEAR_LENGTH
            and len(points) > _FEW
            and Growth(growth.attack, tuple(points)).slope < _LINEAR_SLOPE
        ):
            break
    return Growth(growth.attack, tuple(points))


def confirmed(program: Program, growth: Growth, steps: Steps, *, whole: bool, limit: int, bound: int) -> Growth:
    """Measure again where counts that sum up to *bound* are used up, since growth may end there; the same growth if that costs more than *limit*."""
    points = []
    for length in (bound * 5 // 4, bound * 2):
        repeats = math.ceil(length / len(growth.attack.pump))
        text = growth.attack.text(repeats)
        found = cost(program, text, steps, whole=whole, limit=limit) if len(text) < MAX_LENGTH else None
        if found is None:
            return growth
        points.append((repeats, len(text), found))
    return Growth(growth.attack, tuple(points))


def _sizes(size: int) -> Iterator[int]:
    while True:
        size = size + 1 if size < 4 else size * 7 // 5
        yield size
