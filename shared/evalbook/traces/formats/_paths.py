"""Values at a path of a document, and what stands for no value."""

import re
from collections.abc import Mapping
from typing import Final

from evalbook.jsonio.values import Json

Paths = tuple[str, ...]
Names = frozenset[str]

NO_IDS: Final = frozenset({"", "null", "None", "<not specified>"})
"""Texts that stand for 'no id'."""

_HIDDEN: Final = re.compile(r"__REDACTED__|<?\[?REDACTED\]?>?|N/A", re.IGNORECASE)


def at(part: Json, path: str) -> Json:
    """The value at *path* of *part*, None where there is none."""
    for name in path.split("/"):
        if type(part) is not dict:
            return None
        part = part.get(name)
    return part


def first_at(part: Mapping[str, Json], paths: Paths) -> Json:
    """The first value that one of *paths* holds in *part*."""
    return next((value for path in paths if (value := at(part, path)) is not None), None)


def id_at(part: Mapping[str, Json], paths: Paths) -> str | None:
    """The id at one of *paths*; texts that stand for none are none, and a whole number is written as text."""
    value = first_at(part, paths)
    if type(value) is int:
        return str(value)
    return value if type(value) is str and value not in NO_IDS else None


def is_hidden(value: Json) -> bool:
    """Whether *value* is the text by which tools say that they keep a value back."""
    return type(value) is str and _HIDDEN.fullmatch(value) is not None


def heads(*paths: Paths) -> Names:
    """The members at which *paths* begin."""
    return frozenset(path.partition("/")[0] for group in paths for path in group)
