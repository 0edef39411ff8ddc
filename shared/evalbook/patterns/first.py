"""What the engine knows about a pattern before it matches: where a search may begin and which text has to be there."""

from evalbook.patterns.branches import Item, Sets, flatten, split
from evalbook.patterns.syntax import (
    Assertion,
    Atomic,
    BackReference,
    Choice,
    Conditional,
    Edge,
    Group,
    Look,
    Repeat,
    Single,
)

_NOTHING: frozenset[str] = frozenset()


def first_characters(items: list[Item], sets: Sets) -> frozenset[str] | None:
    """Give the characters that a match can begin with; None where it can be empty or the engine does not know."""
    found = _first(items, sets)
    return None if found is None or found[1] else found[0]


def _first(items: list[Item], sets: Sets) -> tuple[frozenset[str], bool] | None:
    characters = _NOTHING
    for item in items:
        found = _first_of_item(item, sets)
        if found is None:
            return None
        characters |= found[0]
        if not found[1]:
            return characters, False
    return characters, True


def _first_of_item(item: Item, sets: Sets) -> tuple[frozenset[str], bool] | None:
    match item:
        case frozenset():
            return item, False
        case Single(atom=atom):
            return sets[atom], False
        case Assertion() | Look():
            return _NOTHING, True
        case BackReference():
            return None
        case Choice():
            prefix, options = split(item, sets)
            return _first(prefix, sets) if prefix else _first_of_options(options, sets)
        case Conditional(then=then, otherwise=otherwise):
            return _first_of_options([flatten(then, sets), flatten(otherwise, sets)], sets)
        case Repeat(body=body, low=low):
            found = _first(flatten(body, sets), sets)
            return found and (found[0], found[1] or low == 0)
        case Group(body=body) | Atomic(body=body):
            return _first(flatten(body, sets), sets)
        case _:
            return None


def _first_of_options(options: list[list[Item]], sets: Sets) -> tuple[frozenset[str], bool] | None:
    characters = _NOTHING
    empty = False
    for items in options:
        found = _first(items, sets)
        if found is None:
            return None
        characters |= found[0]
        empty = empty or found[1]
    return characters, empty


def is_anchored(items: list[Item], sets: Sets) -> bool:
    """Say whether the engine sees that a match can only begin at the start of the text."""
    if not items:
        return False
    match items[0]:
        case Assertion(edge=edge):
            return edge is Edge.TEXT_START
        case Group(body=body):
            return is_anchored(flatten(body, sets), sets)
        case Choice() as choice:
            return is_anchored(split(choice, sets)[0], sets)
        case _:
            return False


def required_text(items: list[Item], sets: Sets) -> tuple[str, bool]:
    """Give the first text that every match has to hold, and whether its case is ignored; nothing if the engine knows none."""
    text, flags = "", 0
    for item in items:
        if isinstance(item, Single) and item.atom.character is not None:
            text += item.atom.character
            flags |= item.atom.flags
        elif text:
            break
        elif (inner := _required_inside(item, sets))[0]:
            return inner
    return text, bool(flags)


def _required_inside(item: Item, sets: Sets) -> tuple[str, bool]:
    match item:
        case Group(body=body) | Atomic(body=body):
            return required_text(flatten(body, sets), sets)
        case Repeat(body=body, low=low) if low > 0:
            return required_text(flatten(body, sets), sets)
        case Choice():
            return required_text(split(item, sets)[0], sets)
        case _:
            return "", False
