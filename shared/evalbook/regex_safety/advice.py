"""Says in an author's terms which part of a pattern blows up, and what to write instead."""

from contextlib import suppress
from dataclasses import dataclass

from evalbook.regex_safety.automaton.steps import OutOfSteps
from evalbook.regex_safety.automaton.words import Words
from evalbook.regex_safety.growth import Growth
from evalbook.regex_safety.syntax.problem import PatternProblem, Reason
from evalbook.regex_safety.syntax.syntax import Part, Place, Repeat, Single, walk

_QUOTED = 60
_SPECIAL_IN_CLASS = frozenset("]\\^-[")
_ESCAPED = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}
_TURNS = (
    "let every turn begin with a character that no turn can contain or end with, "
    "or write the repeat with ++ or *+, or inside (?>...)"
)
_STOPS = (
    "let each repeat stop at a character that the next one cannot match, leave one of them out, "
    "or write an upper count such as {0,50}"
)


@dataclass(frozen=True, slots=True)
class Advisor:
    """Explains what was found in `pattern`, whose tree is `part` and whose automaton is behind `words`."""

    pattern: str
    part: Part
    words: Words

    def explain(self, reason: Reason, growth: Growth, length: int) -> PatternProblem:
        """Make the problem that *growth* shows: on a text of *length* characters a match takes 100 ms."""
        if reason is Reason.EXPONENTIAL:
            place = self._turning(growth)
            text = (
                "its turns can share out the same text in many ways, so a failing match tries them all "
                f"({length} characters can take 100 ms); {_TURNS}"
            )
        else:
            repeats = self._competing(growth)
            place = repeats[0].place if repeats else self.part.place
            text = (
                f"{self._competition(repeats)}, so a text of {length} characters can take 100 ms and the time grows "
                f"with a power of its length; {self._remedy(repeats)}"
            )
        message = f"at characters {place.start} to {place.end}, {self._quote(place)}: {text}"
        return PatternProblem(reason, place.start, place.end, message, length)

    def nested_repeat(self, pump: str) -> Repeat | None:
        """Give the innermost repeat without an upper count that shares out *pump* with another such repeat inside."""
        with suppress(OutOfSteps):
            for position in self.words.ambiguous(pump):
                endless = [repeat for repeat in self._around(position) if repeat.high is None]
                if len(endless) > 1:
                    return endless[1]
        return None

    def _turning(self, growth: Growth) -> Place:
        nested = self.nested_repeat(growth.attack.pump)
        around = self._around(growth.attack.position) if nested is None else [nested]
        longer = [repeat for repeat in around if not isinstance(repeat.body, Single)]
        return next((repeat.place for repeat in longer + around), self.part.place)

    def _quote(self, place: Place) -> str:
        text = self.pattern[place.start : place.end]
        return text if len(text) <= _QUOTED else text[:_QUOTED] + "..."

    def _around(self, position: int) -> list[Repeat]:
        """Give the repeats around a position of the automaton, the innermost first."""
        place = self.words.automaton.places[position]
        repeats = [p for p in walk(self.part) if isinstance(p, Repeat) and (p.high is None or p.high > 1)]
        return [r for r in reversed(repeats) if r.place.start <= place.start and place.end <= r.place.end]

    def _competing(self, growth: Growth) -> list[Repeat]:
        """Give the innermost repeats that the attack's pump turns in one after another, in the order of the pattern."""
        words, pump = self.words, growth.attack.pump
        positions = [p for p in words.looping() if words.loops(p, pump)] or [growth.attack.position]
        reached = words.after(positions[:1], pump * 6)
        found: dict[Place, Repeat] = {}
        for position in positions:
            if position in reached or position == positions[0]:
                for repeat in self._around(position)[:1]:
                    found.setdefault(repeat.place, repeat)
        return sorted(found.values(), key=lambda repeat: repeat.place.start)

    def _competition(self, repeats: list[Repeat]) -> str:
        if len(repeats) < 2:  # noqa: PLR2004  (competition takes two)
            return "on a failing match this is tried from very many positions"
        others = " and ".join(self._quote(repeat.place) for repeat in repeats[1:3])
        return f"this and {others} compete for the same characters"

    def _remedy(self, repeats: list[Repeat]) -> str:
        for repeat in reversed(repeats):
            stop = self._stop(repeat)
            if stop is not None:
                others = " and leave out the repeats beside it that match the same characters" if repeats[1:] else ""
                return f"write {stop}{'+' if repeat.low else '*'} instead of {self._quote(repeat.place)}{others}"
        return _STOPS

    def _stop(self, repeat: Repeat) -> str | None:
        """Give a class of all characters but the one that has to follow *repeat*, if the repeat takes that one too."""
        if not isinstance(repeat.body, Single) or repeat.body.atom.character is not None:
            return None
        character = self._following(repeat.place.end)
        if character is None or not repeat.body.atom.matches(character):
            return None
        shown = f"\\{character}" if character in _SPECIAL_IN_CLASS else _ESCAPED.get(character, character)
        return f"[^{shown}]"

    def _following(self, end: int) -> str | None:
        optional = [p.place for p in walk(self.part) if isinstance(p, Repeat) and p.low == 0]
        for part in walk(self.part):
            if isinstance(part, Single) and part.atom.character is not None and part.place.start >= end:
                inside = any(place.start <= part.place.start < place.end for place in optional)
                if not inside:
                    return part.atom.character
        return None
