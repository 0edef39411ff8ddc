"""The keywords that look at one value and hold no schema: exact on numbers, and never slower than linear."""

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final

from jsonschema import ValidationError

from evalbook.jsonio.equality import json_equal
from evalbook.jsonio.values import Json, is_number
from evalbook.jsonschema_subset.run import current
from evalbook.jsonschema_subset.vocabulary import is_whole

Keyword = Callable[[Any, Any, Json, Any], Iterator[ValidationError] | list[ValidationError] | None]
"""A keyword as `jsonschema` calls it: validator, what the keyword was prepared to, the value, the schema around."""

_NUMBERS: Final = (int, Decimal, float)
_ANY: Final = (*_NUMBERS, str, bool, list, dict, type(None))

_TYPES: Final[Mapping[str, Callable[[Json], bool]]] = MappingProxyType(
    {
        "null": lambda value: value is None,
        "boolean": lambda value: type(value) is bool,
        "integer": is_whole,
        "number": is_number,
        "string": lambda value: type(value) is str,
        "array": lambda value: type(value) is list,
        "object": lambda value: type(value) is dict,
    }
)


def failure(*below: str | int) -> ValidationError:
    """A failure of the keyword that raises it, or of what stands *below* it; it quotes nothing."""
    return ValidationError("", schema_path=below)


def _is_other_type(names: str | list[str], value: Json) -> bool:
    return not any(_TYPES[name](value) for name in ([names] if type(names) is str else names))


def repeats(value: list[Json]) -> bool:
    """Whether two elements of *value* are equal."""
    return len(set(map(current().spelling, value))) < len(value)


def _leaf(kinds: tuple[type, ...], breaks: Callable[[Any, Any], bool]) -> Keyword:
    def keyword(_validator: Any, wanted: Any, value: Json, _schema: Any) -> list[ValidationError] | None:
        return [failure()] if type(value) in kinds and breaks(wanted, value) else None

    return keyword


def _required(_validator: Any, names: list[str], value: Json, _schema: Any) -> list[ValidationError] | None:
    if type(value) is not dict:
        return None
    return [failure(index) for index, name in enumerate(names) if name not in value]


def _dependent_required(
    _validator: Any, lists: dict[str, list[str]], value: Json, _schema: Any
) -> list[ValidationError]:
    return [
        failure(present, index)
        for present, names in lists.items()
        if type(value) is dict and present in value
        for index, name in enumerate(names)
        if name not in value
    ]


LEAVES: Final[Mapping[str, Keyword]] = MappingProxyType(
    {
        "type": _leaf(_ANY, _is_other_type),
        "enum": _leaf(_ANY, lambda members, value: value not in members),
        "const": _leaf(_ANY, lambda wanted, value: not json_equal(value, wanted)),
        "multipleOf": _leaf(_NUMBERS, lambda divisor, value: (Fraction(value) / divisor).denominator != 1),
        "minimum": _leaf(_NUMBERS, lambda limit, value: value < limit),
        "maximum": _leaf(_NUMBERS, lambda limit, value: value > limit),
        "exclusiveMinimum": _leaf(_NUMBERS, lambda limit, value: value <= limit),
        "exclusiveMaximum": _leaf(_NUMBERS, lambda limit, value: value >= limit),
        "minLength": _leaf((str,), lambda limit, value: len(value) < limit),
        "maxLength": _leaf((str,), lambda limit, value: len(value) > limit),
        "pattern": _leaf((str,), lambda matcher, value: not matcher.matches(value)),
        "format": _leaf((str,), lambda check, value: not check.holds(value)),
        "minItems": _leaf((list,), lambda limit, value: len(value) < limit),
        "maxItems": _leaf((list,), lambda limit, value: len(value) > limit),
        "uniqueItems": _leaf((list,), lambda wanted, value: wanted and repeats(value)),
        "minProperties": _leaf((dict,), lambda limit, value: len(value) < limit),
        "maxProperties": _leaf((dict,), lambda limit, value: len(value) > limit),
        "required": _required,
        "dependentRequired": _dependent_required,
    }
)
