"""Bodies of requests and answers about AI budgets."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints, WithJsonSchema

from evalbook.api.schemas.requests import MicroDollars
from evalbook.contracts.model import ClosedWire, Name, Wire
from evalbook.domain.timestamps import nanoseconds

BudgetPurpose = Literal["evaluation", "sandbox", "calibration"]


def _moment(text: str) -> str:
    if nanoseconds(text) is None:
        raise ValueError("must be a date and time with its offset (RFC 3339)")
    return text


Moment = Annotated[
    str,
    StringConstraints(max_length=64),
    AfterValidator(_moment),
    WithJsonSchema({"type": "string", "format": "date-time", "maxLength": 64}),
]
"""A date and time with its offset, as RFC 3339 spells it."""


class NewBudgetBody(ClosedWire):
    """A budget to be opened."""

    budget_id: Name | None = Field(None, description="The caller's own id; one is drawn where it is left out.")
    limit: MicroDollars = Field(description="What may be spent, in whole micro-dollars.")
    purpose: BudgetPurpose = Field(description="The kind of run that it pays for.")
    expires_at: Moment = Field(description="After this nothing is reserved any more; at most 366 days ahead.")


class BudgetView(Wire):
    """A budget and what has become of it; amounts in whole micro-dollars.

    `available` is `limit` less `reserved` and `spent`.
    """

    budget_id: str
    purpose: str
    state: Literal["open", "closed", "expired"]
    limit: int
    available: int
    reserved: int = Field(description="The most that calls which are being made can still cost.")
    spent: int
    overrun: int = Field(description="By how much calls have cost more than was reserved for them, in total.")
    expires_at: str
