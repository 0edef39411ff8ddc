"""What sandbox runs need from the outside."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from evalbook.domain.records import AuditStamp, Project
from evalbook.domain.versions import ScorerVersion


@dataclass(frozen=True, slots=True)
class RunKey:
    """One run of one project."""

    project: Project
    run_id: str


@dataclass(frozen=True, slots=True)
class RunJudging:
    """The budget that pays for a run with a judge, and the judge run of each case."""

    budget_id: str
    judge_runs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SandboxRun:
    """A run of a few cases with one version; `number` is None for a draft that is not stored."""

    key: RunKey
    version: ScorerVersion
    number: int | None
    cases: int
    created: AuditStamp
    deadline_at: str
    """After this (RFC 3339) what has no result gets none any more."""
    expires_at: str
    repeated: frozenset[int] = frozenset()
    """The numbers of the cases whose id is that of an earlier one."""
    judging: RunJudging | None = None
    """Where a judge scores the run."""


@dataclass(frozen=True, slots=True)
class CaseGroup:
    """Cases of a run that one invocation scores: those from *begin* to before *end*."""

    key: RunKey
    begin: int
    end: int


class SandboxStore(Protocol):
    """Where runs are kept until they expire. Every method raises StoreUnavailable when the store does not answer."""

    def count(self, caller: str, minute: str, limit: int) -> bool:
        """Count a run of the caller in this minute; False where there were *limit* already."""

    def create(self, run: SandboxRun, cases: Mapping[int, bytes]) -> None:
        """Store a run, and those of its cases (JSON text) that are still to be scored."""

    def run(self, key: RunKey) -> SandboxRun | None:
        """The run, or None."""

    def cases(self, group: CaseGroup) -> Sequence[bytes]:
        """The cases of a group."""

    def put_results(self, run: SandboxRun, results: Mapping[int, bytes]) -> None:
        """Store results (JSON text) by the numbers of their cases."""

    def results(self, key: RunKey) -> Mapping[int, bytes]:
        """The results that there are, by the numbers of their cases."""


class WorkQueue(Protocol):
    """Takes groups of cases to be scored by invocations to come."""

    def send(self, groups: Sequence[CaseGroup]) -> None:
        """Send them all.

        Raises:
            StoreUnavailable: The queue did not take one of them.
        """
