"""Parameter sets of scorer versions: frozen, strict, every problem reported at once with its JSON Pointer."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, WithJsonSchema
from pydantic_core import ErrorDetails

from evalbook.domain.errors import ParametersRefused, Problem
from evalbook.jsonio.canonical import exact
from evalbook.jsonio.pointer import format_pointer, parse_pointer
from evalbook.jsonio.values import ABSENT, Json, is_number, kind_of


def _number(value: Json) -> Decimal:
    if not is_number(value):
        raise ValueError(f"must be a number, not {kind_of(value)}")
    number = exact(value)
    if not number.is_finite():
        raise ValueError("must be a finite number")
    return number


def _whole(value: Json) -> int:
    number = _number(value)
    if number != number.to_integral_value():
        raise ValueError("must be a whole number")
    return int(number)


def _pointer(value: str) -> str:
    parse_pointer(value)
    return value


Number = Annotated[Decimal, BeforeValidator(_number), WithJsonSchema({"type": "number"})]
"""Any JSON number, as the exact value of its literal."""

Share = Annotated[Number, Field(ge=0, le=1), WithJsonSchema({"type": "number", "minimum": 0, "maximum": 1})]
"""A number from 0 to 1."""

PositiveShare = Annotated[
    Number, Field(gt=0, le=1), WithJsonSchema({"type": "number", "exclusiveMinimum": 0, "maximum": 1})
]
"""A number above 0 and at most 1: a threshold of 0 would pass everything."""

Tolerance = Annotated[Number, Field(ge=0), WithJsonSchema({"type": "number", "minimum": 0})]
"""How far a number may be from another one: 0 or more."""

Whole = Annotated[int, BeforeValidator(_whole)]
"""A whole JSON number; 3.0 is one."""

Pointer = Annotated[str, AfterValidator(_pointer), WithJsonSchema({"type": "string", "format": "json-pointer"})]
"""A JSON Pointer (RFC 6901); `""` is the whole value."""

AnyJson = Annotated[Any, WithJsonSchema({})]
"""Any JSON value; ABSENT where it is not given."""


class Parameters(BaseModel):
    """What an author sets on a version of one implementation."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, hide_input_in_errors=True)

    @classmethod
    def problems(cls, raw: Mapping[str, Json]) -> Iterable[Problem]:  # noqa: ARG003  (for subclasses)
        """Name what is wrong beyond single fields; *raw* may hold anything at all."""
        return ()

    @classmethod
    def reads_arguments(cls, raw: Mapping[str, Json]) -> bool:  # noqa: ARG003  (for subclasses)
        """Return whether a version with the parameters *raw* reads the arguments of tool calls."""
        return False

    @classmethod
    def stored(cls, raw: Mapping[str, Json]) -> Mapping[str, Json]:
        """Return *raw*, which has no problems, as a version stores it: the same, unless a subclass says otherwise."""
        return raw

    @classmethod
    def as_stored(cls, raw: Mapping[str, Json]) -> Mapping[str, Json]:
        """Return *raw*, which a version stores, with what it meant by leaving out a parameter whose default changed."""
        return raw

    @classmethod
    def reads_expected(cls, raw: Mapping[str, Json]) -> bool:  # noqa: ARG003  (for subclasses)
        """Return whether a version with the parameters *raw* reads the example's expected value."""
        return "expected_path" in cls.model_fields

    def warnings(self) -> Iterable[Problem]:
        """Name what is accepted and yet worth knowing."""
        return ()

    @classmethod
    def published_schema(cls) -> dict[str, Any]:
        """Return the parameters as a JSON Schema, draft 2020-12: what it refuses is refused here too."""
        schema: dict[str, Any] = _published(cls.model_json_schema())
        return schema

    @classmethod
    def read(cls, raw: Json) -> Self:
        """Validate a parameter set as it was sent.

        Raises:
            ParametersRefused: With every problem and its JSON Pointer.
        """
        if not isinstance(raw, dict):
            raise ParametersRefused([Problem("", f"must be an object, not {kind_of(raw)}")])
        found = set(cls.problems(raw))
        try:
            parameters = cls.model_validate(raw)
        except ValidationError as error:
            found.update(_problem(details) for details in error.errors(include_url=False, include_context=True))
            raise ParametersRefused(found) from None
        if found:
            raise ParametersRefused(found)
        return parameters


class ReadsOutput(Parameters):
    """Parameters of a scorer that reads the output."""

    output_path: Pointer = Field("", description="Which part of the output is scored.")


class NamesExpected(Parameters):
    """Parameters of a scorer that reads an expected value."""

    expected_path: Pointer = Field("", description="Which part of the expected value is compared.")
    expected: AnyJson = Field(
        default_factory=lambda: ABSENT, description="An expected value for every case; wins over the example's."
    )


class ReadsExpected(NamesExpected, ReadsOutput):
    """Parameters of a scorer that compares the output with an expected value."""


_WORDS = {
    "missing": "is required",
    "too_short": "has too few elements",
    "extra_forbidden": "is not a parameter of this implementation",
    "string_type": "must be a string",
    "bool_type": "must be true or false",
    "list_type": "must be an array",
    "tuple_type": "must be an array",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "model_attributes_type": "must be an object",
}


_BOUNDS = {"ge": "minimum", "le": "maximum", "gt": "exclusiveMinimum", "lt": "exclusiveMaximum"}
_NULL = {"type": "null"}


def _published(schema: Json) -> Json:
    """*schema* with bounds under their JSON Schema names, and without the null that stands for what is not given."""
    if isinstance(schema, list):
        return [_published(element) for element in schema]
    if not isinstance(schema, dict):
        return schema
    members = {_BOUNDS.get(name, name): _published(member) for name, member in schema.items()}
    if members.get("type") == "number" and isinstance(members.get("default"), str):
        # A Decimal is published as text, which is none of the values that its own schema takes.
        members["default"] = float(members["default"])
    options = members.get("anyOf", [])
    if _NULL in options and "default" in members and members["default"] is None:
        given = [option for option in options if option != _NULL]
        members = {name: member for name, member in members.items() if name not in ("anyOf", "default")}
        members |= given[0] if len(given) == 1 else {"anyOf": given}
    return members


def _problem(details: ErrorDetails) -> Problem:
    """Say in JSON's words what pydantic found; a message holds the author's own parameters at most."""
    kind, context = details["type"], details.get("ctx", {})
    if kind == "value_error":
        message = str(context["error"])
    else:
        message = _WORDS.get(kind) or details["msg"].replace("Input should", "must").replace("Value error, ", "")
    return Problem(format_pointer(details["loc"]), message)
