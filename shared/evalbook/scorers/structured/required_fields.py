"""required_fields (S-07): the output object has each listed field with its declared type."""

from collections.abc import Callable
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from evalbook.domain.case import Case
from evalbook.domain.implementation import Need, ScoreFunction, scorer
from evalbook.domain.outcome import Grade, failed, passed
from evalbook.domain.parameters import Pointer
from evalbook.jsonio.pointer import parse_pointer, resolve
from evalbook.jsonio.values import ABSENT, Absent, Json, is_number, kind_of
from evalbook.jsonschema_subset.vocabulary import is_whole
from evalbook.scorer_kit.parsing import ParsesOutput, parsed_output_reader
from evalbook.scorer_kit.reading import OBJECT

TypeName = Literal["string", "number", "integer", "boolean", "object", "array", "null", "any"]
TypeNames = Annotated[list[TypeName], Field(min_length=1)]

_MAX_NAMED: Final = 10
_ALL = passed("The output has every required field with its declared type.")
_TESTS: Final[dict[str, Callable[[Json], bool]]] = {
    "string": lambda value: type(value) is str,
    "number": is_number,
    "integer": is_whole,
    "boolean": lambda value: type(value) is bool,
    "object": lambda value: type(value) is dict,
    "array": lambda value: type(value) is list,
    "null": lambda value: value is None,
    "any": lambda _: True,
}


class RequiredField(BaseModel):
    """A field that the output must have."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, hide_input_in_errors=True)

    path: Annotated[Pointer, Field(min_length=1, description="Where the field is in the output.")]
    type: TypeName | TypeNames = Field(description="The field's type, or the types it may have; integer takes 1.0.")


class RequiredFieldsParameters(ParsesOutput):
    """Which fields the output must have."""

    required_fields: Annotated[list[RequiredField], Field(min_length=1, description="The fields, each with its type.")]


@scorer(parameters=RequiredFieldsParameters, needs=(Need.OUTPUT,))
def required_fields(parameters: RequiredFieldsParameters) -> ScoreFunction:
    """Passes when the output object has each listed field with its declared type."""
    output_of, rules = parsed_output_reader(parameters, OBJECT), [_rule(field) for field in parameters.required_fields]

    def score(case: Case) -> Grade:
        output = output_of(case)
        broken = [shown for rule in rules if (shown := rule(output))]
        if not broken:
            return _ALL
        more = f" and {len(broken) - _MAX_NAMED} more" if len(broken) > _MAX_NAMED else ""
        counted = f"{len(broken)} of {len(rules)} required fields are missing or of another type"
        return failed(f"{counted}: {'; '.join(broken[:_MAX_NAMED])}{more}.")

    return score


def _rule(field: RequiredField) -> Callable[[dict[str, Any]], str | None]:
    """Return a function that says how an output breaks the rule, None where it keeps it."""
    tokens, path = parse_pointer(field.path), field.path
    names = [field.type] if isinstance(field.type, str) else field.type
    tests = [_TESTS[name] for name in names]

    def broken(output: dict[str, Any]) -> str | None:
        value: Json | Absent = resolve(output, tokens)
        if value is ABSENT:
            return f"{path} is missing"
        return None if any(test(value) for test in tests) else f"{path} is {kind_of(value)}, not {' or '.join(names)}"

    return broken
