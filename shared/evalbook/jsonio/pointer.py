"""JSON Pointers (RFC 6901)."""

import re
from typing import Final

from evalbook.jsonio.values import ABSENT, Absent, Json

_ARRAY_INDEX: Final = re.compile(r"0|[1-9][0-9]*")
_BAD_ESCAPE: Final = re.compile(r"~(?![01])")
_MAX_INDEX_DIGITS: Final = 9

Tokens = tuple[str, ...]


def parse_pointer(pointer: str) -> Tokens:
    """Split *pointer* into its reference tokens, unescaped; `""`, the whole value, has none.

    Raises:
        ValueError: It does not start with a slash, or a tilde is not followed by 0 or 1.
    """
    if not pointer:
        return ()
    if pointer[0] != "/":
        raise ValueError("a JSON Pointer is empty or starts with '/'")
    if _BAD_ESCAPE.search(pointer):
        raise ValueError("in a JSON Pointer '~' is followed by 0 or 1")
    return tuple(token.replace("~1", "/").replace("~0", "~") for token in pointer[1:].split("/"))


def is_pointer(text: str) -> bool:
    """Return whether *text* is a JSON Pointer."""
    return not text or (text[0] == "/" and not _BAD_ESCAPE.search(text))


def format_pointer(tokens: tuple[str | int, ...]) -> str:
    """Join reference *tokens* into a pointer, escaped."""
    return "".join("/" + str(token).replace("~", "~0").replace("/", "~1") for token in tokens)


def resolve(value: Json, tokens: Tokens) -> Json | Absent:
    """Return the value that *tokens* lead to inside *value*, or ABSENT where they lead nowhere."""
    for token in tokens:
        if type(value) is dict:
            value = value.get(token, ABSENT)
        elif type(value) is list and len(token) <= _MAX_INDEX_DIGITS and _ARRAY_INDEX.fullmatch(token):
            index = int(token)
            value = value[index] if index < len(value) else ABSENT
        else:
            return ABSENT
    return value
