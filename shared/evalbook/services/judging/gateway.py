"""What judging needs from an AI gateway: one call, and what a failed one means for the budget."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from evalbook.domain.errors import EvalBookError, Retryable
from evalbook.domain.outcome import Code
from evalbook.judges.catalog import Catalog
from evalbook.judges.reply import RawReply


class Charge(StrEnum):
    """What a call that failed has cost."""

    NONE = "none"
    """Certainly nothing: its money can be released, or kept for sending it again."""
    UNCERTAIN = "uncertain"
    """It may have been charged: in doubt, its estimate counts as spent."""
    CHARGED = "charged"
    """It was charged: settle by the stated cost, else by the usage, else by the estimate."""


@dataclass(frozen=True, slots=True)
class TokenUsage:
    """Tokens that a gateway reports for one call; `output_tokens` include the reasoning tokens."""

    input_tokens: int
    output_tokens: int
    reasoning_tokens: int = 0
    cached_tokens: int = 0


@dataclass(frozen=True, slots=True)
class UsageReport:
    """What a gateway states about a call's price; None where it states nothing usable."""

    usage: TokenUsage | None = None
    cost: int | None = None
    """Whole micro-dollars, rounded up."""


@dataclass(frozen=True, slots=True)
class CompletionRequest:
    """One logical request: the same bytes and ids however often it is sent."""

    organization_id: str
    budget_id: str
    logical_id: str
    """64 hexadecimal digits; the gateway's idempotency key."""
    body: bytes
    served_names: frozenset[str]
    """The names by which a reply of the pinned model can call it: `CatalogModel.served_names`."""


@dataclass(frozen=True, slots=True)
class CompletionReply:
    """A completion of the pinned model, whether or not the reply in it is usable; it was charged."""

    message: RawReply
    bill: UsageReport
    served_model: str
    replayed: bool = False
    """Whether the gateway gave a stored answer again, without a second charge."""
    guardrail_failed: bool = False
    """Whether the gateway let the reply through although a guardrail of its own objected (status 246)."""
    gateway_id: str | None = None
    """The gateway's own id of the completion."""


@dataclass(frozen=True, slots=True)
class GatewayFault:
    """Why a call gave no completion, what it cost, and whether the same call may be sent again later."""

    code: Code
    charge: Charge
    may_send_again: bool = False
    stops_run: bool = False
    """Whether every other call of the run would fail in the same way."""
    bill: UsageReport = UsageReport()


class GatewayFailure(EvalBookError):  # noqa: N818  (named after the event)
    """A call gave no completion; carries its `fault`, and nothing that the gateway or the case says."""

    def __init__(self, fault: GatewayFault) -> None:
        super().__init__(f"{fault.code.value}: {fault.code.meaning}")
        self.fault = fault


class CatalogUnavailable(Retryable):
    """The gateway gave no catalog that can be read, so it confirms no model."""


OnSent = Callable[[int, bool], None]
"""Called before a request leaves: the attempt's number, from 1 on, and whether an earlier one may have been charged.

What it raises keeps the request back.
"""


class Gateway(Protocol):
    """An AI gateway that speaks OpenAI chat completions."""

    def complete(
        self, request: CompletionRequest, *, deadline: float, on_sent: OnSent, sent_before: bool = False
    ) -> CompletionReply:
        """Ask once, sending again only what is safe to send again, until *deadline* (UNIX seconds).

        *sent_before* says that an earlier worker sent this request and its outcome is unknown.

        Raises:
            GatewayFailure: There is no completion of the pinned model; says what that means for the budget.
        """


class Catalogs(Protocol):
    """Where an organization's catalog comes from."""

    def catalog(self, organization_id: str) -> Catalog:
        """The catalog as *organization_id* sees it now.

        Raises:
            CatalogUnavailable: There is none to be had.
        """
