"""Rewrites alternatives as the engine does before it matches.

Common beginnings move out in front, and single characters side by side join into one set.
"""

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from evalbook.regex_safety.syntax.syntax import Assertion, Atom, Atomic, BackReference, Choice, Part, Sequence, Single


class Joined(NamedTuple):
    """One character out of `characters`: alternatives that were joined, all under the same engine `flags`."""

    characters: frozenset[str]
    flags: int


Item: TypeAlias = Part | Joined
"""A part of the pattern, or one character out of a joined set."""


class Rewriter:
    """Flattens parts into items; `sets` are the characters that each atom matches."""

    def __init__(self, sets: Mapping[Atom, frozenset[str]]) -> None:
        self.sets = sets
        self._splits: dict[int, tuple[list[Item], list[list[Item]]]] = {}

    def flatten(self, part: Part) -> list[Item]:
        """Give the items of *part* one after another, with alternatives rewritten."""
        if isinstance(part, Sequence):
            return [item for inner in part.items for item in self.flatten(inner)]
        if isinstance(part, Choice):
            prefix, options = self.split(part)
            return [*prefix, *options[0]] if len(options) == 1 else [part]
        return [part]

    def split(self, choice: Choice) -> tuple[list[Item], list[list[Item]]]:
        """Give the common beginning of the alternatives and what is left of each."""
        known = self._splits.get(id(choice))
        if known is None:
            options = [inner for option in choice.options for inner in self._options(option)]
            length = self._common(options)
            known = options[0][:length], self._join([items[length:] for items in options])
            self._splits[id(choice)] = known
        return known

    def character_set(self, items: list[Item]) -> frozenset[str] | None:
        """Give the set of characters that *items* match, if they match exactly one and capture nothing."""
        if len(items) != 1:
            return None
        item = items[0]
        if isinstance(item, Single):
            return self.sets[item.atom]
        return item.characters if isinstance(item, Joined) else None

    def _options(self, option: Part) -> list[list[Item]]:
        """Give *option*, or its own alternatives where it is nothing but those."""
        items = self.flatten(option)
        if len(items) == 1 and isinstance(items[0], Choice):
            prefix, inner = self.split(items[0])
            return inner if not prefix else [items]
        return [items]

    def _join(self, options: list[list[Item]]) -> list[list[Item]]:
        joined: list[list[Item]] = []
        last: Joined | None = None
        for items in options:
            single = self._joinable(items)
            if single is not None and last is not None and single.flags == last.flags:
                single = Joined(single.characters | last.characters, single.flags)
                joined.pop()
            joined.append(items if single is None else [single])
            last = single
        return joined

    def _joinable(self, items: list[Item]) -> Joined | None:
        match items:
            case [Joined() as joined]:
                return joined
            case [Single(atom=atom)] if atom.joins:
                return Joined(self.sets[atom], atom.flags)
            case _:
                return None

    def _common(self, options: list[list[Item]]) -> int:
        length = 0
        while all(len(items) > length for items in options):
            keys = {self._key(items[length]) for items in options}
            if len(keys) > 1 or None in keys:
                break
            length += 1
        return length

    def _key(self, item: Item) -> object:
        """Return what tells an item apart: of a character the ones that it matches, however it is spelled.

        The engine takes some spellings of one set for different. Taking them for the same moves more out in front, and
        alternatives that are nothing else stay apart as empty ones: that never hides a way to match.
        """
        match item:
            case Single(atom=atom):
                return self.sets[atom]
            case Assertion(edge=key) | BackReference(number=key):
                return key
            case Joined(characters=key):
                return key
            case Atomic():
                return item
            case _:
                return None
