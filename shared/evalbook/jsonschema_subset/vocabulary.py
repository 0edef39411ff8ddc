"""The keywords of the subset: what each takes, which ones hold schemas, and why the others are refused."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Final

from evalbook.jsonio.canonical import exact
from evalbook.jsonio.values import Json, is_number
from evalbook.jsonschema_subset.drafts import SchemaDraft

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


_DIALECT: Final = SchemaDraft.DRAFT_2020_12.address
_CONTENT: Final = frozenset({"contentEncoding", "contentMediaType", "contentSchema"})
# What editors and generators add for the reader; no validator takes it for a check.
_EDITORIAL: Final = frozenset(
    {
        "allowComments",
        "allowTrailingCommas",
        "defaultSnippets",
        "deprecationMessage",
        "doNotSuggest",
        "enumDescriptions",
    }
    | {"enumNames", "errorMessage", "markdownDeprecationMessage", "markdownDescription", "markdownEnumDescriptions"}
    | {"patternErrorMessage", "suggestSortText", "tsEnumNames", "tsType"}
    # OpenAPI's; its `example` is refused, since examples of JSON Schema are a list.
    | {"externalDocs", "xml"}
)
# `deprecated` came late: documents of older drafts say in words what to use instead.
_LOOSE: Final = frozenset({"default", "deprecated"}) | _CONTENT | _EDITORIAL

_ANYTHING: Final = Shape("any value", lambda _: True)
_ARRAY: Final = Shape("an array", lambda value: type(value) is list)
_STRING: Final = Shape("a string", lambda value: type(value) is str)
_BOOLEAN: Final = Shape("true or false", lambda value: type(value) is bool)
_NUMBER: Final = Shape("a number", is_number)
_POSITIVE: Final = Shape("a number above 0", lambda value: is_number(value) and value > 0)
_COUNT: Final = Shape("a whole number, 0 or more", lambda value: is_whole(value) and value >= 0)

_AT_ROOT: Final = frozenset({"$schema", "$id"})
_COUNTED: Final = ("Length", "Items", "Contains", "Properties")

SHAPES: Final[Mapping[str, Shape]] = MappingProxyType(
    {
        "$schema": Shape(f"'{_DIALECT}', at the root", lambda value: value in (_DIALECT, _DIALECT + "#")),
        "$id": Shape("a string, at the root", lambda value: type(value) is str),
        "type": Shape(f"one of {', '.join(_TYPES)}, or an array of them, each once", _types),
        "multipleOf": _POSITIVE,
        "required": Shape("an array of strings, each once", _distinct_strings),
        "dependentRequired": Shape("an object of arrays of strings, each once", _string_lists),
    }
    | dict.fromkeys(("const", *sorted(_LOOSE)), _ANYTHING)
    | dict.fromkeys(("enum", "examples"), _ARRAY)
    | dict.fromkeys(("$ref", "format", "pattern", "title", "description", "$comment"), _STRING)
    | dict.fromkeys(("uniqueItems", "readOnly", "writeOnly"), _BOOLEAN)
    | dict.fromkeys(("maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum"), _NUMBER)
    | dict.fromkeys((bound + what for bound in ("min", "max") for what in _COUNTED), _COUNT)
)

KEYWORDS: Final = frozenset(SHAPES) | frozenset(HOLDERS)
_ANNOTATIONS: Final = _LOOSE | {"title", "description", "examples", "$comment", "readOnly", "writeOnly"}
_OWN_ANNOTATION: Final = "x-"

_OLDER: Final = "or name the draft that has it in $schema"
_REASONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "$dynamicRef": "write $ref",
        "$dynamicAnchor": "refer by JSON Pointer, '#/$defs/...'",
        "$recursiveRef": "write $ref",
        "$recursiveAnchor": "refer by JSON Pointer, '#/$defs/...'",
        "$vocabulary": "only a meta-schema needs it: remove it",
        "dependencies": f"write dependentRequired and dependentSchemas, {_OLDER}",
        "additionalItems": f"write prefixItems and items, {_OLDER}",
        "divisibleBy": "write multipleOf",
        "extends": "write allOf",
        "disallow": "write not",
        "example": "write examples, an array",
        "nullable": 'list null among the types, {"type": ["string", "null"]}',
        "discriminator": "write oneOf, with a const in each",
        "id": "write $id, a string, at the root",
    }
)
_INSTEAD: Final[Mapping[str, str]] = MappingProxyType(
    dict.fromkeys(
        ("exclusiveMinimum", "exclusiveMaximum"), "the bound itself (true and false beside a bound are draft-04's)"
    )
    | {"required": "name the required properties in the schema of the object that has them"}
)


def is_annotation(keyword: str) -> bool:
    """Whether *keyword* checks nothing and says so: an annotation of drafts or editors, or one's own, `x-...`."""
    return keyword in _ANNOTATIONS or keyword.startswith(_OWN_ANNOTATION)


def is_own_annotation(keyword: str) -> bool:
    """Whether *keyword* is an annotation of the author's own, `x-...`."""
    return keyword.startswith(_OWN_ANNOTATION)


def is_unknown(keyword: str) -> bool:
    """Whether *keyword* is none of any draft, nor one that is known to be meant as one."""
    known = keyword in KEYWORDS or keyword in _REASONS or keyword in ("definitions", "$anchor")
    return not known and not is_annotation(keyword)


def why_refused(keyword: str) -> str:
    """Say why *keyword*, which is outside the subset, is refused, and what to write instead."""
    instead = _REASONS.get(keyword)
    if instead:
        return f"is not in the subset: {instead}"
    return "is no keyword of the subset and would be ignored: correct it, remove it, or begin it with 'x-'"


def wrong_shape(keyword: str, value: Json, *, at_root: bool) -> str | None:
    """Say what *keyword*, which holds no schemas, takes instead of *value*; None where it takes it."""
    if keyword not in SHAPES or (SHAPES[keyword].fits(value) and (at_root or keyword not in _AT_ROOT)):
        return None
    instead = _INSTEAD.get(keyword)
    return f"must be {SHAPES[keyword].words}" + (f": {instead}" if instead and type(value) is bool else "")


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
