"""Tries attacks on the modelled engine and keeps the one that costs most."""

import math
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import zip_longest

from evalbook.regex_safety.automaton.attacks import Attack, pumps, starts, suffixes
from evalbook.regex_safety.automaton.steps import OutOfSteps, Steps
from evalbook.regex_safety.automaton.surroundings import Surroundings
from evalbook.regex_safety.automaton.words import Words
from evalbook.regex_safety.engine_model import UNITS_PER_MILLISECOND, CostOf
from evalbook.regex_safety.growth import Growth, Point, measure

REFERENCE_COST = 100 * UNITS_PER_MILLISECOND
REFUSED_LENGTH = 1_000
_SCREEN_STEPS = 800_000
_SCREEN_SIZES = ((1, 12), (6, 36))
_SCREEN_LIMIT = 15_000
_SCREEN_LEAST = 12
_SCREENED_CHARACTERS = 3
_STEEPEST = 12
_FIRST_ENDS = 3
_MIN_PUMPS = 4
_RESCREENED = 6
_MEASURED = 6
_FORKING = 4
_FORKING_STEPS = 1_000_000
_GROWTH_LIMIT = 30_000
_GROWTH_STEPS = 600_000
_DEEP = 2
_DEEP_LIMIT = 120_000
_DEEP_STEPS = 600_000
_CONFIRM_LIMIT = 900_000
_MAX_CONFIRMED = 20_000


def reference_length(growth: Growth) -> float:
    """Give the length of the text on which a match takes 100 ms on the reference machine."""
    return growth.length_at(REFERENCE_COST)


def _severity(growth: Growth) -> tuple[bool, float]:
    """Return what sorts the worst growth first: an exponential one is the worst whatever it costs to begin with."""
    return not growth.exponential, reference_length(growth)


