"""Sandbox runs with a judge: each has an AI budget of its own, and every case a judge run whose result is collected."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from evalbook.budgets.model import Budget, BudgetKey, MicroDollars
from evalbook.domain.errors import Problem, Refused
from evalbook.domain.refusals import Declined, DeclineReason
from evalbook.domain.result import Run, ScoringVersion
from evalbook.domain.versions import JUDGE
from evalbook.jsonio.values import Json
from evalbook.services.budgets.ledger import BudgetLedger
from evalbook.services.judging.launch import JudgeExecution
from evalbook.services.judging.ports import JudgeRunRecords, RecordKind
from evalbook.services.sandbox.ports import RunJudging, SandboxRun
from evalbook.services.scoring.batch_job import identified
from evalbook.services.scoring.case_run import CaseSlice

ASKING: Final = timedelta(minutes=30)
"""For so long after its start a run's judge is asked: then its budget expires."""

ANSWERING: Final = timedelta(minutes=5)
"""What a judge run needs at most beside the judge's own time limit."""

_PURPOSE: Final = "sandbox"


@dataclass(frozen=True, slots=True)
class SandboxJudges:
    """What runs with a judge need beside others; *cap* is the most that one of them may cost."""

    ledger: BudgetLedger
    records: JudgeRunRecords
    cap: MicroDollars

    def begin(self, run: SandboxRun, cases: Sequence[Json], limit: MicroDollars | None) -> SandboxRun:
        """The run with its budget, which is opened, and its judge runs, which are not started yet.

        Raises:
            Refused: It asks for more than one run may cost.
            Declined: BUDGET_TAKEN; nothing is paid from a budget that somebody else has opened.
        """
        if limit is not None and limit > self.cap:
            raise Refused([Problem("/budget_limit", f"must be at most {self.cap}, which is what a run may cost here")])
        project, budget_id = run.key.project, f"{_PURPOSE}-{run.key.run_id}"
        key = BudgetKey(project.organization_id, project.project_id, budget_id)
        ends = datetime.fromisoformat(run.created.at) + ASKING
        budget = Budget.opened(key, limit or self.cap, _PURPOSE, int(ends.timestamp()) * 1_000)
        if self.ledger.create_budget(budget) is None:
            raise Declined(
                DeclineReason.BUDGET_TAKEN, "The project has a budget of the run's id already. Start another run."
            )
        begun = replace(run, judging=RunJudging(budget_id, ()))
        writer = judge_runs_of(begun).writer()
        judge_runs = tuple(writer.result_id(identity) for identity, _ in identified(CaseSlice(cases).place))
        return replace(begun, judging=RunJudging(budget_id, judge_runs))

    def results(self, run: SandboxRun, missing: Iterable[int]) -> dict[int, bytes]:
        """The results that judge runs have recorded, of the cases that are *missing* so far."""
        judge_runs = run.judging.judge_runs if run.judging else ()
        found = {index: self.records.find(judge_runs[index], RecordKind.RESULT) for index in missing}
        return {index: result for index, result in found.items() if result is not None}


def judge_runs_of(run: SandboxRun) -> JudgeExecution:
    """What the judge runs of a run share: a draft's parameters go with every case."""
    scorer, project = run.version.scorer, run.key.project
    return JudgeExecution(
        run=Run(project.organization_id, project.project_id, run.key.run_id),
        scorer=ScoringVersion(scorer.name, run.number, run.version.digest, JUDGE),
        purpose=_PURPOSE,
        batch_id=run.key.run_id,
        budget_id=run.judging.budget_id if run.judging else None,
        draft=run.version.parameters if run.number is None else None,
    )
