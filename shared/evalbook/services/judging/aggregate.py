"""The last steps of a judge run: one result from all answers, recorded once, and sent as it was recorded."""

from dataclasses import dataclass

from evalbook.budgets.calls import Call, CallState
from evalbook.contracts.score_batch import ScoreBatch, ScorerRef
from evalbook.domain.errors import ParametersRefused, Unreadable
from evalbook.domain.outcome import Code, Grade, errored
from evalbook.domain.result import Measured
from evalbook.jsonio.reader import NotStrictJson
from evalbook.jsonio.stored import read_stored
from evalbook.jsonio.values import Json
from evalbook.judges.aggregation import AggregatedVerdict, RepeatAnswer, aggregate
from evalbook.judges.decision import Judgement, ReplyFailure
from evalbook.judges.version import read_parameters
from evalbook.services.budgets.ledger import BudgetLedger
from evalbook.services.judging.ports import BodyRef, NotNow, RecordKind, answer_name
from evalbook.services.judging.records import JudgeRunJob, JudgeRunPlan, StoredAnswer
from evalbook.services.judging.replies import judgement_of, usage_of
from evalbook.services.judging.stores import JudgeRunStores
from evalbook.services.scoring.consumer import NotSent
from evalbook.services.scoring.ports import Outgoing, Queue
from evalbook.services.scoring.result_batches import pack

_FAILED = errored(Code.SCORING_FAILED, "The judge could not be asked about the case.")
_CHARGED_PERHAPS = frozenset({CallState.SENT, CallState.IN_DOUBT, CallState.SETTLED})


@dataclass(frozen=True, slots=True)
class AggregateJudgeRun:
    """Makes the case's one result of whatever answers there are: what is missing is an error, never a verdict."""

    stores: JudgeRunStores
    ledger: BudgetLedger

    def run(self, judge_run_id: str, job_ref: BodyRef) -> dict[str, Json]:
        """The result's outcome and code; the result itself is recorded unless there was one already.

        Raises:
            Retryable: A store did not answer; the step may be taken again.
            Unreadable: The case is no longer there.
        """
        kept = self.stores.records.find(judge_run_id, RecordKind.RESULT)
        if kept is None:
            job = self.stores.job(job_ref)
            plan = self.stores.plan(judge_run_id)
            text = _unplanned(job) if plan is None else self._judged(judge_run_id, job, plan)
            kept = self.stores.records.keep(judge_run_id, RecordKind.RESULT, text)
        result = read_stored(kept)
        return {"outcome": result["outcome"], "code": result["code"]}

    def _judged(self, judge_run_id: str, job: JudgeRunJob, plan: JudgeRunPlan) -> bytes:
        kept = [self._kept(judge_run_id, repeat) for repeat in range(len(plan.calls))]
        calls = [self.ledger.call(planned.logical_id) for planned in plan.calls]
        for call in calls:
            self.ledger.release_unsent(call)
        try:
            result = self._aggregated(job, plan, kept, calls)
        except (NotStrictJson, ParametersRefused, Unreadable):
            return _unplanned(job)
        grade = Grade(result.outcome, result.explanation, result.code, result.score, result.label)
        judging: dict[str, Json] = {
            "repeats": len(plan.calls),
            "abstentions": result.abstentions,
            "served_models": list(result.served_models),
        }
        measured = Measured(result.usage, result.variability, result.body, judging)
        return job.writer().encode(job.identity, grade, measured)

    def _aggregated(
        self, job: JudgeRunJob, plan: JudgeRunPlan, kept: list[StoredAnswer | None], calls: list[Call | None]
    ) -> AggregatedVerdict:
        parameters = read_parameters(plan.parameters)
        contents = read_stored(self.stores.bodies.read(plan.contents.ref))
        judgements: list[Judgement] = [
            _missing(call) if answer is None else judgement_of(self.stores.bodies, answer, parameters)
            for answer, call in zip(kept, calls, strict=True)
        ]
        answers = [
            RepeatAnswer(judgement, usage_of(answer), answer.served_model if answer else None)
            for judgement, answer in zip(judgements, kept, strict=True)
        ]
        return aggregate(parameters, answers, contents, exhausted=job.exhausted)

    def _kept(self, judge_run_id: str, repeat: int) -> StoredAnswer | None:
        text = self.stores.records.find(judge_run_id, answer_name(repeat))
        return None if text is None else StoredAnswer.model_validate_json(text)


@dataclass(frozen=True, slots=True)
class PublishJudgeRun:
    """Sends the recorded result to the results queue."""

    stores: JudgeRunStores
    results: Queue

    def run(self, judge_run_id: str, job_ref: BodyRef) -> dict[str, Json]:
        """Send an evaluation's result as it was recorded; taken again, the step sends the same bytes again.

        The results of other runs are read from the records, and not sent to anyone.

        Raises:
            Retryable: The queue or a store did not answer, or there is no result yet.
            Unreadable: The case is no longer there.
        """
        result = self.stores.records.find(judge_run_id, RecordKind.RESULT)
        if result is None:
            raise NotNow("the judge run has no result")
        job = self.stores.job(job_ref)
        if job.purpose != "evaluation":
            return {"published": False}
        outgoing = [Outgoing(judge_run_id, body) for body in pack(_head(job), [result])]
        if failed := self.results.send(outgoing):
            raise NotSent(f"the results queue answered {failed[judge_run_id]}")
        return {"published": True}


def _missing(call: Call | None) -> ReplyFailure:
    """What is said of a repeat without an answer, by how its call stands in the ledger."""
    if call is not None and call.state in _CHARGED_PERHAPS:
        return ReplyFailure(Code.GATEWAY_OUTCOME_UNKNOWN)
    return ReplyFailure(Code.SCORING_FAILED)


def _unplanned(job: JudgeRunJob) -> bytes:
    return job.writer().encode(job.identity, _FAILED)


def _head(job: JudgeRunJob) -> ScoreBatch:
    return ScoreBatch(
        schema_version=1,
        organization_id=job.organization_id,
        project_id=job.project_id,
        run_id=job.run_id,
        batch_id=job.batch_id,
        purpose="evaluation",
        scorer=ScorerRef(name=job.scorer.name, version=job.scorer.version or 0),
        cases=[],
    )
