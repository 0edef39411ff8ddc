"""Scoring a few cases with one version, as a queue function would score them."""

from collections.abc import Sequence
from dataclasses import dataclass

from evalbook.domain.outcome import Grade
from evalbook.domain.result import Run, ScoringVersion
from evalbook.domain.versions import ScorerVersion
from evalbook.jsonio.canonical import plain_json
from evalbook.jsonio.values import Json
from evalbook.services.scoring.batch_job import BatchJob, CaseRange, identified
from evalbook.services.scoring.trace_needs import resolutions
from evalbook.traces.port import Traces


@dataclass(frozen=True, slots=True)
class ResolvedVersion:
    """A version as a run uses it; `number` is None for a draft that is not stored."""

    version: ScorerVersion
    number: int | None


@dataclass(frozen=True, slots=True)
class CaseSlice:
    """Some of a run's cases: the number in the run of the first, and the numbers of all whose id came before."""

    values: Sequence[Json]
    first: int = 0
    repeated: frozenset[int] = frozenset()

    @property
    def place(self) -> CaseRange:
        """The cases as a job takes them."""
        text, size = plain_json(list(self.values)), len(self.values)
        return CaseRange(text, is_message=False, begin=0, end=size, first_index=self.first, repeated=self.repeated)

    def repeats(self) -> frozenset[int]:
        """Return the numbers of those whose id stands before among them."""
        identities = (identity for identity, _ in identified(self.place))
        named = ((self.first + position, each) for position, each in enumerate(identities) if each.case_id is not None)
        return frozenset(index for index, each in named if each.place is not None)


def scoring_job(
    used: ResolvedVersion, run_id: str, cases: CaseSlice, traces: Traces | None = None, verdict: Grade | None = None
) -> BatchJob:
    """The job that scores *cases*, filled from stored traces where they say so; with *verdict* all get that grade.

    Raises:
        TracesUnavailable: The traces component did not answer.
    """
    version = used.version
    run = Run(version.scorer.organization_id, version.scorer.project_id, run_id)
    scorer = ScoringVersion(version.scorer.name, used.number, version.digest, version.implementation)
    parameters = version.parameters.encode()
    filled = {} if verdict else resolutions(cases.values, run, version.implementation, parameters, traces)
    return BatchJob(cases.place, run, scorer, parameters, version.time_limit_ms, verdict, filled)
