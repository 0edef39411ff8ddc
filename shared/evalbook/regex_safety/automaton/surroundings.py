"""Finds the text that zero-width tests want around a match, which the automaton itself does not spell."""

from typing import NamedTuple

from evalbook.regex_safety.automaton.alphabet import Alphabet
from evalbook.regex_safety.automaton.automaton import Automaton
from evalbook.regex_safety.automaton.steps import Steps
from evalbook.regex_safety.automaton.words import Words
from evalbook.regex_safety.syntax.syntax import Assertion, Edge, Look, Part, walk

_STEPS = 20_000
_MAX_BEFORE = 4
_WORD_EDGES = frozenset((Edge.WORD, Edge.NOT_WORD, Edge.WORD_START, Edge.WORD_END))


class Surroundings(NamedTuple):
    """Texts that may have to stand before a match, and one that look-aheads may have to find behind it."""

    before: tuple[str, ...] = ()
    ahead: str = ""


def surroundings(part: Part, alphabet: Alphabet) -> Surroundings:
    """Return what the zero-width tests of *part* want; raises `OutOfSteps`."""
    return Surroundings(_before(part, alphabet), _ahead(part, alphabet))


def _before(part: Part, alphabet: Alphabet) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for inner in walk(part):
        if isinstance(inner, Look) and inner.width and not inner.negative:
            found.setdefault(_shortest(inner.body, alphabet))
        elif isinstance(inner, Assertion) and inner.edge in _WORD_EDGES:
            found.update(dict.fromkeys(_one_of_each_kind(alphabet)))
        elif isinstance(inner, Assertion) and inner.edge is Edge.LINE_START:
            found.setdefault("\n")
    return tuple(text for text in found if text)[:_MAX_BEFORE]


def _ahead(part: Part, alphabet: Alphabet) -> str:
    looks = [inner for inner in walk(part) if isinstance(inner, Look) and inner.width is None and not inner.negative]
    return "".join(dict.fromkeys(_shortest(look.body, alphabet) for look in looks))


def _shortest(part: Part, alphabet: Alphabet) -> str:
    return Words(Automaton(part, alphabet.sets), alphabet, Steps(_STEPS)).whole()


def _one_of_each_kind(alphabet: Alphabet) -> list[str]:
    kinds: dict[bool, str] = {}
    for character in alphabet.characters:
        kinds.setdefault(character == "_" or character.isalnum(), character)
    return list(kinds.values())
