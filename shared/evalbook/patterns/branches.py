"""Rewrites alternatives as the engine does before it matches: common beginnings move out, single characters join into sets."""

from collections.abc import Mapping
from typing import TypeAlias

from evalbook.patterns.syntax import Assertion, Atom, Atomic, BackReference, Choice, Part, Sequence, Single

Sets: TypeAlias = Mapping[Atom, frozenset[str]]
Item: TypeAlias = Part | frozenset[str]
"""A part of the pattern, or one character out of a joined set."""


def flatten(part: Part, sets: Sets) -> list[Item]:
    """Give the items of *part* one after another, with alternatives rewritten."""
    if isinstance(part, Sequence):
        return [item for inner in part.items for item in flatten(inner, sets)]
    if isinstance(part, Choice):
        prefix, options = split(part, sets)
        return [*prefix, *options[0]] if len(options) == 1 else [part]
    return [part]


def split(choice: Choice, sets: Sets) -> tuple[list[Item], list[list[Item]]]:
    """Give the common beginning of the alternatives and what is left of each."""
    options: list[list[Item]] = []
    for option in choice.options:
        items = flatten(option, sets)
        if len(items) == 1 and isinstance(items[0], Choice):
            prefix, inner = split(items[0], sets)
            options.extend(inner if not prefix else [items])
        else:
            options.append(items)
    length = _common(options)
    return options[0][:length], _join([items[length:] for items in options], sets)


def character_set(items: list[Item], sets: Sets) -> frozenset[str] | None:
    """Give the set of characters that *items* match, if they match exactly one and capture nothing."""
    if len(items) != 1:
        return None
    item = items[0]
    if isinstance(item, Single):
        return sets[item.atom]
    return item if isinstance(item, frozenset) else None


def _common(options: list[list[Item]]) -> int:
    length = 0
    while all(len(items) > length for items in options):
        keys = {_key(items[length]) for items in options}
        if len(keys) > 1 or None in keys:
            break
        length += 1
    return length


def _key(item: Item) -> object:
    match item:
        case Single(atom=atom):
            return atom
        case Assertion(edge=edge):
            return edge
        case BackReference(number=number):
            return number
        case Atomic() | frozenset():
            return item
        case _:
            return None


def _join(options: list[list[Item]], sets: Sets) -> list[list[Item]]:
    joined: list[list[Item]] = []
    open_set: frozenset[str] | None = None
    for items in options:
        characters = character_set(items, sets) if _may_join(items) else None
        if characters is None:
            joined.append(items)
        elif open_set is None:
            joined.append([characters])
        else:
            characters = joined.pop()[0] | characters  # type: ignore[operator]  # the last option is the open set
            joined.append([characters])
        open_set = characters
    return joined


def _may_join(items: list[Item]) -> bool:
    return len(items) == 1 and (not isinstance(items[0], Single) or items[0].atom.joins)
