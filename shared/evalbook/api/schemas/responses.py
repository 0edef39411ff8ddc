"""Bodies of the HTTP API's answers."""

from typing import Annotated, Any, Literal

from pydantic import Field

from evalbook.contracts.model import AnyObject, Name, Ordinal, Sha256, Wire
from evalbook.contracts.results import Result
from evalbook.domain.implementation import Need
from evalbook.domain.outcome import Code, Outcome
from evalbook.domain.versions import VersionState

Cursor = Annotated[str | None, Field(description="Give it as `cursor` for the next page; null on the last one.")]


class PlaceView(Wire):
    """One thing that is wrong, or worth knowing, and where."""

    pointer: str = Field(description="A JSON Pointer (RFC 6901) into what was sent.")
    message: str


class ProblemView(Wire):
    """An error (RFC 9457); `code` is stable."""

    type: str
    title: str
    status: int
    code: str
    detail: str
    problems: list[PlaceView] | None = None


class GatewayErrorView(Wire):
    """An error of the gateway itself."""

    message: str


class StampView(Wire):
    """Who did something, and when."""

    by: str
    at: str


class ScorerView(Wire):
    """A scorer."""

    name: Name
    description: str
    versions: int
    active_version: int | None
    created: StampView


class ScorersView(Wire):
    """A page of scorers, by name."""

    items: list[ScorerView]
    next_cursor: Cursor


class FixtureCountView(Wire):
    """Which fixtures a version has."""

    digest: Sha256
    count: int


class VersionView(Wire):
    """A version of a scorer."""

    scorer: Name
    version: Ordinal
    implementation: str
    family: str
    parameters: AnyObject | None = Field(description="As they were written.")
    time_limit_ms: int
    digest: Sha256
    material_digest: Sha256 | None = Field(description="Judges only: what a calibration measures.")
    state: VersionState
    warnings: list[PlaceView]
    fixtures: FixtureCountView | None
    created: StampView


class VersionsView(Wire):
    """A page of versions, by number."""

    items: list[VersionView]
    next_cursor: Cursor


class ImplementationView(Wire):
    """What versions can name as their implementation."""

    name: str
    family: str
    summary: str
    needs: list[Need]
    parameters: AnyObject = Field(description="A JSON Schema, draft 2020-12.")


class ImplementationsView(Wire):
    """All implementations, by name."""

    items: list[ImplementationView]


class FixtureView(Wire):
    """A case and what it must give."""

    case: AnyObject
    outcome: Outcome
    code: Code | None = None
    score: float | None = None


class FixturesView(Wire):
    """The fixtures of a version."""

    digest: Sha256 | None
    frozen: bool
    fixtures: list[FixtureView]


class FixtureVerdictView(Wire):
    """What one fixture gave; `agrees` is null where there was no time to run it."""

    index: int
    case_id: str
    agrees: bool | None
    expected: AnyObject
    actual: dict[str, Any] | None


class FixtureReportView(Wire):
    """What all fixtures gave."""

    digest: Sha256
    agreeing: int
    disagreeing: int
    not_run: int
    fixtures: list[FixtureVerdictView]


class GovernedView(Wire):
    """The governed action that an activation is the end of, and the two people behind it."""

    action_id: str
    requested_by: str
    approved_by: str


class ActivationView(Wire):
    """One activation."""

    scorer: Name
    activation: Ordinal
    version: Ordinal
    previous_version: int | None
    activated: StampView
    action: GovernedView | None = Field(description="Judges only.")


class ActivationsView(Wire):
    """A page of activations, oldest first."""

    items: list[ActivationView]
    next_cursor: Cursor


class RubricView(Wire):
    """A rubric."""

    name: Name
    description: str
    versions: int
    created: StampView


class RubricsView(Wire):
    """A page of rubrics, by name."""

    items: list[RubricView]
    next_cursor: Cursor


class RubricVersionView(Wire):
    """A rubric version."""

    rubric: Name
    version: Ordinal
    digest: Sha256
    instructions: str | None
    criteria: list[AnyObject] | None
    created: StampView


class RubricVersionsView(Wire):
    """A page of rubric versions, by number."""

    items: list[RubricVersionView]
    next_cursor: Cursor


class MessageView(Wire):
    """One message to a judge."""

    role: Literal["system", "user"]
    content: str


class PromptPreviewView(Wire):
    """The messages of one request, with a boundary of their own; or why the judge would not be asked."""

    messages: list[MessageView]
    not_asked: Code | None


class SandboxResultView(Result):
    """A result; without `body` for a caller without `dataset.read_body`."""

    body: dict[str, Any] | None = None


class SandboxRunView(Wire):
    """A sandbox run; results are in the order of the cases, those that are there."""

    run_id: str
    status: Literal["running", "finished"]
    cases: int
    results: list[SandboxResultView]
    budget_id: str | None = Field(description="Judges only: the AI budget that was opened for the run.")
    created: StampView
    expires_at: str
