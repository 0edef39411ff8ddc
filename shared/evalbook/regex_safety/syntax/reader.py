"""Reads a pattern's text character by character, leaving out what the verbose flag leaves out."""

from collections.abc import Callable

import regex

from evalbook.regex_safety.syntax.problem import PatternRefused, Reason, refuse

VERBOSE = int(regex.VERBOSE)
DIGITS = frozenset("0123456789")


class Reader:
    """A position in a pattern and the flags that hold there."""

    __slots__ = ("flags", "position", "text")

    def __init__(self, text: str, flags: int) -> None:
        self.text = text
        self.flags = flags
        self.position = 0

    def skip(self) -> None:
        """Step over white space and comments where the verbose flag holds."""
        text, size = self.text, len(self.text)
        while self.flags & VERBOSE and self.position < size:
            if text[self.position].isspace():
                self.position += 1
            elif text[self.position] == "#":
                line_end = text.find("\n", self.position)
                self.position = size if line_end < 0 else line_end
            else:
                return

    def peek(self) -> str:
        """Give the next character that counts without taking it; nothing at the end."""
        self.skip()
        return self.text[self.position : self.position + 1]

    def take(self) -> str:
        """Take the next character that counts; nothing at the end."""
        character = self.peek()
        self.position += len(character)
        return character

    def take_raw(self) -> str:
        """Take the very next character; nothing at the end."""
        character = self.text[self.position : self.position + 1]
        self.position += len(character)
        return character

    def accept(self, wanted: str) -> bool:
        """Take *wanted* (one character that counts) if it comes next."""
        if self.peek() != wanted:
            return False
        self.position += 1
        return True

    def accept_raw(self, wanted: str) -> bool:
        """Take the text *wanted* if it comes at once."""
        if not self.text.startswith(wanted, self.position):
            return False
        self.position += len(wanted)
        return True

    def take_while(self, wanted: Callable[[str], bool]) -> str:
        """Take characters that count as long as they are *wanted*."""
        taken = []
        while (character := self.peek()) and wanted(character):
            taken.append(character)
            self.position += 1
        return "".join(taken)

    def invalid(self, start: int, message: str) -> PatternRefused:
        """Make the refusal of text from *start* to here that is no pattern at all."""
        return refuse(Reason.INVALID_SYNTAX, start, self.position, message)

    def unsupported(self, start: int, message: str) -> PatternRefused:
        """Make the refusal of syntax from *start* to here that has no place here."""
        return refuse(Reason.UNSUPPORTED_SYNTAX, start, self.position, message)
