"""JSON text that this package keeps: what is stored can be read again, here and by whoever it is given to.

A number keeps its digits where it is stored, but not always its spelling: 1234.5e400 becomes 1.2345E+403. So a literal
within the strict reader's bounds can be spelt beyond them.
"""

from typing import Final

from evalbook.jsonio.canonical import plain_json
from evalbook.jsonio.reader import NotStrictJson, read_json
from evalbook.jsonio.values import Json

_MAX_DEPTH: Final = 150
"""More than the hundred levels of a value and the containers that it is ever kept in."""


class NotStorable(ValueError):
    """The value has no text that the strict reader takes; `path` leads to the part at fault, `reason` is for users."""

    def __init__(self, path: tuple[str | int, ...], reason: str) -> None:
        super().__init__(reason)
        self.path = path
        self.reason = reason


def stored_text(value: Json) -> bytes:
    """Return *value* spelt as it stands, in UTF-8, as a text that the strict reader takes under its own bounds.

    Raises:
        NotStorable: A number's spelling is beyond the bounds, or the value nests too deeply.
    """
    text = plain_json(value)
    try:
        read_json(text, max_depth=_MAX_DEPTH)
    except NotStrictJson as error:
        raise NotStorable(_path_of_unfit(value) or (), f"cannot be stored: {error.reason} once it is spelt") from None
    return text


def read_stored(text: bytes | str) -> Json:
    """Return the value of *text*, which was spelt here, whatever the bounds were when it was.

    Raises:
        NotStrictJson: The text was not spelt here.
    """
    return read_json(text.encode() if isinstance(text, str) else text, max_depth=_MAX_DEPTH, bounded=False)


def _path_of_unfit(value: Json) -> tuple[str | int, ...] | None:
    """Return where the first number stands whose spelling is beyond the bounds; None where there is none."""
    if isinstance(value, dict | list):
        for place, member in value.items() if isinstance(value, dict) else enumerate(value):
            if (inside := _path_of_unfit(member)) is not None:
                return (place, *inside)
        return None
    try:
        read_json(plain_json(value))
    except NotStrictJson:
        return ()
    return None
