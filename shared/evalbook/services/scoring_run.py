"""Scoring a few cases with one version, as a queue function would score them."""

from collections.abc import Sequence
from dataclasses import dataclass

from evalbook.canonical import plain_json
from evalbook.jsonvalue import Json
from evalbook.outcome import Grade
from evalbook.result import Run, Scorer
from evalbook.services.batch_job import BatchJob, CaseRange
from evalbook.services.stored_content import resolutions
from evalbook.services.traces import Traces
from evalbook.versions import ScorerVersion


@dataclass(frozen=True, slots=True)
class Used:
    """A version as a run uses it; `number` is None for a draft that is not stored."""

    version: ScorerVersion
    number: int | None


def scoring_job(
    used: Used, run_id: str, cases: Sequence[Json], traces: Traces | None = None, verdict: Grade | None = None
) -> BatchJob:
    """The job that scores *cases*, filled from stored traces where they say so; with *verdict* all get that grade.

    Raises:
        TracesUnavailable: The traces component did not answer.
    """
    version = used.version
    text = plain_json(list(cases))
    place = CaseRange(text, is_message=False, begin=0, end=len(cases), first_index=0, repeated=frozenset())
    run = Run(version.scorer.organization_id, version.scorer.project_id, run_id)
    scorer = Scorer(version.scorer.name, used.number, version.digest, version.implementation)
    parameters = version.parameters.encode()
    filled = {} if verdict else resolutions(cases, run, version.implementation, parameters, traces)
    return BatchJob(place, run, scorer, parameters, version.time_limit_ms, verdict, filled)
