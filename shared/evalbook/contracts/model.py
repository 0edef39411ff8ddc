"""What all wire models have in common."""

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    StringConstraints,
    ValidationError,
    WithJsonSchema,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from evalbook.jsonio.pointer import format_pointer

Id = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._:@/+=-]{0,127}$")]
"""An identifier of ours or of the evaluation service: 1 to 128 characters, none of which separates key parts."""

Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
"""A SHA-256 digest in lower-case hexadecimal digits."""

CaseId = Annotated[str, StringConstraints(min_length=1, max_length=128)]
"""The evaluation service's name for a case."""

Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$")]
"""A scorer's or rubric's name: 1 to 128 characters that need no escape in a URL."""

Ordinal = Annotated[int, Field(ge=1, le=99_999_999)]
"""A version's number."""

AnyObject = Annotated[Any, WithJsonSchema({"type": "object"})]
"""A JSON object; what is in it is read, and refused with its own words, further inside."""

Description = Annotated[str, StringConstraints(max_length=2_000)]

SchemaVersion = Annotated[int, Field(ge=1, le=1), WithJsonSchema({"const": 1})]
"""The version of a message's form; a literal would take true for 1."""

Index = Annotated[int, Field(ge=0)]


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


def first_problem(error: ValidationError) -> str:
    """Say what is wrong first and where, quoting nothing that was sent."""
    details = error.errors(include_url=False, include_input=False)[0]
    return f"{format_pointer(details['loc']) or 'the whole'}: {details['type'].replace('_', ' ')}"
