"""Reads what stands in round brackets: groups, look-arounds, conditions, inline flags and comments."""

import re
from abc import ABC, abstractmethod

import regex

from evalbook.regex_safety.syntax.escapes import reference
from evalbook.regex_safety.syntax.reader import Reader
from evalbook.regex_safety.syntax.syntax import Atomic, Conditional, Group, Look, Part, Place, Sequence
from evalbook.regex_safety.syntax.width import fixed_width

_INLINE_FLAGS = {
    "i": int(regex.IGNORECASE),
    "m": int(regex.MULTILINE),
    "s": int(regex.DOTALL),
    "x": int(regex.VERBOSE),
}
_LOOKS = (("=", False), ("!", True), ("<=", False), ("<!", True))
_MANY_WIDTHS = (
    "a look-behind of several widths is refused by policy: each place costs one match a width; "
    "write one look-behind for each width, such as (?:(?<=a)|(?<=bc))"
)
_RECURSION = (
    "recursion and calls of groups are refused by policy: how deep they go is up to the text, and so is their cost; "
    "write the group's pattern again, for the levels that you expect"
)
_CALL = re.compile(r"R|&|P[>&]|[+-]?[0-9]")
_REFUSED = {
    "|": "branch reset has no place here; write an ordinary group (?:...)",
}


class Parentheses(ABC):
    """The half of the parser that knows brackets; `choice` and `sequence` read what stands inside."""

    def __init__(self, text: str, flags: int) -> None:
        self.reader = Reader(text, flags)
        self.names: dict[str, int] = {}
        self.open_groups: list[int] = []
        self.group_count = 0

    @abstractmethod
    def choice(self) -> Part:
        """Read alternatives up to the closing bracket."""

    @abstractmethod
    def sequence(self) -> Sequence:
        """Read one alternative."""

    def parenthesis(self, start: int) -> Part | None:
        """Read from after the bracket at *start*; nothing for a comment or flags that hold from here on."""
        reader = self.reader
        if not reader.accept_raw("?"):
            if reader.accept_raw("*") and reader.peek().isalpha():
                raise reader.unsupported(start, "backtracking verbs have no place here; leave them out")
            reader.position = start + 1
            return self._group(start, None)
        for opening, negative in _LOOKS:
            if reader.accept_raw(opening):
                return self._look(start, negative=negative, behind=opening.startswith("<"))
        return self._extension(start)

    def _extension(self, start: int) -> Part | None:
        reader = self.reader
        if _CALL.match(reader.text, reader.position):
            raise reader.unsupported(start, _RECURSION)
        if reader.accept_raw("#"):
            self._skip_comment(start)
            return None
        if reader.accept_raw(">"):
            return Atomic(*self._enclosed(start))
        if reader.accept_raw("("):
            return self._conditional(start)
        if reader.accept_raw("P<") or reader.accept_raw("<"):
            return self._group(start, self._name(start))
        return self._python_extension(start) if reader.accept_raw("P") else self._flags(start)

    def _skip_comment(self, start: int) -> None:
        reader = self.reader
        while (character := reader.take_raw()) and character != ")":
            if character == "\\":
                reader.take_raw()
        if not character:
            raise reader.invalid(start, "this comment is not closed")

    def _enclosed(self, start: int) -> tuple[Place, Part]:
        flags = self.reader.flags
        body = self.choice()
        return self._close(start, flags), body

    def _close(self, start: int, flags: int) -> Place:
        reader = self.reader
        if not reader.accept(")"):
            raise reader.invalid(start, "this bracket is not closed; write ) at its end, or \\( for a bracket")
        reader.flags = flags
        return Place(start, reader.position)

    def _group(self, start: int, name: str | None) -> Group:
        self.group_count += 1
        number = self.group_count
        if name is not None:
            if name in self.names:
                raise self.reader.unsupported(start, "two groups have this name; give each its own")
            self.names[name] = number
        self.open_groups.append(number)
        place, body = self._enclosed(start)
        self.open_groups.pop()
        return Group(place, number, body)

    def _up_to(self, closing: str) -> str:
        reader = self.reader
        end = reader.text.find(closing, reader.position)
        name = reader.text[reader.position : end] if end > 0 else ""
        reader.position = end + 1 if end > 0 else len(reader.text)
        return name

    def _name(self, start: int) -> str:
        name = self._up_to(">")
        if not name.isidentifier():
            raise self.reader.invalid(start, "this is no name of a group; use letters, digits and _")
        return name

    def _look(self, start: int, *, negative: bool, behind: bool) -> Look:
        place, body = self._enclosed(start)
        width = fixed_width(body) if behind else None
        if behind and width is None:
            raise self.reader.unsupported(start, _MANY_WIDTHS)
        return Look(place, body, negative, width)

    def _conditional(self, start: int) -> Conditional:
        reader = self.reader
        flags = reader.flags
        name = self._up_to(")")
        number = self.names.get(name, int(name) if name.isascii() and name.isdigit() else 0)
        if number == 0:
            raise reader.unsupported(start, "a condition may only name a group that stands before it")
        then = self.sequence()
        otherwise = self.sequence() if reader.accept("|") else Sequence(Place(reader.position, reader.position), ())
        return Conditional(self._close(start, flags), number, then, otherwise)

    def _python_extension(self, start: int) -> Part:
        reader = self.reader
        if not reader.accept_raw("="):
            raise reader.unsupported(start, "of (?P...) only (?P<name>...) and (?P=name) have a place here")
        return reference(reader, start, self._up_to(")"), self.names, self.open_groups)

    def _flags(self, start: int) -> Part | None:
        reader = self.reader
        opening = reader.text[reader.position : reader.position + 1]
        if opening in _REFUSED:
            raise reader.unsupported(start, _REFUSED[opening])
        outer = reader.flags
        flags = outer | self._flag_letters()
        if reader.accept_raw("-"):
            flags &= ~self._flag_letters()
        if not reader.accept_raw(":"):
            if not reader.accept_raw(")"):
                raise reader.unsupported(start, "only (?i), (?m), (?s), (?x) and groups with them have a place here")
            reader.flags = flags
            return None
        reader.flags = flags
        body = self.choice()
        return Sequence(self._close(start, outer), (body,))

    def _flag_letters(self) -> int:
        reader = self.reader
        flags = 0
        while (letter := reader.text[reader.position : reader.position + 1]) in _INLINE_FLAGS:
            flags |= _INLINE_FLAGS[letter]
            reader.position += 1
        return flags
