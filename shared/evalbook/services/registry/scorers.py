"""Creating and reading scorers and their versions."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from evalbook.domain.records import Activation, AuditStamp, Project, ScorerRecord, VersionDraft, VersionRecord
from evalbook.domain.refusals import Declined, DeclineReason
from evalbook.domain.versions import JUDGE, ScorerVersion, VersionState
from evalbook.services.registry.ports import Clock, Page, ScorerStore
from evalbook.services.registry.version_check import NewVersion, VersionsCheck


@dataclass(frozen=True, slots=True)
class Scorers:
    """The scorers of all projects."""

    store: ScorerStore
    check: VersionsCheck
    clock: Clock

    def create(self, project: Project, name: str, description: str, by: str) -> ScorerRecord:
        """Create a scorer without versions.

        Raises:
            Declined: NAME_TAKEN.
        """
        scorer = ScorerRecord(project.scorer(name), description, AuditStamp(by, self.clock()))
        if not self.store.create_scorer(scorer):
            raise Declined(DeclineReason.NAME_TAKEN, "There is a scorer of this name already.")
        return scorer

    def get(self, project: Project, name: str) -> ScorerRecord:
        """The scorer called *name*.

        Raises:
            Declined: SCORER_NOT_FOUND.
        """
        scorer = self.store.scorer(project.scorer(name))
        if scorer is None:
            raise _no_scorer()
        return scorer

    def list(self, project: Project, page: Page) -> Sequence[ScorerRecord]:
        """A page of the project's scorers, by name."""
        return self.store.scorers(project, page.after, page.limit)

    def add_version(self, project: Project, name: str, asked: NewVersion, by: str) -> VersionRecord:
        """Create the next version, a draft.

        Raises:
            Declined: SCORER_NOT_FOUND.
            ParametersRefused: The version cannot be created; carries every problem.
        """
        self.get(project, name)
        draft = self.check.draft(project, name, asked, AuditStamp(by, self.clock()))
        number = self.store.add_version(draft)
        if number is None:
            raise _no_scorer()
        return as_record(draft, number)

    def version(self, project: Project, name: str, number: int) -> VersionRecord:
        """One version.

        Raises:
            Declined: SCORER_NOT_FOUND or VERSION_NOT_FOUND.
        """
        found = self.store.version(project.scorer(name), number)
        if found is None:
            self.get(project, name)
            raise Declined(DeclineReason.VERSION_NOT_FOUND, "The scorer has no version of this number.")
        return found

    def deterministic(self, project: Project, name: str, number: int) -> VersionRecord:
        """One version, which must not be a judge's.

        Raises:
            Declined: SCORER_NOT_FOUND, VERSION_NOT_FOUND or NOT_FOR_JUDGES.
        """
        found = self.version(project, name, number)
        if found.version.implementation == JUDGE:
            raise Declined(
                DeclineReason.NOT_FOR_JUDGES, "Judge versions are calibrated and activated by a governed action."
            )
        return found

    def versions(self, project: Project, name: str, page: Page) -> Sequence[VersionRecord]:
        """A page of a scorer's versions, by number.

        Raises:
            Declined: SCORER_NOT_FOUND.
        """
        self.get(project, name)
        return self.store.versions(project.scorer(name), page.after_number, page.limit)

    def activations(self, project: Project, name: str, page: Page) -> Sequence[Activation]:
        """A page of a scorer's activations, oldest first.

        Raises:
            Declined: SCORER_NOT_FOUND.
        """
        self.get(project, name)
        return self.store.activations(project.scorer(name), page.after_number, page.limit)


def as_record(draft: VersionDraft, number: int) -> VersionRecord:
    """A draft as it is stored under *number*."""
    version = ScorerVersion(
        draft.scorer,
        number,
        draft.implementation,
        draft.parameters,
        draft.time_limit_ms,
        draft.digest,
        VersionState.DRAFT,
    )
    return VersionRecord(version, draft.family, draft.warnings, draft.created, draft.material_digest)


def activated(record: VersionRecord) -> VersionRecord:
    """The record of a version that has just become active."""
    return replace(record, version=replace(record.version, state=VersionState.ACTIVE))


def _no_scorer() -> Declined:
    return Declined(DeclineReason.SCORER_NOT_FOUND, "The project has no scorer of this name.")
