"""Validators of `jsonschema-rs`, which decide a hundred times as fast.

The library compares some numbers as doubles, takes quadratic time for large ones, and matches patterns without a limit.
So it gets a document from which every keyword that compares numbers or matches is gone; in its place stands one
keyword that applies the very functions of `leaves`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import jsonschema_rs

from evalbook.domain.outcome import EarlyOutcome
from evalbook.jsonio.pointer import Tokens
from evalbook.jsonio.values import Json, is_number
from evalbook.jsonschema_subset.leaves import LEAVES, Keyword
from evalbook.jsonschema_subset.preparing import Prepared
from evalbook.jsonschema_subset.run import current
from evalbook.jsonschema_subset.vocabulary import HOLDERS, Holds, is_whole

EXACT: Final = "exact"
_COMPARING: Final = frozenset(
    {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "pattern", "uniqueItems"}
)
_KEPT: Final = frozenset({"$ref", "type", "format", "required", "dependentRequired"})
# No value has as many characters, items or properties; the library takes no larger count.
_LARGEST_COUNT: Final = 2**63 - 1
# The library looks through an enum one by one.
_MAX_NATIVE_ENUM: Final = 16

Checks = list[tuple[str, Keyword, Any]]


@dataclass(frozen=True, slots=True)
class Decider:
    """A validator of the library's, and the checks that it calls back for, by the place of their schema."""

    validator: Any
    checks_at: Mapping[Tokens, Checks]


def decider(places: Mapping[Tokens, Json], prepared: Mapping[Tokens, Prepared]) -> Decider | None:
    """A validator of the document that has these *places*; None where patterns choose among properties."""
    if any(type(schema) is dict and "patternProperties" in schema for schema in places.values()):
        return None
    checks: dict[Tokens, Checks] = {}
    documents: dict[Tokens, Json] = {}
    # What a schema holds comes after it: from the end on, that is there when it is needed.
    for tokens, schema in reversed([*places.items()]):
        documents[tokens] = _document(tokens, schema, prepared[tokens], documents, checks)
    # The mask keeps values out of the messages, which would quote them.
    validator = jsonschema_rs.Draft202012Validator(
        documents[()], keywords={EXACT: _keyword(list(checks.values()))}, validate_formats=True, mask="value"
    )
    return Decider(validator, checks)


def _document(
    tokens: Tokens,
    schema: Json,
    prepared: Prepared,
    documents: Mapping[Tokens, Json],
    checks: dict[Tokens, Checks],
) -> Json:
    if type(schema) is bool:
        return schema
    document: dict[str, Json] = {}
    exact: Checks = []
    for keyword, value in schema.items():
        if keyword not in prepared and keyword not in HOLDERS:
            continue
        if keyword in HOLDERS:
            document[keyword] = _held(HOLDERS[keyword], (*tokens, keyword), value, documents)
        elif keyword in _COMPARING or not _is_native(keyword, value):
            exact.append((keyword, LEAVES[keyword], prepared[keyword]))
        elif keyword in _KEPT or keyword in ("const", "enum"):
            document[keyword] = value
        elif is_whole(value) and type(value) is not bool:
            document[keyword] = min(int(value), _LARGEST_COUNT)
    if exact:
        document[EXACT] = len(checks)
        checks[tokens] = exact
    return document


def _is_native(keyword: str, value: Json) -> bool:
    """Whether the library decides as exactly, and as fast: it does for `const` and short enums of single values."""
    if keyword == "const":
        return type(value) not in (dict, list) or not _holds_number(value)
    if keyword != "enum" or not _holds_number(value):
        return True
    return len(value) <= _MAX_NATIVE_ENUM and not any(type(each) in (dict, list) for each in value)


def _held(holds: Holds, tokens: Tokens, value: Json, documents: Mapping[Tokens, Json]) -> Json:
    if holds is Holds.ONE:
        return documents[tokens]
    if holds is Holds.LIST:
        return [documents[(*tokens, str(index))] for index in range(len(value))]
    return {name: documents[(*tokens, name)] for name in value}


def _holds_number(value: Json) -> bool:
    if type(value) is dict:
        return any(map(_holds_number, value.values()))
    return any(map(_holds_number, value)) if type(value) is list else is_number(value)


def _keyword(checks: Sequence[Checks]) -> type:
    class Exact:
        """A keyword as the library asks for keywords of its user's: made for each schema, called for each value."""

        def __init__(self, _schema: Json, number: int, _path: list[str | int]) -> None:
            self._checks = checks[number]

        def validate(self, value: Json) -> None:
            """Raise where *value* breaks one of the keywords: any error is a failure to the library."""
            try:
                failed = any(check(None, wanted, value, None) for _, check, wanted in self._checks)
            except EarlyOutcome as ending:
                current().interrupted.append(ending)
                failed = True
            if failed:
                raise ValueError

    return Exact
