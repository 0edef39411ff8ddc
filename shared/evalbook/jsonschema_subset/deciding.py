"""Validators of `jsonschema-rs`, which decides exactly on numbers of any size and a hundred times as fast.

Three of its keywords are replaced: `pattern` would match without a limit, and `uniqueItems` and `enum` take quadratic
time on numbers that a double cannot tell apart.
"""

from collections.abc import Mapping
from typing import Any, Final

import jsonschema_rs

from evalbook.jsonschema_subset.leaves import repeats
from evalbook.jsonschema_subset.preparing import Matcher, members_of
from evalbook.jsonschema_subset.run import current
from evalbook.jsonvalue import Json
from evalbook.outcome import Undecided
from evalbook.pointer import Tokens

_PLAIN: Final = (str, bool, type(None))


def decider(document: Json, places: Mapping[Tokens, Json], matchers: Mapping[str, Matcher]) -> Any:
    """A validator that matches with *matchers*; None where the library cannot serve.

    Where patterns choose among properties its own engine would match.
    """
    schemas = [schema for schema in places.values() if type(schema) is dict]
    if any("patternProperties" in schema for schema in schemas):
        return None
    keywords: dict[str, Any] = {"pattern": _pattern_keyword(matchers), "uniqueItems": _UniqueItems}
    if any(type(value) not in _PLAIN for schema in schemas for value in schema.get("enum", ())):
        keywords["enum"] = _Enum
    try:
        return jsonschema_rs.Draft202012Validator(document, keywords=keywords)
    except ValueError:
        # It takes no counts of 2**64 and more.
        return None


def _pattern_keyword(matchers: Mapping[str, Matcher]) -> type:
    class Pattern:
        """The keyword `pattern` as the library calls a keyword that its user brings."""

        def __init__(self, _schema: Json, pattern: str, _path: list[str | int]) -> None:
            self._matcher = matchers[pattern]

        def validate(self, value: Json) -> None:
            """Raise unless *value* matches or is no text: the library takes any error for a failure."""
            try:
                matched = type(value) is not str or self._matcher.matches(value)
            except Undecided as ending:
                current().interrupted.append(ending)
                raise ValueError from None
            if not matched:
                raise ValueError

    return Pattern


class _UniqueItems:
    """The keyword `uniqueItems`, likewise."""

    def __init__(self, _schema: Json, wanted: bool, _path: list[str | int]) -> None:  # noqa: FBT001  (called by it)
        self._wanted = wanted

    def validate(self, value: Json) -> None:
        """Raise where *value* is a list in which two elements are equal."""
        if self._wanted and type(value) is list and repeats(value):
            raise ValueError


class _Enum:
    """The keyword `enum`, likewise."""

    def __init__(self, _schema: Json, values: list[Json], _path: list[str | int]) -> None:
        self._members = members_of(values)

    def validate(self, value: Json) -> None:
        """Raise unless *value* equals one of the members."""
        if value not in self._members:
            raise ValueError
