"""Creating and reading rubrics."""

from collections.abc import Sequence
from dataclasses import dataclass

from evalbook.domain.errors import ParametersRefused, Problem
from evalbook.domain.records import AuditStamp, Project, RubricDraft, RubricRecord, RubricVersionRecord
from evalbook.domain.refusals import Declined, DeclineReason
from evalbook.jsonio.canonical import digest
from evalbook.jsonio.pointer import format_pointer
from evalbook.jsonio.stored import NotStorable, stored_text
from evalbook.jsonio.values import Json
from evalbook.judges.parameter_types import plain
from evalbook.judges.rubric import Criterion, Rubric, read_rubric
from evalbook.services.registry.ports import Clock, Page, RubricStore
from evalbook.services.registry.version_check import MAX_PARAMETERS_BYTES


@dataclass(frozen=True, slots=True)
class Rubrics:
    """The rubrics of all projects."""

    store: RubricStore
    clock: Clock

    def create(self, project: Project, name: str, description: str, by: str) -> RubricRecord:
        """Create a rubric without versions.

        Raises:
            Declined: NAME_TAKEN.
        """
        rubric = RubricRecord(project, name, description, AuditStamp(by, self.clock()))
        if not self.store.create_rubric(rubric):
            raise Declined(DeclineReason.NAME_TAKEN, "There is a rubric of this name already.")
        return rubric

    def get(self, project: Project, name: str) -> RubricRecord:
        """The rubric called *name*.

        Raises:
            Declined: RUBRIC_NOT_FOUND.
        """
        rubric = self.store.rubric(project, name)
        if rubric is None:
            raise _no_rubric()
        return rubric

    def list(self, project: Project, page: Page) -> Sequence[RubricRecord]:
        """A page of the project's rubrics, by name."""
        return self.store.rubrics(project, page.after, page.limit)

    def add_version(self, project: Project, name: str, raw: Json, by: str) -> RubricVersionRecord:
        """Create the next version.

        Raises:
            Declined: RUBRIC_NOT_FOUND.
            ParametersRefused: It is no rubric; carries every problem.
        """
        self.get(project, name)
        content = rubric_content(read_rubric(raw))
        text = _stored(content)
        if len(text) > MAX_PARAMETERS_BYTES:
            raise ParametersRefused([Problem("", f"must be at most {MAX_PARAMETERS_BYTES} bytes of JSON")])
        draft = RubricDraft(project, name, text.decode(), digest(content), AuditStamp(by, self.clock()))
        number = self.store.add_rubric_version(draft)
        if number is None:
            raise _no_rubric()
        return RubricVersionRecord(number, draft.content, draft.digest, draft.created)

    def version(self, project: Project, name: str, number: int) -> RubricVersionRecord:
        """One rubric version.

        Raises:
            Declined: RUBRIC_NOT_FOUND or VERSION_NOT_FOUND.
        """
        found = self.store.rubric_version(project, name, number)
        if found is None:
            self.get(project, name)
            raise Declined(DeclineReason.VERSION_NOT_FOUND, "The rubric has no version of this number.")
        return found

    def versions(self, project: Project, name: str, page: Page) -> Sequence[RubricVersionRecord]:
        """A page of a rubric's versions, by number.

        Raises:
            Declined: RUBRIC_NOT_FOUND.
        """
        self.get(project, name)
        return self.store.rubric_versions(project, name, page.after_number, page.limit)


def rubric_content(rubric: Rubric) -> dict[str, Json]:
    """What a rubric version pins, with its defaults: two spellings of one rubric have one content."""
    return {"instructions": rubric.instructions, "criteria": [_criterion(each) for each in rubric.criteria]}


def _stored(content: Json) -> bytes:
    try:
        return stored_text(content)
    except NotStorable as error:
        raise ParametersRefused([Problem(format_pointer(error.path), error.reason)]) from None


def _criterion(criterion: Criterion) -> dict[str, Json]:
    return {
        "key": criterion.key,
        "title": criterion.title,
        "weight": plain(criterion.weight),
        "required": criterion.required,
        "levels": [{"score": plain(level.score), "label": level.label} for level in criterion.levels],
    }


def _no_rubric() -> Declined:
    return Declined(DeclineReason.RUBRIC_NOT_FOUND, "The project has no rubric of this name.")
