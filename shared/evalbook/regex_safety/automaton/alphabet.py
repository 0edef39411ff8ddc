"""A pattern's own small alphabet: one character for each set of characters that the pattern cannot tell apart."""

import unicodedata
from collections.abc import Iterable
from sys import maxunicode

from evalbook.regex_safety.syntax.problem import Reason, refuse
from evalbook.regex_safety.syntax.syntax import Atom, Part, Single, walk

MAX_CHARACTERS = 200
MAX_TESTS = 60_000
_COMMON = 'a0 !A_-.,\n\t\r/"\x00é'
"""Characters that stand for what patterns usually tell apart; of those that a pattern does not, the first is taken."""


class Alphabet:
    """Characters and, for each atom of the pattern, those that it matches."""

    def __init__(self, part: Part) -> None:
        atoms = list(dict.fromkeys(p.atom for p in walk(part) if isinstance(p, Single)))
        candidates = list(dict.fromkeys(_COMMON + "".join(_named(atoms))))
        if len(candidates) * len(atoms) > MAX_TESTS:
            raise refuse(
                Reason.TOO_COMPLEX, part.place.start, part.place.end, "too many different characters and classes"
            )
        self.characters = _distinct(atoms, candidates)
        if len(self.characters) > MAX_CHARACTERS:
            message = f"more than {MAX_CHARACTERS} characters that have to be told apart"
            raise refuse(Reason.TOO_COMPLEX, part.place.start, part.place.end, message)
        self.sets = {atom: frozenset(c for c in self.characters if atom.matches(c)) for atom in atoms}

    def word(self, sets: Iterable[frozenset[str]]) -> str:
        """Spell a text of one character out of each of *sets*, none of which may be empty."""
        return "".join(next(c for c in self.characters if c in chosen) for chosen in sets)


def _named(atoms: list[Atom]) -> list[str]:
    codes = dict.fromkeys(code for atom in atoms if atom.character for low, _ in atom.ranges for code in (low,))
    for atom in atoms:
        if not atom.character:
            for low, high in atom.ranges:
                codes.update(dict.fromkeys((low, high, low - 1, high + 1)))
    return [chr(code) for code in codes if 0 <= code <= maxunicode and unicodedata.category(chr(code)) != "Cs"]


def _distinct(atoms: list[Atom], candidates: list[str]) -> list[str]:
    seen: dict[tuple[object, ...], str] = {}
    for character in candidates:
        told_apart = (character == "\n", character.isalnum() or character == "_")
        seen.setdefault((told_apart, *(atom.matches(character) for atom in atoms)), character)
    return list(seen.values())
