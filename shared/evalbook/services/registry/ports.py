"""What the registry's use cases need from the outside."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from evalbook.domain.errors import Problem
from evalbook.domain.records import (
    Activation,
    AuditStamp,
    FixtureSetRef,
    Project,
    RubricDraft,
    RubricRecord,
    RubricVersionRecord,
    ScorerRecord,
    VersionDraft,
    VersionRecord,
)
from evalbook.domain.versions import ScorerKey
from evalbook.judges.version import JudgeParameters

Clock = Callable[[], str]
"""Gives the time now as RFC 3339 text in UTC."""


@dataclass(frozen=True, slots=True)
class Page:
    """Which part of a list is asked for: up to *limit* entries after the entry *after*."""

    after: str
    limit: int

    @property
    def after_number(self) -> int:
        """*after* where the list is one of numbers."""
        return int(self.after) if self.after.isdecimal() else 0


class ScorerStore(Protocol):
    """Where scorers are kept. Every method raises StoreUnavailable when the store does not answer."""

    def create_scorer(self, scorer: ScorerRecord) -> bool:
        """Store a scorer; False where its name is taken."""

    def scorer(self, key: ScorerKey) -> ScorerRecord | None:
        """The scorer, or None."""

    def scorers(self, project: Project, after: str, limit: int) -> Sequence[ScorerRecord]:
        """Up to *limit* scorers by name, those after the name *after*."""

    def add_version(self, draft: VersionDraft) -> int | None:
        """Store a version under the next number and give that; None where there is no such scorer.

        However many callers there are at once, the numbers have no gaps and no repeats.
        """

    def version(self, key: ScorerKey, number: int) -> VersionRecord | None:
        """The version, or None."""

    def versions(self, key: ScorerKey, after: int, limit: int) -> Sequence[VersionRecord]:
        """Up to *limit* versions by number, those after the number *after*."""

    def activate(self, tested: VersionRecord, stamp: AuditStamp) -> Activation | None:
        """Make a version the only active one of its scorer, and record it.

        None where the version is no longer as it was *tested*. Where it is active already, its activation then.
        """

    def activations(self, key: ScorerKey, after: int, limit: int) -> Sequence[Activation]:
        """Up to *limit* activations by number, those after the number *after*."""


class FixtureStore(Protocol):
    """Where fixtures are kept. Every method raises StoreUnavailable when the store does not answer."""

    def replace_fixtures(self, key: ScorerKey, number: int, fixtures: FixtureSetRef, text: bytes) -> bool:
        """Give a draft these fixtures instead of what it had; False where it is no draft."""

    def fixtures(self, key: ScorerKey, number: int, fixtures: FixtureSetRef) -> bytes:
        """The text of a set of fixtures."""


class RubricStore(Protocol):
    """Where rubrics are kept. Every method raises StoreUnavailable when the store does not answer."""

    def create_rubric(self, rubric: RubricRecord) -> bool:
        """Store a rubric; False where its name is taken."""

    def rubric(self, project: Project, name: str) -> RubricRecord | None:
        """The rubric, or None."""

    def rubrics(self, project: Project, after: str, limit: int) -> Sequence[RubricRecord]:
        """Up to *limit* rubrics by name, those after the name *after*."""

    def add_rubric_version(self, draft: RubricDraft) -> int | None:
        """Store a rubric version under the next number and give that; None where there is no such rubric."""

    def rubric_version(self, project: Project, name: str, number: int) -> RubricVersionRecord | None:
        """The rubric version, or None."""

    def rubric_versions(self, project: Project, name: str, after: int, limit: int) -> Sequence[RubricVersionRecord]:
        """Up to *limit* versions by number, those after the number *after*."""


class ModelCatalog(Protocol):
    """The organization's models, as the gateway offers them."""

    def problems(self, organization_id: str, parameters: JudgeParameters) -> Iterable[Problem]:
        """Name why a judge version with these parameters cannot be run; nothing where it can."""
