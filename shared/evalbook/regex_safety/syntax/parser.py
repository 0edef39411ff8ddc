"""Parses a pattern: an allow-list of what the engine understands, with the same meaning."""

import regex

from evalbook.regex_safety.syntax.charclass import read_class
from evalbook.regex_safety.syntax.escapes import literal, read_escape
from evalbook.regex_safety.syntax.limits import MAX_ALTERNATIVES, MAX_NESTING
from evalbook.regex_safety.syntax.parentheses import Parentheses
from evalbook.regex_safety.syntax.problem import Reason, refuse
from evalbook.regex_safety.syntax.quantifiers import read_quantifier
from evalbook.regex_safety.syntax.syntax import (
    Assertion,
    Atom,
    BackReference,
    Choice,
    Conditional,
    Edge,
    Greed,
    Look,
    Part,
    Place,
    Repeat,
    Sequence,
    Single,
    children,
    walk,
)

_MULTILINE = int(regex.MULTILINE)
_DOT_ALL = int(regex.DOTALL)
_NEWLINE = ((10, 10),)


def parse(text: str, flags: int) -> Part:
    """Parse *text* under the engine's *flags*; raises `PatternRefused`."""
    return _Parser(text, flags).parse()


class _Parser(Parentheses):
    def __init__(self, text: str, flags: int) -> None:
        super().__init__(text, flags)
        self.depth = 0

    def parse(self) -> Part:
        whole = self.choice()
        reader = self.reader
        if reader.take():
            raise reader.invalid(reader.position - 1, "this bracket closes nothing; write \\) for a bracket")
        for part in walk(whole):
            if isinstance(part, BackReference | Conditional) and part.number > self.group_count:
                message = "this refers to a group that does not exist"
                raise refuse(Reason.INVALID_SYNTAX, part.place.start, part.place.end, message)
        return whole

    def choice(self) -> Part:
        reader = self.reader
        start = reader.position
        self.depth += 1
        if self.depth > MAX_NESTING:
            message = f"brackets nest deeper than {MAX_NESTING} levels; write fewer"
            raise refuse(Reason.TOO_COMPLEX, start, start + 1, message)
        options: list[Part] = [self.sequence()]
        while reader.accept("|"):
            options.append(self.sequence())
            if len(options) > MAX_ALTERNATIVES:
                message = f"more than {MAX_ALTERNATIVES} alternatives; write fewer"
                raise refuse(Reason.TOO_COMPLEX, start, reader.position, message)
        self.depth -= 1
        return options[0] if len(options) == 1 else Choice(Place(start, reader.position), tuple(options))

    def sequence(self) -> Sequence:
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
        match character:
            case "(":
                return self.parenthesis(here)
            case "[":
                return read_class(reader, here)
            case "\\":
                return read_escape(reader, here, self.names, self.open_groups)
            case _:
                return self._plain(Place(here, here + 1), character)

    def _plain(self, place: Place, character: str) -> Part:
        flags = self.reader.flags
        if character == ".":
            return Single(place, Atom(".", flags & _DOT_ALL, None, _NEWLINE, joins=False))
        if character not in "^$":
            return literal(place, character, flags)
        if flags & _MULTILINE:
            return Assertion(place, Edge.LINE_START if character == "^" else Edge.LINE_END)
        return Assertion(place, Edge.TEXT_START if character == "^" else Edge.TEXT_END_OR_LAST_NEWLINE)


def _is_nothing(part: Part) -> bool:
    """Say whether the engine takes *part* for empty, and so takes no notice of a quantifier behind it."""
    if isinstance(part, Sequence | Choice | Look | Repeat | Conditional):
        return all(_is_nothing(child) for child in children(part))
    return False
