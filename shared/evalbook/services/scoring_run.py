"""Scoring a few cases with one version here and now, as a queue function would score them."""

from collections.abc import Iterator, Sequence

from evalbook.canonical import plain_json
from evalbook.jsonvalue import Json
from evalbook.result import Run, Scorer
from evalbook.services.batch_job import BatchJob, CaseRange
from evalbook.versions import ScorerVersion


def scoring_job(
    version: ScorerVersion, run_id: str, cases: Sequence[Json], *, number: int | None, first: int = 0
) -> BatchJob:
    """The job that scores *cases*, the first of which is number *first* of its run.

    *number* is the version's where it is stored, None for a draft that is not.
    """
    text = plain_json(list(cases))
    place = CaseRange(text, is_message=False, begin=0, end=len(cases), first_index=first, repeated=frozenset())
    run = Run(version.scorer.organization_id, version.scorer.project_id, run_id)
    scorer = Scorer(version.scorer.name, number, version.digest, version.implementation)
    return BatchJob(place, run, scorer, version.parameters.encode(), version.time_limit_ms)


def numbered_from(first: int, answers: Iterator[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
    """Number answers as their cases are numbered in the whole run."""
    return ((first + index, answer) for index, answer in answers)
