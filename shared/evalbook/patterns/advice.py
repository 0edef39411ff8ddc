"""Says in an author's terms which part of a pattern blows up, and what to write instead."""

from contextlib import suppress

from evalbook.patterns.growth import Growth
from evalbook.patterns.problem import PatternProblem, Reason
from evalbook.patterns.steps import OutOfSteps
from evalbook.patterns.syntax import Part, Place, Repeat, Single, walk
from evalbook.patterns.words import Words

_QUOTED = 60
_SPECIAL_IN_CLASS = frozenset("]\\^-[")


def explain(reason: Reason, growth: Growth, length: int, pattern: str, part: Part, words: Words) -> PatternProblem:
    """Make the problem of *pattern* that *growth* shows: at *length* characters a match takes 100 ms."""
    if reason is Reason.EXPONENTIAL:
        nested = nested_repeat(growth.attack.pump, part, words)
        around = _around(words.automaton.places[growth.attack.position], part) if nested is None else [nested]
        place = next(
            (r.place for r in around if not isinstance(r.body, Single)), around[0].place if around else part.place
        )
        text = f"its turns can share out the same text in many ways, so a failing match tries them all ({length} characters can take 100 ms); "
        advice = "let every turn begin with a character that no turn can contain or end with, or write the repeat with ++ or *+, or inside (?>...)"
        return _problem(reason, place, pattern, text + advice, length)
    repeats = _competing(growth, part, words)
    text = "on a failing match this is tried from very many positions, "
    if len(repeats) > 1:
        text = (
            "this and "
            + " and ".join(_quote(pattern, r.place) for r in repeats[1:3])
            + " compete for the same characters, "
        )
    place = repeats[0].place if repeats else part.place
    text += f"so a text of {length} characters can take 100 ms and the time grows with a power of its length; "
    return _problem(reason, place, pattern, text + _advice(pattern, part, repeats), length)


def nested_repeat(pump: str, part: Part, words: Words) -> Repeat | None:
    """Give the innermost repeat without an upper count that has another one inside, with which it shares out *pump* in several ways."""
    with suppress(OutOfSteps):
        for position in words.ambiguous(pump):
            endless = [r for r in _around(words.automaton.places[position], part) if r.high is None]
            if len(endless) > 1:
                return endless[1]
    return None


def _problem(reason: Reason, place: Place, pattern: str, text: str, length: int) -> PatternProblem:
    message = f"at characters {place.start} to {place.end}, {_quote(pattern, place)}: {text}"
    return PatternProblem(reason, place.start, place.end, message, length)


def _quote(pattern: str, place: Place) -> str:
    text = pattern[place.start : place.end]
    return text if len(text) <= _QUOTED else text[:_QUOTED] + "..."


def _competing(growth: Growth, part: Part, words: Words) -> list[Repeat]:
    """Give the repeats that the attack's pump turns in one after another, in the order of the pattern, the innermost at each position."""
    pump = growth.attack.pump
    positions = [p for p in words.looping() if words.loops(p, pump)] or [growth.attack.position]
    reached = words.after(positions[:1], pump * 6)
    found: dict[Place, Repeat] = {}
    for position in positions:
        if position in reached or position == positions[0]:
            for repeat in _around(words.automaton.places[position], part)[:1]:
                found.setdefault(repeat.place, repeat)
    return sorted(found.values(), key=lambda repeat: repeat.place.start)


def _around(place: Place, part: Part) -> list[Repeat]:
    """Give the repeats around *place*, the innermost first."""
    repeats = [p for p in walk(part) if isinstance(p, Repeat) and (p.high is None or p.high > 1)]
    return [r for r in reversed(repeats) if r.place.start <= place.start and place.end <= r.place.end]


def _advice(pattern: str, part: Part, repeats: list[Repeat]) -> str:
    for repeat in reversed(repeats):
        stop = _stop(part, repeat)
        if stop is not None:
            sign = "+" if repeat.low else "*"
            rest = " and leave out the repeats beside it that match the same characters" if len(repeats) > 1 else ""
            return f"write {stop}{sign} instead of {_quote(pattern, repeat.place)}{rest}"
    return "let each repeat stop at a character that the next one cannot match, leave one of them out, or write an upper count such as {0,50}"


def _stop(part: Part, repeat: Repeat) -> str | None:
    """Give a class of all characters but the one that has to follow *repeat*, if the repeat takes that one too."""
    if not isinstance(repeat.body, Single):
        return None
    optional = [p.place for p in walk(part) if isinstance(p, Repeat) and p.low == 0]
    for following in walk(part):
        place = following.place
        if not isinstance(following, Single) or following.atom.character is None or place.start < repeat.place.end:
            continue
        if any(o.start <= place.start < o.end for o in optional):
            continue
        character = following.atom.character
        if not repeat.body.atom.matches(character) or repeat.body.atom.character is not None:
            return None
        shown = (
            "\\" + character if character in _SPECIAL_IN_CLASS else {"\n": "\\n", "\t": "\\t"}.get(character, character)
        )
        return f"[^{shown}]"
    return None
