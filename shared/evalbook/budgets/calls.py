"""Model calls as the ledger holds them, and how one can stand for somebody who asks."""

from dataclasses import astuple, dataclass
from enum import StrEnum

from evalbook.budgets.model import BudgetKey, EpochMs, MicroDollars
from evalbook.jsonio.canonical import digest


class CallState(StrEnum):
    """Where a call stands; RESERVED and SENT hold money, IN_DOUBT and SETTLED have spent it."""

    RESERVED = "RESERVED"
    SENT = "SENT"
    SETTLED = "SETTLED"
    RELEASED = "RELEASED"
    IN_DOUBT = "IN_DOUBT"


HOLDING = frozenset({CallState.RESERVED, CallState.SENT})


class Basis(StrEnum):
    """What a charge rests on."""

    STATED = "stated"
    USAGE = "usage"
    ESTIMATE = "estimate"


@dataclass(frozen=True, slots=True)
class CallRequest:
    """A call to be reserved: its logical id, the digest of its request's exact bytes and the most it can cost."""

    request_id: str
    request_digest: str
    estimate: MicroDollars

    def __post_init__(self) -> None:
        """Refuse an amount that would create money."""
        if self.estimate < 0:
            raise ValueError("an estimate cannot be negative")


@dataclass(frozen=True, slots=True)
class Ownership:
    """Who works on a call, and until when nobody else may."""

    owner: str
    until: EpochMs


@dataclass(frozen=True, slots=True)
class Charge:
    """What a call has cost, in whole micro-dollars, and what that rests on.

    On `Basis.ESTIMATE` it is the most that the call can have cost.
    """

    amount: MicroDollars
    basis: Basis

    def __post_init__(self) -> None:
        """Refuse an amount that would create money."""
        if self.amount < 0:
            raise ValueError("a charge cannot be negative")


@dataclass(frozen=True, slots=True)
class Settlement:
    """What a call is settled with: its charge, and where its answer is stored."""

    charge: Charge
    result_ref: str


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to take a call's next step; void once anyone has taken one."""

    request_id: str
    revision: int


@dataclass(frozen=True, slots=True)
class Call:
    """One logical call as the ledger holds it.

    `uncertain` says that a request of unknown outcome was sent before: the call may have been charged, whatever a later
    answer says. `attempt` counts reservations and take-overs, `sends` the requests that were about to leave.
    """

    request: CallRequest
    budget: BudgetKey
    ownership: Ownership
    state: CallState = CallState.RESERVED
    revision: int = 1
    attempt: int = 1
    sends: int = 0
    sent_at: EpochMs | None = None
    uncertain: bool = False
    settlement: Settlement | None = None

    @property
    def claim(self) -> Claim:
        """The claim of whoever took the latest step."""
        return Claim(self.request.request_id, self.revision)

    @property
    def cost(self) -> MicroDollars:
        """What the call has spent."""
        if self.settlement is not None:
            return self.settlement.charge.amount
        return self.request.estimate if self.state is CallState.IN_DOUBT else 0


@dataclass(frozen=True, slots=True)
class Held:
    """The caller may take the call's next step with this claim."""

    claim: Claim
    call: Call


@dataclass(frozen=True, slots=True)
class Settled:
    """The call is paid and its answer stored; `call.settlement` says where."""

    call: Call


@dataclass(frozen=True, slots=True)
class Released:
    """The call was certainly not charged and holds nothing."""

    call: Call


@dataclass(frozen=True, slots=True)
class InDoubt:
    """Nobody knows whether the call was charged, so it counts in full; it is not sent again."""

    call: Call


@dataclass(frozen=True, slots=True)
class InProgress:
    """Somebody else owns the call until `until`; ask again later."""

    until: EpochMs


@dataclass(frozen=True, slots=True)
class Conflict:
    """The id was used for another request, or the call was settled with another charge: a fault, never a call."""

    request_id: str


@dataclass(frozen=True, slots=True)
class NotHeld:
    """The claim is void and the step not allowed; the call as it is, None where there is none."""

    call: Call | None


CallStatus = Held | Settled | Released | InDoubt | InProgress | Conflict | NotHeld


@dataclass(frozen=True, slots=True)
class LogicalCall:
    """What makes a call the same call on every delivery and every retry; the repeat counts from 0."""

    organization_id: str
    project_id: str
    run_id: str
    version_digest: str
    case_id: str
    case_digest: str
    repeat: int


def logical_request_id(call: LogicalCall) -> str:
    """The call's id: SHA-256 over the JSON array of its parts, which cannot run into each other; 64 hex digits."""
    return digest(list(astuple(call)))
