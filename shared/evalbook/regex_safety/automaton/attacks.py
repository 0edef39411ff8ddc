"""Makes attack texts: a way in, a word to repeat, and an end that makes the match fail."""

from collections.abc import Iterator
from dataclasses import dataclass

from evalbook.regex_safety.automaton.ambiguity import crossing_words, doubled_words
from evalbook.regex_safety.automaton.words import Words

MAX_PUMPS = 24
MAX_PUMP_LENGTH = 60
MAX_WAYS = 4


@dataclass(frozen=True, slots=True)
class Attack:
    """The texts `prefix + pump * n + suffix`; `position` is where in the automaton the pump loops."""

    prefix: str
    pump: str
    suffix: str
    position: int

    def text(self, repeats: int) -> str:
        """Give the text with that many repeats of the pump."""
        return self.prefix + self.pump * repeats + self.suffix


def pumps(words: Words) -> list[str]:
    """Give words worth repeating, the most promising first."""
    found: dict[str, None] = {}
    for source in (_letters(words), doubled_words(words), crossing_words(words), _cycles(words), _ways_in(words)):
        for word in source:
            if word and len(word) <= MAX_PUMP_LENGTH:
                found.setdefault(word)
            if len(found) >= MAX_PUMPS:
                return list(found)
    return list(found)


def _letters(words: Words) -> Iterator[str]:
    """Yield the characters that the most positions can repeat, one for each set of such positions."""
    sets = words.automaton.sets
    looping = words.looping()
    alike: dict[tuple[int, ...], str] = {}
    for letter in words.alphabet.characters:
        positions = tuple(p for p in looping if letter in sets[p] and words.after([p], letter))
        if positions:
            alike.setdefault(positions, letter)
    ranked = sorted(alike, key=len, reverse=True)
    yield from (alike[positions] for positions in ranked[:8])


def _cycles(words: Words) -> Iterator[str]:
    heads: dict[int, int] = {}
    for position in words.looping():
        head = heads.setdefault(words.component[position], position)
        yield words.cycle(head, position)


def _ways_in(words: Words) -> Iterator[str]:
    seen = set()
    for position in words.looping():
        if words.component[position] not in seen:
            seen.add(words.component[position])
            yield words.way_in(position)
            yield words.way_in(position)[:-1]


def starts(words: Words, pump: str, *, search: bool) -> list[tuple[str, int]]:
    """Give ways in to the first positions where *pump* loops, the shortest first.

    With the rest of a match in front of it the engine finds the text that it requires; in a search there may be no way
    in at all.
    """
    looping = words.looping()
    loops = [p for p in looping if words.loops(p, pump)] or [p for p in looping if pump[-1] in words.automaton.sets[p]]
    found: dict[str, int] = {}
    for way, position in sorted(((words.way_in(p), p) for p in loops), key=lambda way: len(way[0])):
        found.setdefault(way, position)
    ways = list(found.items())[:MAX_WAYS]
    if ways:
        way, position = ways[0]
        found = dict([*ways, (way + words.way_out(position), position)])
    if search:
        found.setdefault("", ways[0][1] if ways else 0)
    return list(found.items())


def suffixes(words: Words, position: int) -> list[str]:
    """Give ends after which a match fails, with what the engine looks for before it matches."""
    killers = _killers(words)
    whole, out = words.whole(), words.way_out(position)
    ends = [killers[0] + whole, killers[0], "", *(killer + tail for killer in killers for tail in (out, whole, ""))]
    return list(dict.fromkeys([*ends, whole[:-1], out[:-1], whole, out]))


def _killers(words: Words) -> list[str]:
    sets = words.automaton.sets
    ranked = sorted(words.alphabet.characters, key=lambda c: sum(c in characters for characters in sets))
    return list(dict.fromkeys([ranked[0], "\n", *ranked[1:2]]))
