"""Finding where a value breaks a prepared schema: PyPI `jsonschema` walks, with keywords that are exact and counted.

The library's own keywords for single values compare floats, match with `re`, take quadratic time, and quote the value
in their messages; those for several schemas also quote whole schemas. What is left of it are its traversal and the
keywords that only go down.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from jsonschema import Draft202012Validator, ValidationError
from jsonschema.validators import create

from evalbook.domain.outcome import EarlyOutcome
from evalbook.jsonio.values import Json
from evalbook.jsonschema_subset.evaluated import evaluated_items, evaluated_properties, holds
from evalbook.jsonschema_subset.leaves import LEAVES, Keyword, failure
from evalbook.jsonschema_subset.preparing import FALSE, Patterned, Prepared, Rest
from evalbook.jsonschema_subset.run import StepsExhausted, running, spend

Errors = Iterator[ValidationError]


@dataclass(frozen=True, slots=True)
class Failure:
    """One keyword that a value breaks.

    `schema_tokens` lead to it from the root, with `$ref` where a reference is followed; `instance_tokens` lead to the
    part of the value and may hold the value's own names.
    """

    keyword: str
    schema_tokens: tuple[str | int, ...]
    instance_tokens: tuple[str | int, ...]


def _reference(validator: Any, target: Prepared, instance: Json, _schema: Prepared) -> Errors:
    return validator.descend(instance, target, schema_path="$ref")  # type: ignore[no-any-return]


def _false(_validator: Any, _wanted: Any, _instance: Json, _schema: Prepared) -> list[ValidationError]:
    return [failure()]


def _any_of(validator: Any, schemas: list[Prepared], instance: Json, _schema: Prepared) -> Errors:
    if not any(holds(validator, instance, each) for each in schemas):
        yield failure()


def _one_of(validator: Any, schemas: list[Prepared], instance: Json, _schema: Prepared) -> Errors:
    holding = (each for each in schemas if holds(validator, instance, each))
    if len(list(islice(holding, 2))) != 1:
        yield failure()


def _not(validator: Any, schema: Prepared, instance: Json, _schema: Prepared) -> Errors:
    if holds(validator, instance, schema):
        yield failure()


def _contains(validator: Any, wanted: Prepared, instance: Json, schema: Prepared) -> Errors:
    if type(instance) is not list:
        return
    count = sum(holds(validator, item, wanted) for item in instance)
    if count < schema.get("minContains", 1):
        yield failure()
    elif count > schema.get("maxContains", count):
        yield ValidationError("", validator="maxContains")


def _patterned(validator: Any, entries: list[Patterned], instance: Json, _schema: Prepared) -> Errors:
    if type(instance) is not dict:
        return
    for entry in entries:
        spend(len(instance))
        for name, value in instance.items():
            if entry.matcher.matches(name):
                yield from validator.descend(value, entry.schema, path=name, schema_path=entry.pattern)


def _rest(validator: Any, rest: Rest, instance: Json, _schema: Prepared) -> Errors:
    if type(instance) is not dict:
        return
    spend(len(instance) * len(rest.matchers))
    for name, value in instance.items():
        if rest.takes(name):
            yield from validator.descend(value, rest.schema, path=name)


def _unevaluated_properties(validator: Any, wanted: Prepared, instance: Json, schema: Prepared) -> Errors:
    if type(instance) is not dict:
        return
    evaluated = evaluated_properties(validator, instance, schema)
    for name, value in instance.items():
        if name not in evaluated:
            yield from validator.descend(value, wanted, path=name)


def _unevaluated_items(validator: Any, wanted: Prepared, instance: Json, schema: Prepared) -> Errors:
    if type(instance) is not list:
        return
    evaluated = evaluated_items(validator, instance, schema)
    for index, item in enumerate(instance):
        if index not in evaluated:
            yield from validator.descend(item, wanted, path=index)


def _counted(keyword: Keyword) -> Keyword:
    def counted(validator: Any, wanted: Any, instance: Json, schema: Prepared) -> Any:
        spend()
        return keyword(validator, wanted, instance, schema)

    return counted


_TAKEN_OVER: Final = ("properties", "propertyNames", "items", "prefixItems", "allOf", "dependentSchemas", "if")
_OWN: Final[Mapping[str, Keyword]] = {
    FALSE: _false,
    "$ref": _reference,
    "anyOf": _any_of,
    "oneOf": _one_of,
    "not": _not,
    "contains": _contains,
    "patternProperties": _patterned,
    "additionalProperties": _rest,
    "unevaluatedProperties": _unevaluated_properties,
    "unevaluatedItems": _unevaluated_items,
}
_LIBRARY: Final[Mapping[str, Any]] = {name: Draft202012Validator.VALIDATORS[name] for name in _TAKEN_OVER}
_KEYWORDS: Final[Mapping[str, Any]] = {
    name: _counted(keyword) for name, keyword in {**_LIBRARY, **LEAVES, **_OWN}.items()
}
_Validator: Final = create(meta_schema={}, validators=_KEYWORDS)


def find_failures(schema: Prepared, instance: Json, *, most: int, steps: int) -> list[Failure]:
    """The first *most* failures of *instance* against *schema*, in the schema's order; none where it is valid.

    Once one is found, what would end the search ends it quietly.

    Raises:
        StepsExhausted: It takes more than *steps* keywords to find one.
        RecursionError: Schema and value nest too deeply together.
        Undecided: A pattern cannot be matched.
    """
    found: list[Failure] = []
    try:
        with running(steps):
            for error in islice(_Validator(schema).iter_errors(instance), most):
                found.append(_of_error(error))  # noqa: PERF401  (what was found must outlast an exception)
    except (StepsExhausted, RecursionError, EarlyOutcome):
        if not found:
            raise
    return found


def _of_error(error: ValidationError) -> Failure:
    path = tuple(error.absolute_schema_path)
    keyword = str(error.validator)
    return Failure(keyword, path[:-1] if keyword == FALSE else path, tuple(error.absolute_path))