@dataclass(frozen=True, slots=True)
class Trial:
    """What attacks are tried on; `bound` is the sum of the counts up to which the pattern repeats."""

    cost_of: CostOf
    words: Words
    steps: Steps
    whole: bool
    bound: int
    around: Surroundings

    def worst(self) -> Growth | None:
        """Give the growth that reaches 100 ms first, if an attack makes a match grow; raises `OutOfSteps`."""
        first = self._first()
        found = self._measured(first, math.inf)
        if found is None or not (found.exponential or reference_length(found) <= REFUSED_LENGTH):
            with suppress(OutOfSteps):
                best = math.inf if found is None else reference_length(found)
                found = self._measured(self._second(first), best) or found
        return found

    def _first(self) -> list[Attack]:
        """Give the attacks that promise to cost most, one a pump; raises `OutOfSteps` if too few could be tried."""
        by_pump: dict[str, Attack] = {}
        for attack in self._ranked(self._attacks(), Steps(_SCREEN_STEPS, self.steps)):
            by_pump.setdefault(attack.pump, attack)
        return list(by_pump.values())

    def _attacks(self) -> list[Attack]:
        """Return attacks, one of each pump in turn, so that no pump's use up the steps of the others."""
        by_pump: list[list[Attack]] = []
        for number, (pump, forks) in enumerate(pumps(self.words).items()):
            attacks: list[Attack] = []
            by_pump.append(attacks)
            try:
                for prefix, position in starts(self.words, pump, self.around.before, search=not self.whole):
                    ends = suffixes(self.words, position, self.around.ahead)[:_FIRST_ENDS]
                    attacks.extend(Attack(prefix, pump, end, position, forks) for end in ends)
            except OutOfSteps:
                if number < _MIN_PUMPS:
                    raise
                break
        return [attack for turn in zip_longest(*by_pump) for attack in turn if attack is not None]

    def _second(self, first: list[Attack]) -> list[Attack]:
        """Give the best of *first* with the ends that fit them best."""
        attacks: list[Attack] = []
        steps = Steps(_SCREEN_STEPS, self.steps)
        with suppress(OutOfSteps):
            for attack in first[:_RESCREENED]:
                ends = suffixes(self.words, attack.position, self.around.ahead)[_FIRST_ENDS:]
                attacks.extend(self._ranked([replace(attack, suffix=end) for end in ends], steps)[:1])
        return self._ranked(attacks, Steps(_SCREEN_STEPS, self.steps))

    def _ranked(self, attacks: Iterable[Attack], steps: Steps) -> list[Attack]:
        promises: list[tuple[float, int, Attack]] = []
        try:
            promises.extend((-self._promise(attack, steps), i, attack) for i, attack in enumerate(attacks))
        except OutOfSteps:
            if not promises:
                raise
        return [attack for _, _, attack in sorted(promises, key=lambda promise: promise[:2])]

    def _promise(self, attack: Attack, steps: Steps) -> float:
        """Estimate the cost of a long text from two short ones."""
        small, large = (max(least, length // len(attack.pump)) for least, length in _SCREEN_SIZES)
        high = self._cost(attack.text(large), steps)
        if high is not None and high < _SCREEN_LEAST * large * min(len(attack.pump), _SCREENED_CHARACTERS):
            return 0
        low = self._cost(attack.text(small), steps)
        if high is None:
            return math.inf if low is None else _SCREEN_LIMIT * 1e6 / low
        slope = math.log(high / (low or high)) / math.log(large / small)
        ratio: float = (REFUSED_LENGTH / (large * len(attack.pump))) ** min(slope, _STEEPEST)
        return high * ratio

    def _cost(self, text: str, steps: Steps) -> int | None:
        return self.cost_of(text, steps, limit=_SCREEN_LIMIT)

    def _measured(self, attacks: list[Attack], best: float) -> Growth | None:
        """Give the growth that reaches 100 ms first, if it does so in fewer characters than *best*."""
        steps = Steps(_GROWTH_STEPS, self.steps)
        forking = [attack for attack in attacks if attack.forks][:_FORKING]
        others = [attack for attack in attacks[:_MEASURED] if attack not in forking]
        measured = [self._grown(Growth(attack, ()), steps, _GROWTH_LIMIT) for attack in others]
        steps = Steps(_FORKING_STEPS, self.steps)
        measured += [self._grown(Growth(attack, ()), steps, _DEEP_LIMIT) for attack in forking]
        grown = [growth for growth in measured if len(growth.points) > 1]
        if attacks and not grown:
            raise OutOfSteps
        promising = sorted((g for g in grown if g.exponential or reference_length(g) < best), key=_severity)
        return min((self._deepened(growth) for growth in promising[:_DEEP]), key=_severity, default=None)

    def _deepened(self, growth: Growth) -> Growth:
        growth = self._grown(growth, Steps(_DEEP_STEPS, self.steps), _DEEP_LIMIT)
        if self.bound and (growth.exponential or reference_length(growth) <= REFUSED_LENGTH):
            return self._confirmed(growth)
        return growth

    def _confirmed(self, growth: Growth) -> Growth:
        """Measure again where the pattern's counts are used up, since growth may end there, if that can be measured."""
        steps = Steps(2 * _CONFIRM_LIMIT)
        points: list[Point] = []
        for count in (self.bound * 5 // 4, self.bound * 2):
            repeats = count if growth.exponential else math.ceil(count / len(growth.attack.pump))
            text = growth.attack.text(repeats)
            within = len(text) < (_MAX_CONFIRMED if growth.exponential else REFUSED_LENGTH)
            found = self.cost_of(text, steps, limit=_CONFIRM_LIMIT) if within else None
            if found is None or (points and points[-1].repeats == repeats):
                return growth
            points.append(Point(repeats, len(text), found))
        return Growth(growth.attack, tuple(points))

    def _grown(self, growth: Growth, steps: Steps, limit: int) -> Growth:
        return measure(self.cost_of, growth, steps, limit=limit)
