"""Parses a pattern: an allow-list of what the engine understands, with the same meaning."""

import regex

from evalbook.patterns.charclass import read_class
from evalbook.patterns.escapes import literal, read_escape, reference
from evalbook.patterns.limits import MAX_ALTERNATIVES, MAX_NESTING
from evalbook.patterns.problem import Reason, refuse
from evalbook.patterns.quantifiers import read_quantifier
from evalbook.patterns.reader import Reader
from evalbook.patterns.syntax import (
    Assertion,
    Atom,
    Atomic,
    BackReference,
    Choice,
    Conditional,
    Edge,
    Greed,
    Group,
    Look,
    Part,
    Place,
    Repeat,
    Sequence,
    Single,
    walk,
)
from evalbook.patterns.width import fixed_width

MULTILINE = int(regex.MULTILINE)
DOT_ALL = int(regex.DOTALL)
_INLINE_FLAGS = {
    "i": int(regex.IGNORECASE),
    "m": MULTILINE,
    "s": DOT_ALL,
    "x": int(regex.VERBOSE),
}
_REFUSED_GROUPS = {
    "R": "recursion has no place here; write the levels that you expect",
    "&": "calls of groups have no place here; write the group's pattern again",
    "|": "branch reset has no place here; write an ordinary group (?:...)",
    "C": "callouts have no place here",
}
_NEWLINE = ((10, 10),)


def parse(text: str, flags: int) -> Part:
    """Parse *text* under the engine's *flags*; raises `PatternRefused`."""
    return _Parser(text, flags).parse()


