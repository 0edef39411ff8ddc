"""Bodies of requests to the HTTP API."""

from typing import Annotated, Any

from pydantic import AfterValidator, ConfigDict, Field, StringConstraints, WithJsonSchema, model_validator

from evalbook.contracts.model import (
    WHOLE,
    AnyObject,
    ClosedWire,
    Description,
    Name,
    Ordinal,
    OrdinalOrActive,
    Wire,
    exactly_one_of,
)
from evalbook.jsonio.values import Json
from evalbook.services.registry.document import Criteria, FixtureBody, Instructions

_MILLISECONDS = {"type": "integer", "minimum": 1, "maximum": 600_000}
AnyTimeLimit = Annotated[Any, WithJsonSchema({"anyOf": [_MILLISECONDS, {"type": "null"}]})]

MAX_LIMIT = 10**12
"""A million dollars, in micro-dollars: more is a slip of the keyboard."""

MicroDollars = Annotated[int, Field(ge=1, le=MAX_LIMIT), WHOLE]
"""Whole micro-dollars."""


def _object(value: Json) -> Json:
    if not isinstance(value, dict):
        raise ValueError("must be an object")  # noqa: TRY004  (what pydantic takes for a problem of the body)
    return value


CaseObject = Annotated[AnyObject, AfterValidator(_object)]
"""A case, which is read by itself: what is wrong inside makes its result, not the request, an error."""


class NewScorerBody(ClosedWire):
    """A scorer to be created."""

    name: Name
    description: Description = ""


class NewVersionBody(ClosedWire):
    """A version to be created: an implementation, or `judge`, with its parameters."""

    implementation: Annotated[str, StringConstraints(min_length=1, max_length=64)]
    parameters: AnyObject = Field(default_factory=dict, description="See GET /implementations.")
    time_limit_ms: AnyTimeLimit = None


class FixturesBody(ClosedWire):
    """All fixtures of a version, in place of those before."""

    fixtures: Annotated[list[FixtureBody], Field(max_length=200)]


class PromptPreviewBody(ClosedWire):
    """A case, and a stored judge version's number or a judge's parameters."""

    model_config = ConfigDict(json_schema_extra=exactly_one_of(("version", "parameters")))

    version: Ordinal | None = None
    parameters: AnyObject | None = None
    case: AnyObject

    @model_validator(mode="after")
    def _one_judge(self) -> "PromptPreviewBody":
        if (self.version is None) == (self.parameters is None):
            raise ValueError("exactly one of version and parameters is required")
        return self


class NewRubricBody(ClosedWire):
    """A rubric to be created."""

    name: Name
    description: Description = ""


class NewRubricVersionBody(Wire):
    """A rubric version to be created; its members are read by the rubric itself."""

    instructions: Instructions
    criteria: Criteria


class StoredVersionBody(ClosedWire):
    """A stored version: its number, or the one that is active."""

    name: Name
    version: OrdinalOrActive


class SandboxRunBody(ClosedWire):
    """Up to 20 cases, and the version that scores them: a stored one or an inline draft."""

    model_config = ConfigDict(json_schema_extra=exactly_one_of(("scorer", "draft")))

    scorer: StoredVersionBody | None = None
    draft: NewVersionBody | None = None
    cases: Annotated[list[CaseObject], Field(min_length=1, max_length=20)]
    budget_limit: MicroDollars | None = Field(
        None, description="Judges only: the most that the run may cost, in micro-dollars; at most what it may anyway."
    )

    @model_validator(mode="after")
    def _one_version(self) -> "SandboxRunBody":
        if (self.scorer is None) == (self.draft is None):
            raise ValueError("exactly one of scorer and draft is required")
        return self
