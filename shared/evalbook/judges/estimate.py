"""What a judge call can cost at most, and what one has cost, in whole micro-dollars, rounded up once."""

from dataclasses import dataclass
from typing import Final

from evalbook.budgets.calls import Basis, Charge
from evalbook.budgets.model import MicroDollars

_MILLION: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """A model's highest rates, in whole micro-dollars per million tokens ($3 per million tokens is 3,000,000).

    They are the highest of all that may apply: long contexts, cache writes, reasoning. Which one did apply is not
    known afterwards, so usage is priced with them too.
    """

    input_rate: int
    output_rate: int

    def __post_init__(self) -> None:
        """Refuse rates that would pay for a call."""
        if min(self.input_rate, self.output_rate) < 0:
            raise ValueError("a model's rates are not negative")

    def of(self, input_tokens: int, output_tokens: int) -> MicroDollars:
        """Return what so many tokens cost, rounded up."""
        return -(-(input_tokens * self.input_rate + output_tokens * self.output_rate) // _MILLION)


@dataclass(frozen=True, slots=True)
class Usage:
    """The tokens of one call that are paid for; `output_tokens` include the reasoning tokens."""

    input_tokens: int
    output_tokens: int


@dataclass(frozen=True, slots=True)
class UsageReport:
    """What a gateway states about a call; None where it states nothing usable."""

    usage: Usage | None = None
    cost: MicroDollars | None = None


NO_REPORT: Final = UsageReport()


MAX_BYTES_PER_TOKEN: Final = 16
"""More than any text packs into a token on average: a request above it cannot fit a model's context."""


def worst_case(body: bytes, max_reply_tokens: int, price: Price, context_tokens: int | None = None) -> MicroDollars:
    """Return the most that a request can cost: a token for every byte of its whole *body*, and the longest reply.

    Neither is more than the model's context, *context_tokens*, where that is known.
    """
    if context_tokens is None:
        return price.of(len(body), max_reply_tokens)
    return price.of(min(len(body), context_tokens), min(max_reply_tokens, context_tokens))


def exceeds_context(body: bytes, context_tokens: int | None) -> bool:
    """Whether a request cannot fit the model's context, whatever its tokenizer; False where that is not known."""
    return context_tokens is not None and len(body) > context_tokens * MAX_BYTES_PER_TOKEN


def charge(estimate: MicroDollars, price: Price, report: UsageReport) -> Charge:
    """Return what a call has cost: what the gateway states, else its usage at the model's rates, else *estimate*.

    A stated cost of nothing is not believed: gateways state it for models they have no price of and for replays.
    """
    if report.cost:
        return Charge(report.cost, Basis.STATED)
    if report.usage is not None:
        return Charge(price.of(report.usage.input_tokens, report.usage.output_tokens), Basis.USAGE)
    return Charge(estimate, Basis.ESTIMATE)