class _Parser:
    def __init__(self, text: str, flags: int) -> None:
        self.reader = Reader(text, flags)
        self.names: dict[str, int] = {}
        self.open_groups: list[int] = []
        self.group_count = 0
        self.depth = 0

    def parse(self) -> Part:
        whole = self._choice()
        reader = self.reader
        if reader.peek():
            reader.position += 1
            raise reader.invalid(reader.position - 1, "this bracket closes nothing; write \\) for a bracket")
        for part in walk(whole):
            if isinstance(part, BackReference | Conditional) and part.number > self.group_count:
                message = "this refers to a group that does not exist"
                raise refuse(Reason.INVALID_SYNTAX, part.place.start, part.place.end, message)
        return whole

    def _choice(self) -> Part:
        start = self.reader.position
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise refuse(Reason.TOO_COMPLEX, start, start + 1, f"brackets nest deeper than {MAX_NESTING} levels")
        options = [self._sequence()]
        while self.reader.accept("|"):
            options.append(self._sequence())
            if len(options) > MAX_ALTERNATIVES:
                raise refuse(
                    Reason.TOO_COMPLEX, start, self.reader.position, f"more than {MAX_ALTERNATIVES} alternatives"
                )
        self.depth -= 1
        place = Place(start, self.reader.position)
        return options[0] if len(options) == 1 else Choice(place, tuple(options))

    def _sequence(self) -> Sequence:
        reader = self.reader
        start = reader.position
        items: list[Part] = []
        repeatable = False
        while (character := reader.peek()) and character not in ")|":
            here = reader.position
            reader.position += 1
            bounds = read_quantifier(reader, here, character)
            if bounds is not None:
                items.append(self._repeat(items.pop() if repeatable else None, here, bounds))
                repeatable = False
            elif (part := self._part(here, character)) is not None:
                items.append(part)
                repeatable = True
        return Sequence(Place(start, reader.position), tuple(items))

    def _repeat(self, body: Part | None, here: int, bounds: tuple[int, int | None]) -> Part:
        reader = self.reader
        if body is None:
            raise reader.invalid(here, "there is nothing here to repeat; escape it with a backslash")
        greed = Greed.GREEDY
        if reader.accept("?"):
            greed = Greed.LAZY
        elif reader.accept("+"):
            greed = Greed.POSSESSIVE
        if bounds == (1, 1) or _is_nothing(body):
            return body
        return Repeat(Place(body.place.start, reader.position), body, *bounds, greed)

    def _part(self, here: int, character: str) -> Part | None:
        reader = self.reader
        if character == "(":
            return self._parenthesis(here)
        if character == "[":
            return read_class(reader, here)
        if character == "\\":
            return read_escape(reader, here, self.names, self.open_groups)
        if character == ".":
            return Single(Place(here, here + 1), Atom(".", reader.flags & DOT_ALL, None, _NEWLINE, joins=False))
        if character in "^$":
            return Assertion(Place(here, here + 1), self._edge(character))
        return literal(Place(here, here + 1), character, reader.flags)

    def _edge(self, character: str) -> Edge:
        if self.reader.flags & MULTILINE:
            return Edge.LINE_START if character == "^" else Edge.LINE_END
        return Edge.TEXT_START if character == "^" else Edge.TEXT_END_OR_LAST_NEWLINE

    def _parenthesis(self, start: int) -> Part | None:
        reader = self.reader
        if not reader.accept_raw("?"):
            if reader.accept_raw("*") and reader.peek().isalpha():
                raise reader.unsupported(start, "backtracking verbs have no place here; leave them out")
            reader.position = start + 1
            return self._group(start, None)
        if reader.accept_raw("#"):
            return self._comment(start)
        for opening, negative in (("=", False), ("!", True), ("<=", False), ("<!", True)):
            if reader.accept_raw(opening):
                return self._look(start, negative=negative, behind=opening.startswith("<"))
        if reader.accept_raw(">"):
            return Atomic(*self._enclosed(start))
        if reader.accept_raw("("):
            return self._conditional(start)
        if reader.accept_raw("P") and not reader.text.startswith("<", reader.position):
            return self._python_extension(start)
        if reader.accept_raw("<"):
            return self._group(start, self._name(start, ">"))
        return self._flags(start)

    def _comment(self, start: int) -> None:
        reader = self.reader
        while (character := reader.take_raw()) and character != ")":
            if character == "\\":
                reader.take_raw()
        if not character:
            raise reader.invalid(start, "this comment is not closed")

    def _enclosed(self, start: int) -> tuple[Place, Part]:
        flags = self.reader.flags
        body = self._choice()
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

    def _name(self, start: int, closing: str) -> str:
        reader = self.reader
        end = reader.text.find(closing, reader.position)
        name = reader.text[reader.position : end] if end > 0 else ""
        reader.position = end + 1 if end > 0 else len(reader.text)
        if not name.isidentifier():
            raise reader.invalid(start, "this is no name of a group; use letters, digits and _")
        return name

    def _look(self, start: int, *, negative: bool, behind: bool) -> Look:
        place, body = self._enclosed(start)
        width = fixed_width(body) if behind else None
        if behind and width is None:
            raise self.reader.unsupported(start, "a look-behind must have one fixed width; write one a width")
        return Look(place, body, negative, width)

    def _conditional(self, start: int) -> Conditional:
        reader = self.reader
        end = reader.text.find(")", reader.position)
        name = reader.text[reader.position : end] if end > 0 else ""
        known = name in self.names or (name.isascii() and name.isdigit() and int(name) > 0)
        if not known:
            raise reader.unsupported(start, "a condition may only name a group that stands before it")
        reader.position = end + 1
        flags = reader.flags
        self.depth += 1
        options = [self._sequence()]
        if reader.accept("|"):
            options.append(self._sequence())
        self.depth -= 1
        place = self._close(start, flags)
        number = self.names[name] if name in self.names else int(name)
        otherwise = options[1] if len(options) > 1 else Sequence(Place(place.end, place.end), ())
        return Conditional(place, number, options[0], otherwise)

    def _python_extension(self, start: int) -> Part:
        reader = self.reader
        if not reader.accept_raw("="):
            raise reader.unsupported(start, "of (?P...) only (?P<name>...) and (?P=name) have a place here")
        end = reader.text.find(")", reader.position)
        name = reader.text[reader.position : end] if end > 0 else ""
        reader.position = end + 1 if end > 0 else len(reader.text)
        return reference(reader, start, name, self.names, self.open_groups)

    def _flags(self, start: int) -> Part | None:
        reader = self.reader
        opening = reader.text[reader.position : reader.position + 1]
        if opening in _REFUSED_GROUPS:
            raise reader.unsupported(start, _REFUSED_GROUPS[opening])
        flags = (reader.flags | self._flag_letters()) if opening != "-" else reader.flags
        if reader.accept_raw("-"):
            flags &= ~self._flag_letters()
        if reader.accept_raw(")"):
            reader.flags = flags
            return None
        if not reader.accept_raw(":"):
            reader.position += 1
            raise reader.unsupported(start, "only (?i), (?m), (?s) and (?x) and groups with them have a place here")
        outer, reader.flags = reader.flags, flags
        body = self._choice()
        self._close(start, outer)
        return Sequence(Place(start, reader.position), (body,))

    def _flag_letters(self) -> int:
        reader = self.reader
        flags = 0
        while (letter := reader.text[reader.position : reader.position + 1]) in _INLINE_FLAGS:
            flags |= _INLINE_FLAGS[letter]
            reader.position += 1
        return flags


def _is_nothing(part: Part) -> bool:
    match part:
        case Sequence(items=items):
            return all(_is_nothing(item) for item in items)
        case Choice(options=options):
            return all(_is_nothing(option) for option in options)
        case Look(body=body) | Atomic(body=body) | Repeat(body=body):
            return _is_nothing(body)
        case Conditional(then=then, otherwise=otherwise):
            return _is_nothing(then) and _is_nothing(otherwise)
        case _:
            return False
