"""The document that `evalbook export` writes and `evalbook import` reads: what a project's authors wrote."""

from typing import Annotated, Any, Literal

from pydantic import Field

from evalbook.api.schemas.requests import (
    AnyObject,
    ApiRequest,
    Criteria,
    Description,
    FixtureBody,
    Instructions,
    Name,
)

FORMAT: Literal["evalbook/1"] = "evalbook/1"


class RubricVersionText(ApiRequest):
    """One version of a rubric."""

    instructions: Instructions
    criteria: Criteria


class RubricText(ApiRequest):
    """A rubric; its versions in their order."""

    name: Name
    description: Description = ""
    versions: list[RubricVersionText]


class VersionText(ApiRequest):
    """One version of a scorer, with the fixtures that check it."""

    implementation: str
    parameters: AnyObject
    time_limit_ms: Annotated[Any, Field(description="In milliseconds.")]
    fixtures: list[FixtureBody] = Field(default_factory=list)


class ScorerText(ApiRequest):
    """A scorer; its versions in their order, and the number of the active one."""

    name: Name
    description: Description = ""
    active_version: int | None = None
    versions: list[VersionText]


class RegistryDocument(ApiRequest):
    """All scorers and rubrics of a project."""

    format: Literal["evalbook/1"]
    rubrics: list[RubricText]
    scorers: list[ScorerText]
