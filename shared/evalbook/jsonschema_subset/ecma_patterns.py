r"""JSON Schema's patterns are ECMA-262's, with Unicode semantics: their translation into PyPI `regex`'s dialect.

Where the dialects differ: `\d`, `\w` and `\b` know ASCII only, `\s` has the white space of ECMA-262 (sections 12.2 and
12.3), `.` stops at four line terminators, `$` is the end and nothing before it, escapes are `\cX`, `\xHH`, `\uHHHH`
and `\u{H}`, and `{` that starts no quantifier is itself. Back-references are refused: ECMA-262 lets one to a group that
took no part match the empty text.
"""

import re
from collections.abc import Iterator
from typing import Final

_LAST: Final = 0x10FFFF
Ranges = tuple[tuple[int, int], ...]

_DIGIT: Final[Ranges] = ((0x30, 0x39),)
_WORD: Final[Ranges] = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
_SPACE: Final[Ranges] = (
    (0x09, 0x0D),
    (0x20, 0x20),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x2028, 0x2029),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
    (0xFEFF, 0xFEFF),
)
_NO_TERMINATOR: Final = "[^\n\r\u2028\u2029]"
_CONTROLS: Final = {"t": 0x09, "n": 0x0A, "v": 0x0B, "f": 0x0C, "r": 0x0D}

_QUANTIFIER: Final = re.compile(r"(?:[*+?]|\{(\d{1,9})(?:(,)(\d{1,9})?)?\})(\??)")
_GROUP: Final = re.compile(r"\((?:\?(?:(:)|(=|!|<=|<!)|<[A-Za-z_$][\w$]*>))?")
_PROPERTY: Final = re.compile(r"[pP]\{\w+(?:=\w+)?\}", re.ASCII)
_CODE: Final = re.compile(
    r"x([0-9A-Fa-f]{2})|u\{0*([0-9A-Fa-f]{1,6})\}"
    r"|u([Dd][89ABab][0-9A-Fa-f]{2})\\u([Dd][C-Fc-f][0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|c([A-Za-z])"
)
_SURROGATES: Final = range(0xD800, 0xE000)


def _complement(ranges: Ranges) -> Ranges:
    ends = [-1, *(high for _, high in ranges)]
    starts = [*(low for low, _ in ranges), _LAST + 1]
    return tuple((end + 1, start - 1) for end, start in zip(ends, starts, strict=True) if end + 1 < start)


_SETS: Final = {"d": _DIGIT, "w": _WORD, "s": _SPACE} | {
    name: _complement(ranges) for name, ranges in (("D", _DIGIT), ("W", _WORD), ("S", _SPACE))
}


def _literal(point: int) -> str:
    """Spell one character so that it stands for itself, inside a class and outside."""
    char = chr(point)
    return "\\" + char if char in r"\^$.|?*+()[]{}-&~#" else char


def _class_of(ranges: Ranges) -> str:
    return "".join(_literal(low) if low == high else f"{_literal(low)}-{_literal(high)}" for low, high in ranges)


def _spelled(what: int | str | Ranges) -> str:
    """Spell what one escape stands for, as it is spelt inside a class."""
    if isinstance(what, str):
        return what
    return _literal(what) if isinstance(what, int) else _class_of(what)


_W: Final = f"[{_class_of(_WORD)}]"
_ASSERTIONS: Final = {
    "b": f"(?:(?<={_W})(?!{_W})|(?<!{_W})(?={_W}))",
    "B": f"(?:(?<={_W})(?={_W})|(?<!{_W})(?!{_W}))",
}


_ANCHORS: Final = {"^": "^", "$": r"\Z", "|": "|", ".": _NO_TERMINATOR}


def translated(pattern: str) -> str:
    """Translate *pattern* into one that `regex`, without flags, matches as ECMA-262 means it.

    Raises:
        ValueError: It is no pattern of ECMA-262's, or uses a back-reference; the message names the place.
    """
    return "".join(_Translation(pattern).pieces())


