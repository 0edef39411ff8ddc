"""Tries attacks on the modelled engine and keeps the one that costs most."""

import math
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace

from evalbook.patterns.attacks import Attack, pumps, starts, suffixes
from evalbook.patterns.growth import Growth, confirmed, cost, measure
from evalbook.patterns.machine import UNITS_PER_MILLISECOND, Program
from evalbook.patterns.steps import OutOfSteps, Steps
from evalbook.patterns.words import Words

REFERENCE_COST = 100 * UNITS_PER_MILLISECOND
REFUSED_LENGTH = 1_000
_SCREEN_STEPS = 500_000
_SCREEN_SIZES = ((1, 12), (3, 36))
_SCREEN_LIMIT = 15_000
_SCREEN_LEAST = 12
_STEEPEST = 12
_FIRST_ENDS = 3
_RESCREENED = 6
_MEASURED = 6
_GROWTH_LIMIT = 30_000
_GROWTH_STEPS = 600_000
_DEEP = 2
_DEEP_LIMIT = 120_000
_DEEP_STEPS = 600_000
_CONFIRM_LIMIT = 900_000


def reference_length(growth: Growth) -> float:
    """Give the length of the text on which a match takes 100 ms on the reference machine."""
    return growth.length_at(REFERENCE_COST)


@dataclass(frozen=True, slots=True)
class Trial:
    """What attacks are tried on; `bound` is the sum of the counts up to which the pattern repeats."""

    program: Program
    words: Words
    steps: Steps
    whole: bool
    bound: int

    def worst(self) -> Growth | None:
        """Give the growth that reaches 100 ms first, if any attack can be measured; raises `OutOfSteps` if none could be tried."""
        first = self._first()
        found = self._measured(first, math.inf)
        if found is None or reference_length(found) > REFUSED_LENGTH:
            with suppress(OutOfSteps):
                best = math.inf if found is None else reference_length(found)
                found = self._measured(self._second(first), best) or found
        return found

    def _first(self) -> list[Attack]:
        """Give the attacks that promise to cost most, one for each pump."""
        attacks: list[Attack] = []
        for pump in pumps(self.words):
            with suppress(OutOfSteps):
                for prefix, position in starts(self.words, pump, search=not self.whole):
                    ends = suffixes(self.words, position)[:_FIRST_ENDS]
                    attacks.extend(Attack(prefix, pump, end, position) for end in ends)
        by_pump: dict[str, Attack] = {}
        for attack in self._ranked(attacks, Steps(_SCREEN_STEPS, self.steps)):
            by_pump.setdefault(attack.pump, attack)
        return list(by_pump.values())

    def _second(self, first: list[Attack]) -> list[Attack]:
        """Give the best of *first* with the ends that fit them best."""
        attacks: list[Attack] = []
        steps = Steps(_SCREEN_STEPS, self.steps)
        with suppress(OutOfSteps):
            for attack in first[:_RESCREENED]:
                ends = suffixes(self.words, attack.position)[_FIRST_ENDS:]
                attacks.extend(self._ranked([replace(attack, suffix=end) for end in ends], steps)[:1])
        return self._ranked(attacks, Steps(_SCREEN_STEPS, self.steps))

    def _ranked(self, attacks: Iterable[Attack], steps: Steps) -> list[Attack]:
        promises: list[tuple[float, int, Attack]] = []
        with suppress(OutOfSteps):
            promises.extend((-self._promise(attack, steps), i, attack) for i, attack in enumerate(attacks))
        return [attack for _, _, attack in sorted(promises, key=lambda promise: promise[:2])]

    def _promise(self, attack: Attack, steps: Steps) -> float:
        """Estimate the cost of a long text from two short ones."""
        small, large = (max(least, length // len(attack.pump)) for least, length in _SCREEN_SIZES)
        high = self._cost(attack.text(large), steps)
        if high is not None and high < _SCREEN_LEAST * large * len(attack.pump):
            return 0
        low = self._cost(attack.text(small), steps)
        if high is None:
            return math.inf if low is None else _SCREEN_LIMIT * 1e6 / low
        slope = math.log(high / (low or high)) / math.log(large / small)
        return high * (REFUSED_LENGTH / (large * len(attack.pump))) ** min(slope, _STEEPEST)

    def _cost(self, text: str, steps: Steps) -> int | None:
        return cost(self.program, text, steps, whole=self.whole, limit=_SCREEN_LIMIT)

    def _measured(self, attacks: list[Attack], best: float) -> Growth | None:
        """Give the growth that reaches 100 ms first, if it does so in fewer characters than *best*."""
        grown: list[Growth] = []
        steps = Steps(_GROWTH_STEPS, self.steps)
        with suppress(OutOfSteps):
            for attack in attacks[:_MEASURED]:
                grown.append(measure(self.program, Growth(attack, ()), steps, whole=self.whole, limit=_GROWTH_LIMIT))
        grown = sorted((g for g in grown if len(g.points) > 1 and reference_length(g) < best), key=reference_length)
        return min((self._deepened(growth) for growth in grown[:_DEEP]), key=reference_length, default=None)

    def _deepened(self, growth: Growth) -> Growth:
        with suppress(OutOfSteps):
            steps = Steps(_DEEP_STEPS, self.steps)
            growth = measure(self.program, growth, steps, whole=self.whole, limit=_DEEP_LIMIT)
        if self.bound and reference_length(growth) <= REFUSED_LENGTH:
            steps = Steps(2 * _CONFIRM_LIMIT)
            return confirmed(self.program, growth, steps, whole=self.whole, limit=_CONFIRM_LIMIT, bound=self.bound)
        return growth
