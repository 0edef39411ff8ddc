"""What a judge run's steps hand on to each other, by reference: as JSON in the bucket or in the table of results."""

from typing import Annotated, Literal, Self

from pydantic import Field

from evalbook.budgets.calls import Basis, Charge, LogicalCall, Settlement
from evalbook.budgets.model import BudgetKey
from evalbook.contracts.model import Wire
from evalbook.domain.outcome import Assurance, Code, Outcome
from evalbook.domain.result import CaseIdentity, ResultWriter, Run, ScoringVersion
from evalbook.jsonio.canonical import digest
from evalbook.jsonio.stored import read_stored
from evalbook.jsonio.values import Json
from evalbook.judges.estimate import Price
from evalbook.services.judging.gateway import ChargeStatus
from evalbook.services.judging.ports import BodyRef

RunPurpose = Literal["evaluation", "sandbox", "calibration"]
"""What a case is judged for. Only an evaluation's results are sent on; the others are read from where they are kept."""


class StoredRef(Wire):
    """A `BodyRef` as JSON."""

    key: str
    sha256: str

    @classmethod
    def of(cls, ref: BodyRef) -> Self:
        """The reference as it is stored."""
        return cls(key=ref.key, sha256=ref.sha256)

    @property
    def ref(self) -> BodyRef:
        """The reference as it is used."""
        return BodyRef(self.key, self.sha256)


class StoredScorer(Wire):
    """The version that judges."""

    name: str
    version: int | None
    digest: str
    implementation: str


class JudgeRunJob(Wire):
    """One case that a judge is to be asked about. The case itself stands in it as JSON text.

    `draft` is None, or the parameters of the version where that is not stored, as JSON text.
    """

    organization_id: str
    project_id: str
    run_id: str
    batch_id: str
    purpose: RunPurpose
    budget_id: str | None
    scorer: StoredScorer
    draft: str | None = None
    case_id: str
    example_id: str | None
    case_digest: str
    case: str

    @property
    def value(self) -> Json:
        """The case's JSON value, its numbers as they were written."""
        return read_stored(self.case.encode("utf-8", "surrogatepass"))

    @property
    def budget(self) -> BudgetKey | None:
        """The budget that pays, where the batch names one."""
        return None if self.budget_id is None else BudgetKey(self.organization_id, self.project_id, self.budget_id)

    @property
    def exhausted(self) -> Outcome:
        """What a spent budget makes of the case in this kind of run (U-04)."""
        return Outcome.SKIPPED if self.purpose == "evaluation" else Outcome.ERROR

    @property
    def identity(self) -> CaseIdentity:
        """What tells the case from the run's others."""
        return CaseIdentity(self.case_id, self.example_id, self.case_digest)

    def writer(self) -> ResultWriter:
        """The writer of the case's result."""
        run = Run(self.organization_id, self.project_id, self.run_id)
        scorer = ScoringVersion(self.scorer.name, self.scorer.version, self.scorer.digest, self.scorer.implementation)
        return ResultWriter(run, scorer, Assurance.REPORTED)

    def logical_call(self, repeat: int) -> LogicalCall:
        """What makes a repeat's call the same call on every delivery; the repeat counts from 0.

        Two scorers of a run may pin the same version; each asks for itself, so the scorer's name counts as well.
        """
        return LogicalCall(
            self.organization_id,
            self.project_id,
            self.run_id,
            digest([self.scorer.name, self.scorer.digest]),
            self.case_id,
            self.case_digest,
            repeat,
        )


class PlannedCall(Wire):
    """One repeat: its logical id, where its request's exact bytes are held and the most that it can cost."""

    logical_id: str
    request: StoredRef
    estimate: Annotated[int, Field(ge=0)]


class JudgeRunPlan(Wire):
    """How a case is judged: fixed once, so that whoever takes a step again sends the same bytes."""

    parameters: str
    served_names: list[str]
    input_rate: int
    output_rate: int
    contents: StoredRef
    calls: list[PlannedCall]

    @property
    def price(self) -> Price:
        """The model's rates when the plan was made."""
        return Price(self.input_rate, self.output_rate)


class StoredCharge(Wire):
    """A `Charge` as JSON."""

    actual: Annotated[int, Field(ge=0)]
    basis: Annotated[Basis, Field(strict=False)]

    @classmethod
    def of(cls, charge: Charge) -> Self:
        """Return the charge as it is stored."""
        return cls(actual=charge.amount, basis=charge.basis)

    @property
    def charge(self) -> Charge:
        """The charge as it is used."""
        return Charge(self.actual, self.basis)


class StoredAnswer(Wire):
    """What came of asking once: a reply's place, or the code of a failure; and what that means for the budget.

    `revision` is that of the ledger's call when it was sent last, None where it was not sent. `stops_run` says that
    every other call of the run would fail in the same way, `served_model` how the reply called its model.
    """

    code: Annotated[Code, Field(strict=False)] | None = None
    reply: StoredRef | None = None
    charge: Annotated[ChargeStatus, Field(strict=False)] = ChargeStatus.NONE
    charged: StoredCharge | None = None
    revision: int | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    stops_run: bool = False
    served_model: str | None = None

    def settlement(self) -> Settlement | None:
        """What to settle the call with, where it was charged."""
        if self.charged is None:
            return None
        place = "" if self.reply is None else self.reply.key
        return Settlement(self.charged.charge, place)
