"""Bodies of answers about the gateway's models."""

from typing import Literal

from pydantic import Field

from evalbook.api.schemas.responses import Cursor
from evalbook.contracts.model import Wire


class PricesView(Wire):
    """What tokens cost, in whole micro-dollars per million."""

    input: int
    output: int
    cached_input: int
    cache_write: int
    reasoning: int


class LimitsView(Wire):
    """How many tokens a model takes; null where the catalog does not say."""

    context_tokens: int | None
    reply_tokens: int | None


class TemperatureView(Wire):
    """The temperatures that a model takes, both ends included."""

    minimum: float
    maximum: float


class ModelView(Wire):
    """A model of the gateway's catalog."""

    id: str = Field(description="What a judge version names: `provider::identifier`.")
    for_judges: bool = Field(
        description="Whether a judge version can name it: it has a price and takes a JSON Schema and a temperature."
    )
    prices: PricesView | None
    limits: LimitsView
    temperature: TemperatureView | None
    response_format: Literal["json_schema", "json_object", "none"]


class ModelsView(Wire):
    """A page of the models that the caller's organization sees, by id."""

    exact_choice: bool = Field(
        description="Whether the gateway lets a version choose its model exactly; judges need it."
    )
    items: list[ModelView]
    next_cursor: Cursor
