"""Planning how a case is judged: the exact request of each repeat, with a boundary of its own, and what it can cost."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from evalbook.budgets.calls import logical_request_id
from evalbook.contracts.case import read_case
from evalbook.domain.case import Case
from evalbook.domain.errors import CaseInvalid, ParametersRefused
from evalbook.domain.outcome import Code, Grade, errored, unsupported
from evalbook.domain.records import Project
from evalbook.domain.versions import ScorerKey, VersionStore
from evalbook.jsonio.reader import NotStrictJson
from evalbook.jsonio.stored import read_stored
from evalbook.jsonio.values import encode_json
from evalbook.judges.catalog import CatalogModel, confirm
from evalbook.judges.content import CONTENT_NAMES, PLACEHOLDER, content_missing, fenced_contents
from evalbook.judges.estimate import Price, exceeds_context, worst_case
from evalbook.judges.prompt import boundary_is_free, build_messages
from evalbook.judges.request import RequestLabels, request_body
from evalbook.judges.rubric import Rubric, read_rubric
from evalbook.judges.version import JudgeParameters, read_parameters
from evalbook.services.judging.gateway import Catalogs
from evalbook.services.judging.ports import JudgeRunBodies
from evalbook.services.judging.records import JudgeRunJob, JudgeRunPlan, PlannedCall, StoredRef
from evalbook.services.registry.ports import RubricStore
from evalbook.traces.port import Purpose, Traces
from evalbook.traces.resolution import Needs, resolve_case

_GONE = errored(Code.VERSION_NOT_FOUND, "The judge version does not exist any more.")
_OTHER = errored(Code.DIGEST_MISMATCH, "The stored judge version is not the one that the case was dispatched for.")
_UNREADABLE = errored(Code.SCORING_FAILED, "The stored judge version can no longer be read.")
_NO_RUBRIC = errored(Code.VERSION_NOT_FOUND, "The rubric version that the judge names does not exist.")
_TOO_LONG = errored(
    Code.GATEWAY_CONTEXT_TOO_LONG, "The case is larger than the model's context, so it is not asked about."
)
_OTHER_RUBRIC = errored(Code.DIGEST_MISMATCH, "The stored rubric version is not the one that the judge names.")


@dataclass(frozen=True, slots=True)
class Planner:
    """Plans judge runs; *boundary* draws at least 128 bits, as hexadecimal digits, from a cryptographic source."""

    versions: VersionStore
    rubrics: RubricStore
    catalogs: Catalogs
    traces: Traces | None
    bodies: JudgeRunBodies
    boundary: Callable[[], str]

    def plan(self, judge_run_id: str, job: JudgeRunJob) -> JudgeRunPlan | Grade:
        """The plan with its texts held in the bucket, or the grade that the case gets without any judge.

        Raises:
            Retryable: A store, the catalog or the traces component did not answer.
        """
        found = self._parameters(job)
        if isinstance(found, Grade):
            return found
        text, parameters = found
        rubric = self._rubric(job, parameters)
        if isinstance(rubric, Grade):
            return rubric
        case = self._case(job, parameters)
        if isinstance(case, Grade):
            return case
        model = self._model(job, parameters)
        if isinstance(model, Grade):
            return model
        asking = _Asking(parameters, model[0], model[1], case, rubric)
        if asking.is_too_long():
            return _TOO_LONG
        return self._planned(judge_run_id, job, text, asking)

    def _parameters(self, job: JudgeRunJob) -> tuple[str, JudgeParameters] | Grade:
        text = self._version(job)
        if isinstance(text, Grade):
            return text
        try:
            return text, read_parameters(text)
        except (NotStrictJson, ParametersRefused):
            return _UNREADABLE

    def _version(self, job: JudgeRunJob) -> str | Grade:
        """The version's parameters: the job's own where it is a draft, else the stored ones."""
        if job.draft is not None:
            return job.draft
        key = ScorerKey(job.organization_id, job.project_id, job.scorer.name)
        version = None if job.scorer.version is None else self.versions.get(key, job.scorer.version)
        if version is None:
            return _GONE
        return version.parameters if version.digest == job.scorer.digest else _OTHER

    def _rubric(self, job: JudgeRunJob, parameters: JudgeParameters) -> Rubric | Grade | None:
        named = parameters.rubric
        if named is None:
            return None
        project = Project(job.organization_id, job.project_id)
        found = self.rubrics.rubric_version(project, named.name, named.version)
        if found is None:
            return _NO_RUBRIC
        if found.digest != named.digest:
            return _OTHER_RUBRIC
        return read_rubric(read_stored(found.content))

    def _case(self, job: JudgeRunJob, parameters: JudgeParameters) -> Case | Grade:
        """The case with its stored content; the grade where any of that must not be sent: then nothing is."""
        shown = {"output", *PLACEHOLDER.findall(parameters.prompt_template)}
        needs = Needs(Purpose.JUDGE, frozenset(CONTENT_NAMES) & shown)
        resolution = resolve_case(
            job.value, needs, self.traces, organization_id=job.organization_id, project_id=job.project_id
        )
        if resolution.ending is not None:
            return resolution.ending
        try:
            case = read_case(resolution.value)
        except CaseInvalid as error:
            return errored(Code.CASE_INVALID, str(error))
        missing = content_missing(parameters.prompt_template, case)
        return case if missing is None else unsupported(missing, missing.meaning)

    def _model(self, job: JudgeRunJob, parameters: JudgeParameters) -> tuple[CatalogModel, Price] | Grade:
        catalog = self.catalogs.catalog(job.organization_id)
        problems = confirm(catalog, parameters)
        model = catalog.models.get(parameters.model)
        if problems or model is None or model.prices is None:
            said = "; ".join(f"{problem.pointer} {problem.message}" for problem in problems)
            return errored(Code.GATEWAY_MODEL_UNAVAILABLE, f"The catalog does not confirm the judge's model: {said}.")
        return model, model.prices.highest()

    def _planned(self, judge_run_id: str, job: JudgeRunJob, text: str, asking: "_Asking") -> JudgeRunPlan:
        contents = asking.contents()
        calls = [self._call(judge_run_id, job, asking, repeat) for repeat in range(asking.parameters.repeat_count)]
        return JudgeRunPlan(
            parameters=text,
            served_names=sorted(asking.model.served_names),
            input_rate=asking.price.input_rate,
            output_rate=asking.price.output_rate,
            contents=StoredRef.of(self.bodies.put(judge_run_id, encode_json(contents))),
            calls=calls,
        )

    def _call(self, judge_run_id: str, job: JudgeRunJob, asking: "_Asking", repeat: int) -> PlannedCall:
        logical_id = logical_request_id(job.logical_call(repeat))
        labels = RequestLabels(job.run_id, job.scorer.digest, logical_id)
        body = asking.body(self._boundary(asking.contents().values()), labels)
        return PlannedCall(
            logical_id=logical_id,
            request=StoredRef.of(self.bodies.put(judge_run_id, body)),
            estimate=worst_case(
                body, asking.parameters.max_reply_tokens, asking.price, asking.model.limits.context_tokens
            ),
        )

    def _boundary(self, texts: Collection[str]) -> str:
        boundary = self.boundary()
        while not boundary_is_free(boundary, texts):
            boundary = self.boundary()
        return boundary


@dataclass(frozen=True, slots=True)
class _Asking:
    """Everything that a request is made of, but the boundary and the labels."""

    parameters: JudgeParameters
    model: CatalogModel
    price: Price
    case: Case
    rubric: Rubric | None

    def contents(self) -> Mapping[str, str]:
        """The fenced texts by name."""
        return fenced_contents(self.parameters.prompt_template, self.case)

    def is_too_long(self) -> bool:
        """Whether the texts alone cannot fit the model's context."""
        texts = "".join(self.contents().values()).encode("utf-8", "surrogatepass")
        return exceeds_context(texts, self.model.limits.context_tokens)

    def body(self, boundary: str, labels: RequestLabels) -> bytes:
        """The exact bytes of one request."""
        messages = build_messages(self.parameters, self.case, boundary=boundary, rubric=self.rubric)
        return request_body(self.model, self.parameters, messages, labels)
