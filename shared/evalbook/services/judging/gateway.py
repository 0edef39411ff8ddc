"""What judging needs from an AI gateway: one call, and what a failed one means for the budget."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from evalbook.domain.errors import EvalBookError, Problem, Retryable
from evalbook.domain.outcome import Code
from evalbook.judges.catalog import Catalog, confirm
from evalbook.judges.estimate import NO_REPORT, UsageReport
from evalbook.judges.reply import RawReply
from evalbook.judges.version import JudgeParameters


class ChargeStatus(StrEnum):
    """What is known of what a call has cost."""

    NONE = "none"
    """Certainly nothing: its money can be released, or kept for sending it again."""
    UNCERTAIN = "uncertain"
    """It may have been charged: in doubt, its estimate counts as spent."""
    CHARGED = "charged"
    """It was charged: settle by the stated cost, else by the usage, else by the estimate."""


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
    report: UsageReport
    served_model: str


@dataclass(frozen=True, slots=True)
class GatewayFault:
    """Why a call gave no completion, what it cost, and whether the same call may be sent again later."""

    code: Code
    charge: ChargeStatus
    may_send_again: bool = False
    stops_run: bool = False
    """Whether every other call of the run would fail in the same way."""
    report: UsageReport = NO_REPORT


class GatewayFailure(EvalBookError):
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


class CachedCatalogs:
    """A `Catalogs` before another one, since many cases of a run are planned by the same prices.

    *clock* counts seconds, and a catalog is as good as new for *seconds*.
    """

    def __init__(self, source: Catalogs, clock: Callable[[], float], seconds: float) -> None:
        self._source = source
        self._clock = clock
        self._seconds = seconds
        self._cached: dict[str, tuple[float, Catalog]] = {}

    def catalog(self, organization_id: str) -> Catalog:
        """The catalog as *organization_id* saw it lately; raises CatalogUnavailable where there is none to be had."""
        now = self._clock()
        cached = self._cached.get(organization_id)
        if cached is not None and now - cached[0] < self._seconds:
            return cached[1]
        found = self._source.catalog(organization_id)
        current = {name: each for name, each in self._cached.items() if now - each[0] < self._seconds}
        self._cached = {**current, organization_id: (now, found)}
        return found


@dataclass(frozen=True, slots=True)
class ConfirmedModels:
    """A `ModelCatalog` that asks the gateway now; a gateway that does not answer confirms nothing."""

    catalogs: Catalogs

    def problems(self, organization_id: str, parameters: JudgeParameters) -> Iterable[Problem]:
        """Name why a judge version with these parameters cannot be run; nothing where it can."""
        try:
            return confirm(self.catalogs.catalog(organization_id), parameters)
        except CatalogUnavailable:
            return [Problem("/model", "the gateway's catalog is not to be had now, so the model is not confirmed")]
