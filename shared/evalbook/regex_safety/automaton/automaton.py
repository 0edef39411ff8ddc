"""The position automaton of a pattern, from which attack texts are made.

A position is one character of the pattern. Counts are cut short, look-aheads are dead branches and back-references
copies of their groups: an attack made from it need not work, it is tried on the modelled engine.
"""

from dataclasses import dataclass

from evalbook.regex_safety.automaton.steps import OutOfSteps, Steps
from evalbook.regex_safety.syntax.syntax import (
    Atom,
    Atomic,
    BackReference,
    Choice,
    Conditional,
    Group,
    Look,
    Part,
    Place,
    Repeat,
    Sequence,
    Single,
    children,
    walk,
)

MAX_POSITIONS = 2_500
MAX_EDGES = 120_000
_MAX_COPIES_OF_ONE = 40
_MAX_COPIES = 4


@dataclass(frozen=True, slots=True)
class PatternSpan:
    """The positions at which a part can begin and end, and whether it can be empty."""

    first: tuple[int, ...]
    last: tuple[int, ...]
    empty: bool


class Automaton:
    """Positions with the characters they match, their place in the pattern and the positions that can follow.

    Raises `OutOfSteps` where there are more than `MAX_POSITIONS` positions or `MAX_EDGES` ways between them.
    """

    def __init__(self, part: Part, sets: dict[Atom, frozenset[str]]) -> None:
        self.sets: list[frozenset[str]] = []
        self.places: list[Place] = []
        self.follow: list[dict[int, None]] = []
        self._atoms = sets
        self._groups = {p.number: p.body for p in walk(part) if isinstance(p, Group)}
        self._referring = 0
        self._edges = Steps(MAX_EDGES)
        self.span = self._build(part)

    def _build(self, part: Part) -> PatternSpan:
        match part:
            case Single(atom=atom, place=place):
                return self._position(self._atoms[atom], place)
            case Sequence(items=items):
                return self._sequence(items)
            case Repeat():
                return self._repeat(part)
            case Choice() | Conditional():
                return _either([self._build(child) for child in children(part)])
            case _:
                return self._enclosed(part)

    def _enclosed(self, part: Part) -> PatternSpan:
        match part:
            case Group(body=body) | Atomic(body=body):
                return self._build(body)
            case Look(body=body, width=None):
                return PatternSpan(self._build(body).first, (), empty=True)
            case BackReference(number=number):
                return self._copy(number)
            case _:
                return _EMPTY

    def _position(self, characters: frozenset[str], place: Place) -> PatternSpan:
        if len(self.sets) >= MAX_POSITIONS:
            raise OutOfSteps
        self.sets.append(characters)
        self.places.append(place)
        self.follow.append({})
        here = (len(self.sets) - 1,)
        return PatternSpan(here, here, empty=False)

    def _sequence(self, items: tuple[Part, ...]) -> PatternSpan:
        whole = _EMPTY
        for item in items:
            whole = self._join(whole, self._build(item))
        return whole

    def _join(self, left: PatternSpan, right: PatternSpan) -> PatternSpan:
        self._link(left.last, right.first)
        first = left.first + right.first if left.empty else left.first
        last = right.last + left.last if right.empty else right.last
        return PatternSpan(first, last, empty=left.empty and right.empty)

    def _link(self, sources: tuple[int, ...], targets: tuple[int, ...]) -> None:
        self._edges.take(len(sources) * len(targets))
        for source in sources:
            self.follow[source].update(dict.fromkeys(targets))

    def _repeat(self, part: Repeat) -> PatternSpan:
        most = _MAX_COPIES_OF_ONE if isinstance(part.body, Single) else _MAX_COPIES
        whole = turn = _EMPTY
        for _ in range(min(part.low, most)):
            turn = self._build(part.body)
            whole = self._join(whole, turn)
        if part.high != part.low:
            turn = self._build(part.body)
            whole = self._join(whole, PatternSpan(turn.first, turn.last, empty=True))
        if part.high is None or part.high > 1:
            self._link(turn.last, turn.first)
        return whole

    def _copy(self, number: int) -> PatternSpan:
        if self._referring > 1 or number not in self._groups:
            return _EMPTY
        self._referring += 1
        span = self._build(self._groups[number])
        self._referring -= 1
        return PatternSpan(span.first, span.last, empty=True)


_EMPTY = PatternSpan((), (), empty=True)


def _either(spans: list[PatternSpan]) -> PatternSpan:
    first = tuple(dict.fromkeys(position for span in spans for position in span.first))
    last = tuple(dict.fromkeys(position for span in spans for position in span.last))
    return PatternSpan(first, last, empty=any(span.empty for span in spans))
