"""Checking what a new version would pin: the same refusals, in the same words, wherever a version is made."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from evalbook.domain.errors import ParametersRefused, Problem
from evalbook.domain.implementation import DEFAULT_TIME_LIMIT_MS, read_time_limit
from evalbook.domain.records import AuditStamp, Project, VersionDraft
from evalbook.domain.versions import JUDGE, version_digest
from evalbook.jsonio.canonical import digest, plain_json
from evalbook.jsonio.pointer import format_pointer
from evalbook.jsonio.stored import NotStorable, read_stored, stored_text
from evalbook.jsonio.values import Json
from evalbook.judges.version import JudgeParameters, material, read_judge_parameters
from evalbook.services.registry.pinning import pinned_parameters
from evalbook.services.registry.ports import ModelCatalog, RubricStore
from evalbook.services.scoring import catalog
from evalbook.services.scoring.prepare_job import as_json, check_parameters
from evalbook.services.scoring.worker import Worker

MAX_PARAMETERS_BYTES = 300_000  # an item of the registry has 400 KB at most


@dataclass(frozen=True, slots=True)
class NewVersion:
    """What an author asks for; None where the default is meant."""

    implementation: str
    parameters: Json
    time_limit_ms: Json = None


@dataclass(frozen=True, slots=True)
class VersionsCheck:
    """Turns what an author asks for into a draft that can be stored."""

    worker: Worker
    rubrics: RubricStore
    models: ModelCatalog | None

    def draft(self, project: Project, scorer: str, asked: NewVersion, created: AuditStamp) -> VersionDraft:
        """The version as it would be stored.

        Raises:
            ParametersRefused: It cannot be created; carries every problem.
        """
        if asked.implementation == JUDGE:
            return self._judge(project, scorer, asked, created)
        if asked.implementation not in catalog.families():
            raise ParametersRefused([Problem("/implementation", "there is no such implementation")])
        limit, late = _time_limit(asked.time_limit_ms)
        try:
            text = _text(asked.parameters)
            checked = check_parameters(self.worker, asked.implementation, text)
            parameters = read_stored(checked.stored)
            stored = _text(parameters)
        except ParametersRefused as refused:
            raise ParametersRefused([*_inside_parameters(refused), *late]) from None
        if late:
            raise ParametersRefused(late)
        return VersionDraft(
            scorer=project.scorer(scorer),
            implementation=asked.implementation,
            family=catalog.families()[asked.implementation],
            parameters=stored.decode(),
            time_limit_ms=limit,
            digest=version_digest(asked.implementation, parameters, limit),
            warnings=_warnings_text(checked.warnings),
            created=created,
        )

    def judge_parameters(self, project: Project, raw: Json) -> JudgeParameters:
        """Read the parameters of a judge version as `judge_of_registry` does."""
        return judge_of_registry(self.rubrics, project, raw)

    def _judge(self, project: Project, scorer: str, asked: NewVersion, created: AuditStamp) -> VersionDraft:
        raw = pinned_parameters(JUDGE, asked.parameters, asked.time_limit_ms)
        beside = frozenset({"/time_limit_ms"} if asked.time_limit_ms is not None else ())
        try:
            text = _text(raw)
            parameters = self.judge_parameters(project, raw)
            self._confirm_model(project, parameters)
        except ParametersRefused as refused:
            raise ParametersRefused(_inside_parameters(refused, beside=beside)) from None
        return VersionDraft(
            scorer=project.scorer(scorer),
            implementation=JUDGE,
            family=JUDGE,
            parameters=text.decode(),
            time_limit_ms=parameters.time_limit_ms,
            digest=version_digest(JUDGE, raw, parameters.time_limit_ms),
            warnings=_warnings_text(as_json(parameters.warnings())),
            created=created,
            material_digest=digest(dict(material(parameters))),
        )

    def _confirm_model(self, project: Project, parameters: JudgeParameters) -> None:
        if self.models is None:
            problem = Problem("/model", "no model catalog is configured, so the model cannot be confirmed")
            raise ParametersRefused([problem])
        if problems := list(self.models.problems(project.organization_id, parameters)):
            raise ParametersRefused(problems)


def judge_of_registry(rubrics: RubricStore, project: Project, raw: Json) -> JudgeParameters:
    """Read the parameters of a judge version, whose rubric, if it names one, has to be in the registry.

    Raises:
        ParametersRefused: They cannot be a version's, or the rubric is not there as it is named.
    """
    parameters = read_judge_parameters(raw)
    if problems := _rubric_problems(rubrics, project, parameters):
        raise ParametersRefused(problems)
    return parameters


def _rubric_problems(rubrics: RubricStore, project: Project, parameters: JudgeParameters) -> list[Problem]:
    named = parameters.rubric
    if named is None:
        return []
    stored = rubrics.rubric_version(project, named.name, named.version)
    if stored is None:
        return [Problem("/rubric", "there is no such rubric version")]
    if stored.digest != named.digest:
        return [Problem("/rubric/digest", "the stored rubric version has another digest")]
    return []


def _warnings_text(warnings: Iterable[Mapping[str, str]]) -> str:
    """Warnings as JSON text, with pointers into what was sent."""
    return plain_json([{**each, "pointer": "/parameters" + each["pointer"]} for each in warnings]).decode()


def _time_limit(asked: Json) -> tuple[int, list[Problem]]:
    try:
        return read_time_limit(DEFAULT_TIME_LIMIT_MS if asked is None else asked), []
    except ParametersRefused as refused:
        return DEFAULT_TIME_LIMIT_MS, list(refused.problems)


def _text(parameters: Json) -> bytes:
    """Return the text of *parameters* as it is stored; what could not be read again, or is too large, is refused."""
    try:
        text = stored_text(parameters)
    except NotStorable as error:
        raise ParametersRefused([Problem(format_pointer(error.path), error.reason)]) from None
    if len(text) > MAX_PARAMETERS_BYTES:
        raise ParametersRefused([Problem("", f"must be at most {MAX_PARAMETERS_BYTES} bytes of JSON")])
    return text


def _inside_parameters(refused: ParametersRefused, *, beside: frozenset[str] = frozenset()) -> list[Problem]:
    """The problems with pointers into what was sent: the parameters are a member of it, *beside* are others."""
    return [
        problem if problem.pointer in beside else Problem("/parameters" + problem.pointer, problem.message)
        for problem in refused.problems
    ]
