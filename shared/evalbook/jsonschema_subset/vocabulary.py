"""The keywords of the subset: what each takes, which ones hold schemas, and why the others are refused."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Final

from evalbook.jsonio.canonical import exact
from evalbook.jsonio.values import Json, is_number

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
UNEVALUATED: Final = frozenset({"unevaluatedItems", "unevaluatedProperties"})
# Keywords whose schemas apply to the very value that the schema around them applies to.
IN_PLACE: Final = frozenset({"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "$ref"})

_TYPES: Final = ("null", "boolean", "integer", "number", "string", "array", "object")


class Holds(Enum):
    """How a keyword holds schemas."""

    ONE = "a schema"
    LIST = "an array of one or more schemas"
    MAP = "an object of schemas"


HOLDERS: Final[Mapping[str, Holds]] = MappingProxyType(
    dict.fromkeys(("not", "if", "then", "else", "items", "contains", "additionalProperties"), Holds.ONE)
    | dict.fromkeys(("propertyNames", *sorted(UNEVALUATED)), Holds.ONE)
    | dict.fromkeys(("allOf", "anyOf", "oneOf", "prefixItems"), Holds.LIST)
    | dict.fromkeys(("$defs", "properties", "patternProperties", "dependentSchemas"), Holds.MAP)
)


@dataclass(frozen=True, slots=True)
class Shape:
    """What a keyword takes: words for it, and the check."""

    words: str
    fits: Callable[[Json], bool]


def is_whole(value: Json) -> bool:
    """Whether *value* is a number without a fractional part: 1.0 is one, true is none."""
    if type(value) is int:
        return True
    if not is_number(value):
        return False
    number = exact(value)
    return number.is_finite() and number == number.to_integral_value()


def _distinct_strings(value: Json) -> bool:
    return type(value) is list and all(type(name) is str for name in value) and len(set(value)) == len(value)


def _types(value: Json) -> bool:
    names = value if type(value) is list else [value]
    return bool(names) and _distinct_strings(names) and all(name in _TYPES for name in names)


def _string_lists(value: Json) -> bool:
    return type(value) is dict and all(map(_distinct_strings, value.values()))


_ANYTHING: Final = Shape("any value", lambda _: True)
_ARRAY: Final = Shape("an array", lambda value: type(value) is list)
_STRING: Final = Shape("a string", lambda value: type(value) is str)
_BOOLEAN: Final = Shape("true or false", lambda value: type(value) is bool)
_NUMBER: Final = Shape("a number", is_number)
_POSITIVE: Final = Shape("a number above 0", lambda value: is_number(value) and value > 0)
_COUNT: Final = Shape("a whole number, 0 or more", lambda value: is_whole(value) and value >= 0)

_COUNTED: Final = ("Length", "Items", "Contains", "Properties")

SHAPES: Final[Mapping[str, Shape]] = MappingProxyType(
    {
        "$schema": Shape(f"'{DIALECT}', at the root", lambda value: value in (DIALECT, DIALECT + "#")),
        "type": Shape(f"one of {', '.join(_TYPES)}, or an array of them, each once", _types),
        "multipleOf": _POSITIVE,
        "required": Shape("an array of strings, each once", _distinct_strings),
        "dependentRequired": Shape("an object of arrays of strings, each once", _string_lists),
    }
    | dict.fromkeys(("const", "default"), _ANYTHING)
    | dict.fromkeys(("enum", "examples"), _ARRAY)
    | dict.fromkeys(("$ref", "pattern", "title", "description", "$comment"), _STRING)
    | dict.fromkeys(("uniqueItems", "deprecated", "readOnly", "writeOnly"), _BOOLEAN)
    | dict.fromkeys(("maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum"), _NUMBER)
    | dict.fromkeys((bound + what for bound in ("min", "max") for what in _COUNTED), _COUNT)
)

KEYWORDS: Final = frozenset(SHAPES) | frozenset(HOLDERS)
ANNOTATIONS: Final = frozenset(
    {"title", "description", "default", "examples", "$comment", "deprecated", "readOnly", "writeOnly"}
)

_REASONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "format": "it checks nothing in this draft unless it is implemented; write a pattern",
        "$id": "a schema is one document without other base addresses",
        "$anchor": "refer by JSON Pointer, '#/$defs/...'",
        "$dynamicRef": "write $ref",
        "$dynamicAnchor": "write $ref",
        "$vocabulary": "only a meta-schema needs it",
        "definitions": "this draft calls it $defs",
        "dependencies": "this draft has dependentRequired and dependentSchemas",
        "additionalItems": "this draft has prefixItems and items",
        "example": "this draft has examples, an array",
        "nullable": "this draft lists null among the types",
        "id": "a schema is one document without other base addresses",
    }
    | dict.fromkeys(
        ("contentEncoding", "contentMediaType", "contentSchema"),
        "it checks nothing in this draft; texts are not decoded",
    )
)


def why_refused(keyword: str) -> str:
    """Say why *keyword*, which is outside the subset, is refused."""
    reason = _REASONS.get(keyword)
    return f"is not in the subset: {reason}" if reason else "is no keyword of the subset and would be ignored"


def held(schema: Json) -> Iterator[tuple[str, tuple[str, ...], Json]]:
    """Every schema that *schema* holds directly: the keyword, the reference tokens from *schema* on, the schema."""
    if type(schema) is not dict:
        return
    for keyword, value in schema.items():
        holds = HOLDERS.get(keyword)
        if holds is Holds.ONE:
            yield keyword, (keyword,), value
        elif holds is Holds.LIST and type(value) is list:
            for index, element in enumerate(value):
                yield keyword, (keyword, str(index)), element
        elif holds is Holds.MAP and type(value) is dict:
            for name, member in value.items():
                yield keyword, (keyword, name), member
