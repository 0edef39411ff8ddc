"""What the engine knows about a pattern before it matches: where a search may begin and which text has to be there."""

from typing import TypeAlias

from evalbook.regex_safety.engine_model.branches import Item, Joined, Rewriter
from evalbook.regex_safety.syntax.syntax import (
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
_First: TypeAlias = tuple[frozenset[str], bool] | None
"""Characters to begin with and whether it can be empty; nothing where the engine does not know."""


class Lookup:
    """Looks up what the engine knows, over items of *rewriter*."""

    def __init__(self, rewriter: Rewriter) -> None:
        self._rewriter = rewriter

    def first_characters(self, items: list[Item]) -> frozenset[str] | None:
        """Give the characters that a match can begin with; None where it can be empty or the engine does not know."""
        found = self._first(items)
        return None if found is None or found[1] else found[0]

    def is_anchored(self, items: list[Item]) -> bool:
        """Say whether the engine sees that a match can only begin at the start of the text."""
        match items[:1]:
            case [Assertion(edge=edge)]:
                return edge is Edge.TEXT_START
            case [Group(body=body)]:
                return self.is_anchored(self._rewriter.flatten(body))
            case [Choice() as choice]:
                return self.is_anchored(self._rewriter.split(choice)[0])
            case _:
                return False

    def required_text(self, items: list[Item]) -> tuple[str, bool]:
        """Give the first text that every match has to hold and whether its case is ignored; if none is known, none."""
        text, flags = "", 0
        for item in items:
            if isinstance(item, Single) and item.atom.character is not None:
                text += item.atom.character
                flags |= item.atom.flags
            elif text:
                break
            elif (inner := self._required_inside(item))[0]:
                return inner
        return text, bool(flags)

    def _required_inside(self, item: Item) -> tuple[str, bool]:
        match item:
            case Group(body=body) | Atomic(body=body):
                return self.required_text(self._rewriter.flatten(body))
            case Repeat(body=body, low=low) if low > 0:
                return self.required_text(self._rewriter.flatten(body))
            case Choice():
                return self.required_text(self._rewriter.split(item)[0])
            case _:
                return "", False

    def _first(self, items: list[Item]) -> _First:
        characters = _NOTHING
        for item in items:
            found = self._first_of_item(item)
            if found is None:
                return None
            characters |= found[0]
            if not found[1]:
                return characters, False
        return characters, True

    def _first_of_item(self, item: Item) -> _First:
        match item:
            case Joined(characters=characters):
                return characters, False
            case Single(atom=atom):
                return self._rewriter.sets[atom], False
            case Assertion() | Look():
                return _NOTHING, True
            case BackReference():
                return None
            case _:
                return self._first_inside(item)

    def _first_inside(self, item: Item) -> _First:
        flatten = self._rewriter.flatten
        match item:
            case Choice():
                prefix, options = self._rewriter.split(item)
                return self._first(prefix) if prefix else self._first_of_options(options)
            case Conditional(then=then, otherwise=otherwise):
                return self._first_of_options([flatten(then), flatten(otherwise)])
            case Repeat(body=body, low=low):
                found = self._first(flatten(body))
                return found and (found[0], found[1] or low == 0)
            case Group(body=body) | Atomic(body=body):
                return self._first(flatten(body))
            case _:
                return None

    def _first_of_options(self, options: list[list[Item]]) -> _First:
        found = [self._first(items) for items in options]
        known = [f for f in found if f is not None]
        if len(known) < len(found):
            return None
        return _NOTHING.union(*(characters for characters, _ in known)), any(empty for _, empty in known)
