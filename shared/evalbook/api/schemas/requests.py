"""Bodies of requests to the HTTP API."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, StringConstraints, WithJsonSchema, model_validator

from evalbook.contracts.model import Wire
from evalbook.domain.outcome import Code, Outcome
from evalbook.domain.parameters import Number

Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$")]
"""A scorer's or rubric's name: 1 to 128 characters that need no escape in a URL."""

Ordinal = Annotated[int, Field(ge=1, le=99_999_999)]
"""A version's number."""

AnyObject = Annotated[Any, WithJsonSchema({"type": "object"})]
"""A JSON object; what is in it is read, and refused with its own words, further inside."""

_MILLISECONDS = {"type": "integer", "minimum": 1, "maximum": 600_000}
AnyTimeLimit = Annotated[Any, WithJsonSchema({"anyOf": [_MILLISECONDS, {"type": "null"}]})]

Description = Annotated[str, StringConstraints(max_length=2_000)]


MAX_LIMIT = 10**12
"""A million dollars, in micro-dollars: more is a slip of the keyboard."""

MicroDollars = Annotated[int, Field(ge=1, le=MAX_LIMIT)]
"""Whole micro-dollars."""


class ApiRequest(Wire):
    """A body whose members are all known."""

    model_config = ConfigDict(extra="forbid")


class NewScorerBody(ApiRequest):
    """A scorer to be created."""

    name: Name
    description: Description = ""


class NewVersionBody(ApiRequest):
    """A version to be created: an implementation, or `judge`, with its parameters."""

    implementation: Annotated[str, StringConstraints(min_length=1, max_length=64)]
    parameters: AnyObject = Field(default_factory=dict, description="See GET /implementations.")
    time_limit_ms: AnyTimeLimit = None


class FixtureBody(ApiRequest):
    """A case and what it must give; code and score count where they are given."""

    case: AnyObject
    outcome: Annotated[Outcome, Field(strict=False)]
    code: Annotated[Code | None, Field(strict=False)] = None
    score: Number | None = None


class FixturesBody(ApiRequest):
    """All fixtures of a version, in place of those before."""

    fixtures: Annotated[list[FixtureBody], Field(max_length=200)]


class PromptPreviewBody(ApiRequest):
    """A case, and a stored judge version's number or a judge's parameters."""

    version: Ordinal | None = None
    parameters: AnyObject = None
    case: AnyObject

    @model_validator(mode="after")
    def _one_judge(self) -> "PromptPreviewBody":
        if (self.version is None) == (self.parameters is None):
            raise ValueError("exactly one of version and parameters is required")
        return self


class NewRubricBody(ApiRequest):
    """A rubric to be created."""

    name: Name
    description: Description = ""


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


class NewRubricVersionBody(Wire):
    """A rubric version to be created; its members are read by the rubric itself."""

    instructions: Instructions
    criteria: Criteria


class StoredVersionBody(ApiRequest):
    """A stored version: its number, or the one that is active."""

    name: Name
    version: Ordinal | Literal["active"]


class SandboxRunBody(ApiRequest):
    """Up to 20 cases, and the version that scores them: a stored one or an inline draft."""

    scorer: StoredVersionBody | None = None
    draft: NewVersionBody | None = None
    cases: Annotated[list[AnyObject], Field(min_length=1, max_length=20)]
    budget_limit: MicroDollars | None = Field(
        None, description="Judges only: the most that the run may cost, in micro-dollars; at most what it may anyway."
    )

    @model_validator(mode="after")
    def _one_version(self) -> "SandboxRunBody":
        if (self.scorer is None) == (self.draft is None):
            raise ValueError("exactly one of scorer and draft is required")
        return self
