"""Validators of `jsonschema-rs`, which decide a hundred times as fast.

The library compares some numbers as doubles, takes quadratic time for large ones, and matches patterns without a limit.
So it gets a document from which every keyword that compares numbers or matches is gone; in its place stands one
keyword that applies the very functions of `leaves`.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import jsonschema_rs

from evalbook.domain.outcome import EarlyOutcome
from evalbook.jsonio.pointer import Tokens
from evalbook.jsonio.values import Json, is_number
from evalbook.jsonschema_subset.leaves import LEAVES, Keyword
from evalbook.jsonschema_subset.preparing import Prepared
from evalbook.jsonschema_subset.run import current
from evalbook.jsonschema_subset.vocabulary import HOLDERS, Holds, is_whole

_EXACT: Final = "exact"
_COMPARING: Final = frozenset(
    {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "pattern", "uniqueItems"}
)
_KEPT: Final = frozenset({"$ref", "format", "required", "dependentRequired"})
# No value has as many characters, items or properties; the library takes no larger count.
_LARGEST_COUNT: Final = 2**63 - 1

Checks = list[tuple[Keyword, Any]]


def decider(places: Mapping[Tokens, Json], prepared: Mapping[Tokens, Prepared]) -> Any:
    """A validator of the document that has these *places*; None where patterns choose among properties."""
    if any(type(schema) is dict and "patternProperties" in schema for schema in places.values()):
        return None
    checks: list[Checks] = []
    documents: dict[Tokens, Json] = {}
    # What a schema holds comes after it: from the end on, that is there when it is needed.
    for tokens, schema in reversed([*places.items()]):
        documents[tokens] = _document(tokens, schema, prepared[tokens], documents, checks)
    return jsonschema_rs.Draft202012Validator(documents[()], keywords={_EXACT: _keyword(checks)}, validate_formats=True)


def _document(
    tokens: Tokens, schema: Json, prepared: Prepared, documents: Mapping[Tokens, Json], checks: list[Checks]
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
        elif keyword in _COMPARING or (keyword in ("const", "enum") and _holds_number(value)):
            exact.append((LEAVES[keyword], prepared[keyword]))
        elif keyword == "type" and "integer" in value:
            names = value if type(value) is list else [value]
            document["type"] = list({"number" if name == "integer" else name: name for name in names})
            exact.append((LEAVES["type"], value))
        elif keyword in _KEPT or keyword in ("const", "enum", "type"):
            document[keyword] = value
        elif is_whole(value) and type(value) is not bool:
            document[keyword] = min(int(value), _LARGEST_COUNT)
    if exact:
        document[_EXACT] = len(checks)
        checks.append(exact)
    return document


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
                failed = any(keyword(None, wanted, value, None) for keyword, wanted in self._checks)
            except EarlyOutcome as ending:
                current().interrupted.append(ending)
                failed = True
            if failed:
                raise ValueError

    return Exact
