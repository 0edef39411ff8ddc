"""What a judge call can cost at most, and what one has cost, in whole micro-dollars, rounded up once."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Final, Self

from evalbook.budgets.calls import Basis
from evalbook.budgets.model import MicroDollars
from evalbook.domain.errors import Problem, Refused
from evalbook.jsonio.values import Json

_MILLION: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class ModelPrice:
    """A model's highest rates, in micro-dollars a million tokens ($3 a million tokens is 3,000,000).

    They are the highest of all that may apply: long contexts, cache writes, reasoning. Which one did apply is not
    known afterwards, so usage is priced with them too.
    """

    input: Decimal | int
    output: Decimal | int

    def __post_init__(self) -> None:
        """Refuse rates that would make a call free of charge or pay for it."""
        if not all(Decimal(rate).is_finite() and rate >= 0 for rate in (self.input, self.output)):
            raise ValueError("a model's rates are finite and not negative")

    @classmethod
    def highest(cls, inputs: Iterable[Decimal | int], outputs: Iterable[Decimal | int]) -> Self:
        """The price of a model with several rates of each kind, at least one."""
        return cls(max(inputs), max(outputs))


@dataclass(frozen=True, slots=True)
class TokenUsage:
    """The tokens of one call as the gateway counts them; `reasoning` may or may not be part of `output`."""

    input: int
    output: int
    reasoning: int = 0
    total: int | None = None

    @property
    def billed_output(self) -> int:
        """The tokens that were generated, reasoning included, also by gateways that count it apart.

        Where the total does not tell whether reasoning is part of the output, it is counted twice rather than not.
        """
        if self.total is None or self.reasoning > self.output:
            return self.output + self.reasoning
        return max(self.output, self.total - self.input)


@dataclass(frozen=True, slots=True)
class Charge:
    """What a call has cost and what that rests on; on `Basis.ESTIMATE` it is the most that it can have cost."""

    amount: MicroDollars
    basis: Basis


def worst_case(body: bytes, max_reply_tokens: int, price: ModelPrice | None) -> MicroDollars:
    """The most that a request can cost: a token for every byte of its whole *body*, and the longest reply.

    Raises:
        Refused: The model has no price.
    """
    if price is None:
        raise Refused([Problem("/model", "the catalog has no price for this model")])
    return _priced(len(body), max_reply_tokens, price)


def charge(estimate: MicroDollars, price: ModelPrice, usage: TokenUsage | None, stated: Decimal | None) -> Charge:
    """What a call has cost: what the gateway states in dollars, else its usage at the model's rates, else *estimate*.

    A stated cost of nothing is not believed: gateways state it for models they have no price of and for replays.
    """
    if stated is not None and stated.is_finite() and stated > 0:
        return Charge(math.ceil(Fraction(stated) * _MILLION), Basis.STATED)
    if usage is not None:
        return Charge(_priced(usage.input, usage.billed_output, price), Basis.USAGE)
    return Charge(estimate, Basis.ESTIMATE)


def read_usage(value: Json) -> TokenUsage | None:
    """Read the `usage` of a chat completion; None where it says nothing that can be relied on.

    A request without input tokens is none: gateways that do not count report zeros.
    """
    if type(value) is not dict:
        return None
    details = value.get("completion_tokens_details")
    reasoning = _count(details.get("reasoning_tokens")) if type(details) is dict else None
    tokens, written = _count(value.get("prompt_tokens")), _count(value.get("completion_tokens"))
    if not tokens or written is None:
        return None
    return TokenUsage(tokens, written, reasoning or 0, _count(value.get("total_tokens")))


def _priced(inputs: int, outputs: int, price: ModelPrice) -> MicroDollars:
    return math.ceil((inputs * Fraction(price.input) + outputs * Fraction(price.output)) / _MILLION)


def _count(value: Json) -> int | None:
    return value if type(value) is int and value >= 0 else None