class _Translation:
    """One pass over a pattern."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._at = 0
        self._repeatable = False
        # For each open group, whether it can be repeated once it is closed: look-around cannot.
        self._groups: list[bool] = []

    def pieces(self) -> Iterator[str]:
        """The translation, piece by piece."""
        while self._at < len(self._pattern):
            char = self._pattern[self._at]
            quantifier = _QUANTIFIER.match(self._pattern, self._at)
            if quantifier:
                yield self._quantifier(quantifier)
            elif char in _ANCHORS:
                yield self._atom(_ANCHORS[char], 1, repeatable=char == ".")
            else:
                yield self._piece(char)
        if self._groups:
            raise self._refusal("a group is not closed")

    def _piece(self, char: str) -> str:
        match char:
            case "\\":
                return self._escape()
            case "[":
                return self._class()
            case "(":
                return self._open()
            case ")":
                return self._close()
            case _:
                return self._atom(_literal(ord(char)), 1)

    def _refusal(self, what: str) -> ValueError:
        return ValueError(f"is no pattern of ECMA-262 that can be used here: {what}, at character {self._at}")

    def _atom(self, piece: str, length: int, *, repeatable: bool = True) -> str:
        self._at += length
        self._repeatable = repeatable
        return piece

    def _quantifier(self, found: re.Match[str]) -> str:
        if not self._repeatable:
            raise self._refusal("there is nothing to repeat")
        if found[3] and int(found[1]) > int(found[3]):
            raise self._refusal("the bounds of a repeat are out of order")
        return self._atom(found[0], len(found[0]), repeatable=False)

    def _open(self) -> str:
        found = _GROUP.match(self._pattern, self._at)
        if found is None or self._pattern.startswith("?", found.end()):
            raise self._refusal("this kind of group is unknown")
        self._groups.append(found[2] is None)
        named = found[0].endswith(">")
        return self._atom("(" if named else found[0], len(found[0]), repeatable=False)

    def _close(self) -> str:
        if not self._groups:
            raise self._refusal("a group is closed that was not opened")
        return self._atom(")", 1, repeatable=self._groups.pop())

    def _escape(self) -> str:
        following = self._pattern[self._at + 1 : self._at + 2]
        if following in _ASSERTIONS:
            return self._atom(_ASSERTIONS[following], 2, repeatable=False)
        if following == "k" or following in tuple("123456789"):
            raise self._refusal("back-references are not in the subset")
        self._at += 1
        what = self._escaped()
        return self._atom(f"[{_spelled(what)}]" if isinstance(what, tuple) else _spelled(what), 0)

    def _escaped(self) -> int | str | Ranges:
        """Read what stands after a backslash: a character's code point, a property, a set."""
        following = self._pattern[self._at : self._at + 1]
        found = _PROPERTY.match(self._pattern, self._at) or _CODE.match(self._pattern, self._at)
        if found:
            self._at = found.end()
            return "\\" + found[0] if following in "pP" else self._code(found)
        if not following or following in "pPxuc":
            raise self._refusal("an escape is not complete")
        self._at += 1
        if following in _SETS:
            return _SETS[following]
        if following == "0" and not self._pattern[self._at : self._at + 1].isdecimal():
            return 0
        if following.isalnum() and following not in _CONTROLS:
            raise self._refusal("the escape before has no meaning")
        return _CONTROLS.get(following, ord(following))

    def _code(self, found: re.Match[str]) -> int:
        byte, braced, high, low, unit, control = found.groups()
        if control:
            return ord(control) % 32
        if high:
            return 0x10000 + (int(high, 16) - 0xD800) * 0x400 + int(low, 16) - 0xDC00
        point = int(byte or braced or unit, 16)
        if point in _SURROGATES or point > _LAST:
            raise self._refusal("the escape before stands for no character")
        return point

    def _class(self) -> str:
        self._at += 1
        negated = self._pattern.startswith("^", self._at)
        self._at += negated
        members = "".join(self._members())
        if not members:
            return self._atom(f"[{_class_of(((0, _LAST),))}]" if negated else "(?!)", 1)
        return self._atom(f"[{'^' if negated else ''}{members}]", 1)

    def _members(self) -> Iterator[str]:
        while not self._pattern.startswith("]", self._at):
            low = self._member()
            if self._pattern.startswith("-", self._at) and not self._pattern.startswith("-]", self._at):
                self._at += 1
                high = self._member()
                if not isinstance(low, int) or not isinstance(high, int) or low > high:
                    raise self._refusal("the range before is out of order")
                yield _class_of(((low, high),))
            else:
                yield _spelled(low)

    def _member(self) -> int | str | Ranges:
        char = self._pattern[self._at : self._at + 1]
        if not char:
            raise self._refusal("a class is not closed")
        self._at += 1
        if char != "\\":
            return ord(char)
        if self._pattern.startswith("b", self._at):
            self._at += 1
            return 0x08
        return self._escaped()
