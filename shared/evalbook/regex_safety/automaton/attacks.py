"""Makes attack texts: a way in, a word to repeat, and an end that makes the match fail."""

from collections.abc import Iterator
from dataclasses import dataclass

from evalbook.regex_safety.automaton.ambiguity import crossing_words, forking_words
from evalbook.regex_safety.automaton.words import Words

MAX_PUMPS = 28
MAX_PUMP_LENGTH = 1_000
MAX_WAYS = 4


@dataclass(frozen=True, slots=True)
class Attack:
    """The texts `prefix + pump * n + suffix`; `position` is where in the automaton the pump loops.

    `forks` says whether the pump leads back there in two ways: on paper, such an attack is exponential.
    """

    prefix: str
    pump: str
    suffix: str
    position: int
    forks: bool = False

    def text(self, repeats: int) -> str:
        """Give the text with that many repeats of the pump."""
        return self.prefix + self.pump * repeats + self.suffix


def pumps(words: Words) -> dict[str, bool]:
    """Return words worth repeating, the most promising first, and whether each leads back in two ways."""
    forking = [word for word in forking_words(words) if word]
    found: dict[str, bool] = {}
    for source in (forking, _letters(words), crossing_words(words), _cycles(words), _ways_in(words)):
        for word in source:
            if word and len(word) <= MAX_PUMP_LENGTH:
                found.setdefault(word, word in forking)
            if len(found) >= MAX_PUMPS:
                return found
    return found


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


def starts(words: Words, pump: str, before: tuple[str, ...], *, search: bool) -> list[tuple[str, int]]:
    """Give ways in to the first positions where *pump* loops, the shortest first.

    With the rest of a match in front of it the engine finds the text that it requires; in a search there may be no way
    in at all. The texts *before* stand in front of the shortest way in, and in front of its last character instead of
    others.
    """
    ending = [p for p in words.looping() if pump[-1] in words.automaton.sets[p]]
    loops = [p for p in ending if words.loops(p, pump)] or ending
    found: dict[str, int] = {}
    for way, position in sorted(((words.way_in(p), p) for p in loops), key=lambda way: len(way[0])):
        found.setdefault(way, position)
    ways = list(found.items())[:MAX_WAYS]
    if ways:
        way, position = ways[0]
        found = dict([*ways, (way + words.way_out(position), position)])
        for text in before:
            found.setdefault(text + way, position)
            found.setdefault(way[: -1 - len(text)] + text + way[-1:], position)
    if search:
        found.setdefault("", ways[0][1] if ways else 0)
    return list(found.items())


def suffixes(words: Words, position: int, ahead: str) -> list[str]:
    """Return ends after which a match fails, with what the engine and look-aheads (*ahead*) look for before that."""
    killers = _killers(words)
    whole, out = words.whole(), words.way_out(position)
    ends = [
        ahead + killers[0] + whole,
        killers[0] + whole,
        killers[0],
        "",
        *(killer + tail for killer in killers for tail in (out, whole, "")),
    ]
    return list(dict.fromkeys([*ends, whole[:-1], out[:-1], whole, out]))


def _killers(words: Words) -> list[str]:
    sets = words.automaton.sets
    ranked = sorted(words.alphabet.characters, key=lambda c: sum(c in characters for characters in sets))
    return list(dict.fromkeys([ranked[0], "\n", *ranked[1:2]]))
