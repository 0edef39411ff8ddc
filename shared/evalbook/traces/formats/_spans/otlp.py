"""Attributes as they are written: OTLP/JSON's keys and typed values, objects, and MLflow's JSON texts."""

from collections.abc import Mapping
from typing import Final

from evalbook.jsonio.values import Json
from evalbook.traces.formats._parts import parsed
from evalbook.traces.formats._spans.record import name_of

_ANY_VALUES: Final = frozenset({
    "stringValue", "boolValue", "intValue", "doubleValue", "arrayValue", "kvlistValue", "bytesValue", "string_value",
    "bool_value", "int_value", "double_value", "array_value", "kvlist_value", "bytes_value",
})  # fmt: skip


def attributes_of(raw: Json) -> Mapping[str, Json]:
    """Attributes by name, from an object or from OTLP's list of keys and typed values."""
    if type(raw) is dict:
        return {name: any_value(value) for name, value in raw.items()}
    pairs = [pair for pair in raw if type(pair) is dict] if type(raw) is list else []
    return {pair["key"]: any_value(pair.get("value")) for pair in pairs if name_of(pair.get("key"))}


def unread_pairs(raw: Json) -> bool:
    """Whether a list of attributes holds one that is no key and typed value, so that it cannot be read."""
    if type(raw) is not list:
        return False
    return any(
        type(pair) is not dict
        or not name_of(pair.get("key"))
        or bool(pair.keys() - {"key", "value"})
        or _is_untyped(pair.get("value"))
        for pair in raw
    )


def _is_untyped(value: Json) -> bool:
    if type(value) is not dict or len(value) != 1 or not value.keys() <= _ANY_VALUES:
        return True
    (held,) = value.values()
    return type(held) is dict and "values" in held and bool(held["values"]) and unread_pairs(_pairs(held["values"]))


def _pairs(values: Json) -> Json:
    """The members of a structure, or the elements of an array as if each were one."""
    if type(values) is list and not any(type(one) is dict and "key" in one for one in values):
        return [{"key": "element", "value": value} for value in values]
    return values


def any_value(value: Json) -> Json:
    """The value that OTLP's typed *value* holds; any other is its own."""
    if type(value) is not dict or len(value) != 1 or not value.keys() <= _ANY_VALUES:
        return value
    ((kind, held),) = value.items()
    kind = kind.replace("_v", "V")
    if kind == "intValue":
        return int(held) if type(held) is str and held.lstrip("-").isdecimal() else held
    values = held.get("values") if type(held) is dict else None
    if kind == "arrayValue":
        return [any_value(element) for element in values] if type(values) is list else []
    return dict(attributes_of(values)) if kind == "kvlistValue" else held


def decoded(attributes: Mapping[str, Json]) -> dict[str, Json]:
    """MLflow writes each of its attributes as a JSON text, also a plain text, whose quotes belong to it."""
    return {name: _decoded(value) if name.startswith("mlflow.") else value for name, value in attributes.items()}


def _decoded(value: Json) -> Json:
    if type(value) is not str:
        return value
    read = parsed(value)
    return value if read is None else read
