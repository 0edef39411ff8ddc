"""Starting judge runs: for any kind of run, a case is judged by one execution, named after its result."""

from dataclasses import dataclass
from typing import Final

from evalbook.contracts.case import read_case
from evalbook.contracts.score_batch import CaseValue
from evalbook.domain.errors import CaseInvalid
from evalbook.domain.outcome import Assurance, Code, Grade, errored
from evalbook.domain.result import CaseIdentity, ResultWriter, Run, ScoringVersion
from evalbook.jsonio.canonical import plain_json
from evalbook.jsonio.values import encode_json
from evalbook.services.judging.ports import Executions, JudgeRunBodies
from evalbook.services.judging.records import JudgeRunJob, RunPurpose, StoredScorer
from evalbook.services.scoring.batch_job import unscorable

MAX_CASE_BYTES: Final = 8 * 2**20

_NO_BUDGET: Final = errored(Code.BUDGET_EXHAUSTED, "The batch names no AI budget, so no judge can be asked.")
_TOO_LARGE: Final = errored(Code.INPUT_TOO_LONG, "The case is larger than a judge can be asked about.")


@dataclass(frozen=True, slots=True)
class JudgeExecution:
    """What the judge runs of one run share.

    `draft` holds the parameters (JSON text) of a version that is not stored; with `refusal` no judge is asked at all.
    """

    run: Run
    scorer: ScoringVersion
    purpose: RunPurpose
    batch_id: str
    budget_id: str | None
    draft: str | None = None
    refusal: Grade | None = None

    def writer(self) -> ResultWriter:
        """The writer of the run's results."""
        return ResultWriter(self.run, self.scorer, Assurance.REPORTED)


@dataclass(frozen=True, slots=True)
class JudgeRunLauncher:
    """Starts one execution a case, whose name is the case's result id: the same case never runs twice."""

    bodies: JudgeRunBodies
    executions: Executions

    def start(self, judge_runs: JudgeExecution, identity: CaseIdentity, value: CaseValue) -> str | Grade:
        """The id of the judge run that is being asked, or the grade that the case gets without any judge.

        Raises:
            StoreUnavailable: A store did not answer; starting again starts nothing twice.
        """
        job = _job(judge_runs, identity, value)
        if isinstance(job, Grade):
            return job
        judge_run_id = judge_runs.writer().result_id(identity)
        ref = self.bodies.put(judge_run_id, job.model_dump_json().encode())
        self.executions.start(judge_run_id, encode_json(entry(judge_run_id, ref.key, ref.sha256)).decode())
        return judge_run_id


def entry(judge_run_id: str, key: str, sha256: str) -> dict[str, object]:
    """What an execution starts with: references only."""
    return {"judge_run_id": judge_run_id, "job": {"key": key, "sha256": sha256}, "prepared": {"attempt": 0}}


def _job(judge_runs: JudgeExecution, identity: CaseIdentity, value: CaseValue) -> JudgeRunJob | Grade:
    """The case's job, or the grade that it gets without any judge."""
    refused = unscorable(identity, value)
    if refused is not None:
        return refused
    try:
        case = read_case(value)
    except CaseInvalid as error:
        return errored(Code.CASE_INVALID, str(error))
    text = plain_json(value)
    refused = judge_runs.refusal or _refusal(judge_runs.budget_id, text)
    if refused is not None:
        return refused
    run, scorer = judge_runs.run, judge_runs.scorer
    return JudgeRunJob(
        organization_id=run.organization_id,
        project_id=run.project_id,
        run_id=run.run_id,
        batch_id=judge_runs.batch_id,
        purpose=judge_runs.purpose,
        budget_id=judge_runs.budget_id,
        scorer=StoredScorer(
            name=scorer.name or "",
            version=scorer.version,
            digest=scorer.digest or "",
            implementation=scorer.implementation or "",
        ),
        draft=judge_runs.draft,
        case_id=case.case_id,
        example_id=case.example_id,
        case_digest=identity.digest,
        case=text.decode("utf-8", "surrogatepass"),
    )


def _refusal(budget_id: str | None, case: bytes) -> Grade | None:
    if budget_id is None:
        return _NO_BUDGET
    return _TOO_LARGE if len(case) > MAX_CASE_BYTES else None
