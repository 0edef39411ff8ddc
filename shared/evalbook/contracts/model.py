"""What all wire models have in common."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any, Final, Literal, get_args

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    StringConstraints,
    ValidationError,
    WithJsonSchema,
)
from pydantic.config import JsonDict
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from evalbook.contracts.words import in_words
from evalbook.jsonio.pointer import format_pointer
from evalbook.jsonio.values import Json

Id = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._:@/+=-]{0,127}$")]
"""An identifier of ours or of the evaluation service: 1 to 128 characters, none of which separates key parts."""

Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
"""A SHA-256 digest in lower-case hexadecimal digits."""

CaseId = Annotated[str, StringConstraints(min_length=1, max_length=128)]
"""The evaluation service's name for a case."""

Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$")]
"""A scorer's or rubric's name: 1 to 128 characters that need no escape in a URL."""

MAX_ORDINAL: Final = 99_999_999

AnyObject = Annotated[Any, WithJsonSchema({"type": "object"})]
"""A JSON object; what is in it is read, and refused with its own words, further inside."""

Description = Annotated[str, StringConstraints(max_length=2_000)]


def _whole(value: Json) -> Json:
    """Return a number without a fraction as an int, as JSON Schema's integer takes 3.0; anything else as it is."""
    if isinstance(value, Decimal) and value.is_finite() and value == value.to_integral_value():
        return int(value)
    return value


WHOLE: Final = BeforeValidator(_whole)
"""Marks a field as a whole JSON number; 3.0 is one, true is none. Stands behind the field's bounds."""

SchemaVersion = Annotated[int, Field(ge=1, le=1), WHOLE, WithJsonSchema({"const": 1})]
"""The version of a message's form; a literal would take true for 1."""

MAX_INDEX: Final = 2**53 - 1
Index = Annotated[int, Field(ge=0, le=MAX_INDEX), WHOLE]


Ordinal = Annotated[int, Field(ge=1, le=MAX_ORDINAL), WHOLE]
"""A version's number."""


def _number_or_active(value: Json) -> Json:
    number = _whole(value)
    if number != "active" and (type(number) is not int or not 1 <= number <= MAX_ORDINAL):
        raise ValueError(f"must be a version's number, from 1 to {MAX_ORDINAL}, or 'active'")
    return number


OrdinalOrActive = Annotated[
    int | Literal["active"],
    BeforeValidator(_number_or_active),
    WithJsonSchema({"anyOf": [{"type": "integer", "minimum": 1, "maximum": MAX_ORDINAL}, {"const": "active"}]}),
]
"""A version's number, or the one that is active."""


def exactly_one_of(*pairs: tuple[str, str]) -> JsonDict:
    """Return the JSON Schema that says of each pair of members that one is there and not null, and the other not."""
    return {"allOf": [{"oneOf": [_is_given(name) for name in pair]} for pair in pairs]}


def _is_given(name: str) -> JsonDict:
    return {"required": [name], "properties": {name: {"not": {"type": "null"}}}}


class Wire(BaseModel):
    """A frozen, strict model whose errors never quote what was sent; unknown fields are ignored."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore", hide_input_in_errors=True, defer_build=True)


class ClosedWire(Wire):
    """A wire model that knows all its members: unknown ones are refused."""

    model_config = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True)
class ShownAs:
    """Marks a field that takes anything and is published as *model*, since what it holds is read elsewhere."""

    model: type[Wire]

    def __get_pydantic_json_schema__(self, _: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """The model's schema."""
        return handler(self.model.__pydantic_core_schema__)


def first_problem(error: ValidationError, model: type[Wire]) -> str:
    """Say what is wrong first and where in a *model*, quoting nothing that was sent: not even an unknown name."""
    details = error.errors(include_url=False, include_input=False)[0]
    place = details["loc"]
    if details["type"] == "extra_forbidden":
        known = ", ".join(_model_at(model, place[:-1]).model_fields)
        return f"{format_pointer(place[:-1]) or 'it'} has a member that is not known; known are {known}"
    problem = in_words(details, place)
    return f"{problem.pointer or 'it'} {problem.message}"


def _model_at(model: type[Wire], place: tuple[str | int, ...]) -> type[Wire]:
    """Return the model of the object at *place* in a *model*."""
    for name in place:
        annotation = model.model_fields[str(name)].annotation
        found = [each for each in (annotation, *get_args(annotation)) if isinstance(each, type)]
        model = next(each for each in found if issubclass(each, Wire))
    return model
