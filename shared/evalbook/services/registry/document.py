"""The document that `evalbook export` writes and `evalbook import` reads: what a project's authors wrote."""

from typing import Annotated, Any, Literal

from pydantic import Field, WithJsonSchema

from evalbook.contracts.model import AnyObject, ClosedWire, Description, Name
from evalbook.domain.outcome import Code, Outcome
from evalbook.domain.parameters import Number

FORMAT: Literal["evalbook/1"] = "evalbook/1"

_LEVEL = {
    "type": "object",
    "required": ["score", "label"],
    "additionalProperties": False,
    "properties": {"score": {"type": "number"}, "label": {"type": "string", "minLength": 1, "maxLength": 2_000}},
}
_CRITERION = {
    "type": "object",
    "required": ["key", "title"],
    "additionalProperties": False,
    "properties": {
        "key": {"type": "string", "pattern": "^[A-Za-z0-9_.-]{1,64}$"},
        "title": {"type": "string", "minLength": 1, "maxLength": 200},
        "weight": {"type": "number", "minimum": 0, "default": 1},
        "required": {"type": "boolean", "default": False},
        "levels": {"type": "array", "items": _LEVEL, "maxItems": 20},
    },
}
Criteria = Annotated[Any, WithJsonSchema({"type": "array", "items": _CRITERION, "minItems": 1, "maxItems": 50})]
Instructions = Annotated[Any, WithJsonSchema({"type": "string", "minLength": 1, "maxLength": 20_000})]


class FixtureBody(ClosedWire):
    """A case and what it must give; code and score count where they are given."""

    case: AnyObject
    outcome: Annotated[Outcome, Field(strict=False)]
    code: Annotated[Code | None, Field(strict=False)] = None
    score: Number | None = None


class RubricVersionText(ClosedWire):
    """One version of a rubric."""

    instructions: Instructions
    criteria: Criteria


class RubricText(ClosedWire):
    """A rubric; its versions in their order."""

    name: Name
    description: Description = ""
    versions: list[RubricVersionText]


class VersionText(ClosedWire):
    """One version of a scorer, with the fixtures that check it."""

    implementation: str
    parameters: AnyObject
    time_limit_ms: Annotated[Any, Field(description="In milliseconds; without it, or null, the default.")] = None
    fixtures: list[FixtureBody] = Field(default_factory=list)


class ScorerText(ClosedWire):
    """A scorer; its versions in their order, and the number of the active one."""

    name: Name
    description: Description = ""
    active_version: int | None = None
    versions: list[VersionText]


class RegistryDocument(ClosedWire):
    """All scorers and rubrics of a project."""

    format: Literal["evalbook/1"]
    rubrics: list[RubricText]
    scorers: list[ScorerText]
