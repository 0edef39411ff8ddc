"""A judge run's stores in memory, a gateway that says what it is told to, and a judge run that is ready to be asked."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from evalbook.budgets.model import Budget, BudgetKey
from evalbook.domain.errors import StoreUnavailable, Unreadable
from evalbook.domain.versions import JUDGE, ScorerKey, ScorerVersion, VersionState, version_digest
from evalbook.jsonio.reader import read_json
from evalbook.judges.catalog import read_catalog
from evalbook.judges.estimate import Usage, UsageReport
from evalbook.judges.reply import RawReply
from evalbook.services.budgets.ledger import BudgetLedger, LedgerSettings
from evalbook.services.judging.aggregate import AggregateJudgeRun
from evalbook.services.judging.ask import AskJudgeRun, AskRequest
from evalbook.services.judging.gateway import CompletionReply, GatewayFailure, GatewayFault
from evalbook.services.judging.planner import Planner
from evalbook.services.judging.ports import BodyRef, LedgerFault
from evalbook.services.judging.prepare import PrepareJudgeRun
from evalbook.services.judging.records import JudgeRunJob, StoredScorer
from evalbook.services.judging.stores import JudgeRunStores
from tests.fakes.batches import ORGANIZATION, PROJECT
from tests.fakes.catalogs import FixedCatalog
from tests.fakes.ledger import MemoryLedger
from tests.fakes.stores import MemoryVersions

PANEL = "a" * 64
BUDGET = BudgetKey(ORGANIZATION, PROJECT, "budget-1")
MODEL = "bookbag::judge"
CATALOG = {
    "capabilities": {"provider_model_selection": True},
    "models": [
        {
            "id": MODEL,
            "prices": {"input": 1_000_000, "output": 5_000_000},
            "temperature": {"minimum": 0, "maximum": 2},
            "response_format": "json_schema",
        }
    ],
}
PASSED = {"reasoning_summary": "It does.", "cited_evidence": [], "score": 1, "verdict": "pass", "abstain": False}


@dataclass
class MemoryJudgeRunBodies:
    """A `JudgeRunBodies`; `down` makes every call fail."""

    objects: dict[str, bytes] = field(default_factory=dict)
    down: bool = False

    def put(self, judge_run_id: str, body: bytes) -> BodyRef:
        self._answer()
        digest = sha256(body).hexdigest()
        ref = BodyRef(f"panels/{judge_run_id}/{digest}", digest)
        self.objects[ref.key] = body
        return ref

    def read(self, ref: BodyRef) -> bytes:
        self._answer()
        body = self.objects.get(ref.key)
        if body is None:
            raise Unreadable("a text of the judge run is no longer there")
        if sha256(body).hexdigest() != ref.sha256:
            raise Unreadable("a text of the judge run has another digest")
        return body

    def _answer(self) -> None:
        if self.down:
            raise StoreUnavailable("the bucket is down")


@dataclass
class MemoryJudgeRunRecords:
    """A `JudgeRunRecords`; `down` makes every call fail."""

    records: dict[tuple[str, str], bytes] = field(default_factory=dict)
    down: bool = False

    def keep(self, judge_run_id: str, name: str, value: bytes) -> bytes:
        self._answer()
        return self.records.setdefault((judge_run_id, name), value)

    def find(self, judge_run_id: str, name: str) -> bytes | None:
        self._answer()
        return self.records.get((judge_run_id, name))

    def _answer(self) -> None:
        if self.down:
            raise StoreUnavailable("the table is down")


def replied(content: Any = PASSED, *, cost: int | None = 700) -> CompletionReply:
    """A completion with this content, JSON where it is no text."""
    text = content if isinstance(content, str) else json.dumps(content)
    return CompletionReply(RawReply(text, "stop"), UsageReport(Usage(900, 60), cost), "judge")


@dataclass
class ScriptedGateway:
    """A `Gateway` that answers in order, each after so many attempts that certainly cost nothing."""

    answers: list[CompletionReply | GatewayFault] = field(default_factory=list)
    attempts: int = 1
    in_doubt: bool = False
    before_answer: Callable[[], None] = lambda: None
    requests: list[Any] = field(default_factory=list)
    sent: int = 0

    def complete(self, request: Any, *, deadline: float, on_sent: Any, sent_before: bool = False) -> CompletionReply:
        self.requests.append((request, deadline, sent_before))
        for attempt in range(1, self.attempts + 1):
            on_sent(attempt, self.in_doubt and attempt > 1)
            self.sent += 1
        self.before_answer()
        answer = self.answers.pop(0) if self.answers else replied()
        if isinstance(answer, GatewayFault):
            raise GatewayFailure(answer)
        return answer


class JudgeRunBench:
    """One case before a judge, with every store in memory and a clock that is set by hand."""

    def __init__(self, *, replays: bool = True, limit: int = 1_000_000, **parameters: Any) -> None:
        self.now = 1_000_000
        self.bodies, self.records = MemoryJudgeRunBodies(), MemoryJudgeRunRecords()
        self.stores = JudgeRunStores(self.bodies, self.records)
        self.store = MemoryLedger()
        self.ledger = BudgetLedger(self.store, LedgerSettings(replays, lambda: self.now, lambda: 1_000))
        self.ledger.create_budget(Budget.opened(BUDGET, limit, "evaluation", 10**15))
        self.versions = MemoryVersions()
        self.rubrics: Any = None
        self.traces: Any = None
        self.gateway = ScriptedGateway()
        self.faults: list[str] = []
        chosen = {"model": MODEL, "prompt_template": "{{output}}", "score_type": "binary", **parameters}
        text = json.dumps(chosen)
        self.digest = version_digest(JUDGE, read_json(text.encode()), 120_000)
        key = ScorerKey(ORGANIZATION, PROJECT, "judge")
        self.versions.put(ScorerVersion(key, 1, JUDGE, text, 120_000, self.digest, VersionState.ACTIVE))
        self.boundaries = iter(f"{number:032x}" for number in range(1, 100))

    def job(self, case: Any = None, **changes: Any) -> BodyRef:
        """Hold a case's job."""
        value = {"case_id": "case-1", "output": "an answer"} if case is None else case
        job = JudgeRunJob(
            organization_id=ORGANIZATION,
            project_id=PROJECT,
            batch_id="batch-1",
            **{
                "run_id": "run-1",
                "purpose": "evaluation",
                "budget_id": BUDGET.budget_id,
                "scorer": self.scorer(1),
                "case_digest": "0" * 64,
                **changes,
            },
            case_id="case-1",
            example_id=None,
            case=json.dumps(value),
        )
        return self.bodies.put(PANEL, job.model_dump_json().encode())

    def scorer(self, version: int | None) -> StoredScorer:
        """The judge, under a version's number."""
        return StoredScorer(name="judge", version=version, digest=self.digest, implementation=JUDGE)

    def prepare(self, job: BodyRef, attempt: int = 0) -> dict[str, Any]:
        """Take the first step."""
        catalogs = FixedCatalog(read_catalog(json.dumps(CATALOG).encode()))
        planner = Planner(
            self.versions, self.rubrics, catalogs, self.traces, self.bodies, lambda: next(self.boundaries)
        )
        step = PrepareJudgeRun(self.stores, planner, self.ledger, lambda: self.now, lambda: 0.0, self.note_fault)
        return step.run(PANEL, job, attempt)

    def ask(self, job: BodyRef, deadline_at: int, repeat: int = 0) -> dict[str, Any]:
        """Ask for one repeat."""
        step = AskJudgeRun(self.stores, self.gateway, self.ledger, lambda: self.now, self.note_fault)
        return step.run(AskRequest(PANEL, job, repeat, deadline_at))

    def aggregate(self, job: BodyRef) -> dict[str, Any]:
        """Make the result; the whole of it."""
        AggregateJudgeRun(self.stores, self.ledger).run(PANEL, job)
        result: dict[str, Any] = json.loads(self.records.records[PANEL, "RESULT"])
        return result

    def note_fault(self, fault: LedgerFault, about: str) -> None:
        """Remember what ledger and answer disagree about."""
        self.faults.append(f"{fault.value} {about}")

    @property
    def money(self) -> Budget:
        """The budget as it is now."""
        found = self.ledger.budget(BUDGET)
        assert found is not None
        return found
