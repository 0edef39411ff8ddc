"""What became of one case of a calibration: the judge's result and its single replies, free of any text."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pydantic import Field

from evalbook.budgets.store import LedgerStore
from evalbook.contracts.model import Wire
from evalbook.domain.errors import Unreadable
from evalbook.domain.outcome import Code, Grade
from evalbook.jsonio.stored import read_stored
from evalbook.judges.decision import decide_alone
from evalbook.judges.version import JudgeParameters
from evalbook.services.judging.ports import RecordKind, answer_name
from evalbook.services.judging.records import JudgeRunPlan, StoredAnswer
from evalbook.services.judging.replies import judgement_of
from evalbook.services.judging.stores import JudgeRunStores

_JUDGED: Final = frozenset({"pass", "fail", "abstained", "inconclusive"})


class CaseOutcome(Wire):
    """One case's outcome, each reply's verdict, category, score or outcome (None: no reply), and what it cost.

    `score` is absent of a binary judge, whose verdict says it all. `served` are the names by which the replies called
    their model.
    """

    outcome: str
    code: str | None = None
    score: float | None = None
    label: str | None = None
    repeats: list[str | float | None] = Field(default_factory=list)
    cost: int = 0
    served: list[str] = Field(default_factory=list)

    @property
    def is_judged(self) -> bool:
        """Whether the judge has said something about the case, be it that it abstains."""
        return self.outcome in _JUDGED


def outcome_of_grade(grade: Grade) -> CaseOutcome:
    """The outcome of a case that no judge was asked about."""
    return CaseOutcome(outcome=grade.outcome.value, code=grade.code)


MISSING: Final = CaseOutcome(outcome="error", code=Code.SCORING_FAILED.value)
"""The outcome of a case whose result was not there in time."""


@dataclass(frozen=True, slots=True)
class CaseReader:
    """Reads what a judge run has recorded."""

    stores: JudgeRunStores
    ledger: LedgerStore

    def read(self, judge_run_id: str, parameters: JudgeParameters) -> CaseOutcome | None:
        """The outcome of a case, None while its judge run has no result.

        Raises:
            StoreUnavailable: A store did not answer.
        """
        kept = self.stores.records.find(judge_run_id, RecordKind.RESULT)
        if kept is None:
            return None
        result = read_stored(kept)
        plan = self._plan(judge_run_id)
        calls = [] if plan is None else [call.logical_id for call in plan.calls]
        answers = [self._answer(judge_run_id, repeat) for repeat in range(len(calls))]
        score = None if parameters.score_type == "binary" else result["score"]
        return CaseOutcome(
            outcome=result["outcome"],
            code=result["code"],
            score=None if score is None else float(score),
            label=result["label"],
            repeats=self._repeats(answers, parameters),
            cost=self._cost(calls),
            served=sorted({each.served_model for each in answers if each and each.served_model}),
        )

    def _plan(self, judge_run_id: str) -> JudgeRunPlan | None:
        try:
            return self.stores.plan(judge_run_id)
        except Unreadable:
            return None

    def _answer(self, judge_run_id: str, repeat: int) -> StoredAnswer | None:
        kept = self.stores.records.find(judge_run_id, answer_name(repeat))
        return None if kept is None else StoredAnswer.model_validate_json(kept)

    def _repeats(self, answers: Sequence[StoredAnswer | None], parameters: JudgeParameters) -> list[str | float | None]:
        """What each reply says by itself; nothing where none was asked for."""
        replies = [None if answer is None else self._reply(answer, parameters) for answer in answers]
        return replies if any(reply is not None for reply in replies) else []

    def _reply(self, answer: StoredAnswer, parameters: JudgeParameters) -> str | float | None:
        judgement = judgement_of(self.stores.bodies, answer, parameters)
        said = decide_alone(parameters, judgement)
        if parameters.score_type == "binary" or (said.score is None and said.label is None):
            return said.outcome.value
        return said.label if said.score is None else float(said.score)

    def _cost(self, calls: Sequence[str]) -> int:
        return sum(call.cost for call in self.ledger.calls(calls).values()) if calls else 0
