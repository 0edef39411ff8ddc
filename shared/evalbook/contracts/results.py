"""Results and result batches, as they leave."""

from typing import Any

from pydantic import Field

from evalbook.contracts.model import CaseId, Id, SchemaVersion, Sha256, Wire
from evalbook.domain.outcome import Assurance, Code, Outcome


class ScorerIdentity(Wire):
    """The version that scored; what could not be found out is null."""

    name: Id | None
    version: int | None
    digest: Sha256 | None
    implementation: str | None


class JudgingSummary(Wire):
    """How a judge came to its result; free of payload."""

    repeats: int = Field(description="How often the judge was to be asked.")
    abstentions: int = Field(description="How many of the usable replies abstained.")
    served_models: list[str] = Field(description="The names by which replies called their model.")


class Result(Wire):
    """What became of one case. Dropping `body` is the whole of redaction: nothing outside it carries payload."""

    result_id: Sha256 = Field(description="The same on every redelivery of the case.")
    run_id: Id
    case_id: CaseId | None = Field(description="null where it cannot be read.")
    example_id: str | None
    scorer: ScorerIdentity
    outcome: Outcome
    code: Code | None = Field(description="On every outcome but pass and fail.")
    score: float | None = Field(description="0 to 1, a judge's own scale, or null.")
    label: str | None = Field(description="A judge's category.")
    assurance: Assurance
    explanation: str
    usage: dict[str, Any] | None
    variability: dict[str, Any] | None
    judging: JudgingSummary | None = Field(None, description="A judge's; absent where no judge was asked.")
    body: dict[str, Any] | None = Field(description="What is derived from the case's content; at most 16 KB.")


class ResultBatch(Wire):
    """One message on the results queue: at most 100 results of one score batch, at most 200 KB."""

    schema_version: SchemaVersion
    organization_id: Id
    project_id: Id
    run_id: Id
    batch_id: Id
    results: list[Result]
