"""Scoring a few cases with one version, as a queue function would score them."""

from collections.abc import Sequence

from evalbook.canonical import plain_json
from evalbook.jsonvalue import Json
from evalbook.outcome import Grade
from evalbook.result import Run, Scorer
from evalbook.services.batch_job import BatchJob, CaseRange
from evalbook.versions import ScorerVersion


def scoring_job(
    version: ScorerVersion, run_id: str, cases: Sequence[Json], *, number: int | None, verdict: Grade | None = None
) -> BatchJob:
    """The job that scores *cases*; with *verdict* all get that grade.

    *number* is the version's where it is stored, None for a draft that is not.
    """
    text = plain_json(list(cases))
    place = CaseRange(text, is_message=False, begin=0, end=len(cases), first_index=0, repeated=frozenset())
    run = Run(version.scorer.organization_id, version.scorer.project_id, run_id)
    scorer = Scorer(version.scorer.name, number, version.digest, version.implementation)
    return BatchJob(place, run, scorer, version.parameters.encode(), version.time_limit_ms, verdict)
