"""What is wrong with a message or a body, in words: the place, what is there, and what would be right."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from evalbook.domain.errors import Problem
from evalbook.jsonio.pointer import format_pointer

_PLAIN_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,63}")
_WORDS: Final[Mapping[str, str]] = {
    "missing": "is required",
    "string_type": "must be a string",
    "bool_type": "must be true or false",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "list_type": "must be an array",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "model_attributes_type": "must be an object",
}
_BOUNDS: Final[Mapping[str, Callable[[Mapping[str, Any]], str]]] = {
    "string_pattern_mismatch": lambda context: f"must match {context['pattern']}",
    "string_too_short": lambda context: f"must have at least {_counted(context['min_length'], 'character')}",
    "string_too_long": lambda context: f"must have at most {_counted(context['max_length'], 'character')}",
    "too_short": lambda context: f"must have at least {_counted(context['min_length'], 'element')}",
    "too_long": lambda context: f"must have at most {_counted(context['max_length'], 'element')}",
    "enum": lambda context: f"must be {context['expected']}",
    "literal_error": lambda context: f"must be {context['expected']}",
    "greater_than_equal": lambda context: f"must be at least {context['ge']}",
    "less_than_equal": lambda context: f"must be at most {context['le']}",
    "value_error": lambda context: str(context["error"]),
}


def in_words(details: Mapping[str, Any], place: tuple[str | int, ...]) -> Problem:
    """Return what pydantic found, *details*, as a problem at *place*.

    A member that is not known is named where its name is a plain one; no value that was sent is ever quoted.
    """
    kind = details["type"]
    if kind == "extra_forbidden":
        *outer, name = place
        if isinstance(name, str) and _PLAIN_NAME.fullmatch(name):
            return Problem(format_pointer(place), "is not known here: remove it, or correct its name")
        return Problem(format_pointer(tuple(outer)), "has a member that is not known")
    bound = _BOUNDS.get(kind)
    if bound is not None and "ctx" in details:
        return Problem(format_pointer(place), bound(details["ctx"]))
    return Problem(format_pointer(place), _WORDS.get(kind, "is not valid"))


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
