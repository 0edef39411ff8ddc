"""What a judge would be asked about a case, without asking it."""

from collections.abc import Callable
from dataclasses import dataclass

from evalbook.domain.case import Case
from evalbook.domain.outcome import Code
from evalbook.domain.records import Project
from evalbook.domain.refusals import Declined, DeclineReason
from evalbook.domain.versions import JUDGE
from evalbook.jsonio.stored import read_stored
from evalbook.jsonio.values import Json
from evalbook.judges.content import content_missing, fenced_contents
from evalbook.judges.prompt import ChatMessage, boundary_is_free, build_messages
from evalbook.judges.rubric import Rubric, read_rubric
from evalbook.judges.version import JudgeParameters
from evalbook.services.registry.scorers import Scorers


@dataclass(frozen=True, slots=True)
class Preview:
    """The messages of one request; or, where the judge would not be asked at all, why."""

    messages: tuple[ChatMessage, ...]
    not_asked: Code | None


@dataclass(frozen=True, slots=True)
class PromptPreview:
    """Builds a judge's messages; *boundary* draws a fence's boundary from a cryptographic source."""

    scorers: Scorers
    boundary: Callable[[], str]

    def stored(self, project: Project, name: str, number: int, case: Case) -> Preview:
        """What version *number* would be asked.

        Raises:
            Declined: The version is not there, or is no judge's.
        """
        record = self.scorers.version(project, name, number)
        if record.version.implementation != JUDGE:
            raise Declined(DeclineReason.ONLY_FOR_JUDGES, "The version is no judge's: it has no prompt.")
        return self.draft(project, name, read_stored(record.version.parameters), case)

    def draft(self, project: Project, name: str, raw: Json, case: Case) -> Preview:
        """What a judge with the parameters *raw* would be asked.

        Raises:
            Declined: There is no such scorer.
            ParametersRefused: No judge version has such parameters.
        """
        self.scorers.get(project, name)
        parameters = self.scorers.check.judge_parameters(project, raw)
        return preview(parameters, case, self._rubric(project, parameters), self.boundary)

    def _rubric(self, project: Project, parameters: JudgeParameters) -> Rubric | None:
        named = parameters.rubric
        if named is None:
            return None
        stored = self.scorers.check.rubrics.rubric_version(project, named.name, named.version)
        return read_rubric(read_stored(stored.content)) if stored else None


def preview(parameters: JudgeParameters, case: Case, rubric: Rubric | None, draw: Callable[[], str]) -> Preview:
    """What a judge would be asked, fenced by a boundary that *draw* gives; *rubric* is the one that it names."""
    missing = content_missing(parameters.prompt_template, case)
    if missing:
        return Preview((), missing)
    contents = fenced_contents(parameters.prompt_template, case)
    boundary = draw()
    while not boundary_is_free(boundary, contents.values()):
        boundary = draw()
    return Preview(build_messages(parameters, case, boundary=boundary, rubric=rubric), None)
