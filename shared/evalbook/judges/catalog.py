"""The SSO catalog: which models there are, what they cost and take, and whether a judge can be asked of one (V-01).

Only what the document states counts: a model without prices, or one that is not said to take a temperature or a JSON
Schema, is refused rather than tried. Fields that this version does not know are ignored.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Final, Literal

from pydantic import Field, ValidationError

from evalbook.contracts.model import Wire
from evalbook.domain.errors import EvalBookError, Problem
from evalbook.domain.parameters import Number
from evalbook.jsonio.reader import NotStrictJson, read_json
from evalbook.jsonio.values import Json
from evalbook.judges.estimate import Price
from evalbook.judges.parameter_types import array
from evalbook.judges.version import JudgeParameters, Model

MAX_RATE: Final = 10**12
MAX_MODELS: Final = 10_000

Rate = Annotated[int, Field(ge=0, le=MAX_RATE)]
Tokens = Annotated[int, Field(ge=1)]
WireName = Annotated[str, Field(min_length=1, max_length=256)]


class CatalogUnreadable(EvalBookError):
    """The document is no catalog; the message quotes nothing of it."""


class Prices(Wire):
    """What tokens cost, in whole micro-dollars per million, each at its highest tier.

    Kinds of tokens that are not listed cost no more than `input` or `output` does.
    """

    input: Rate
    output: Rate
    cached_input: Rate = 0
    cache_write: Rate = 0
    reasoning: Rate = 0

    def highest(self) -> Price:
        """Give the highest rate that an input token and an output token can cost."""
        return Price(
            input_rate=max(self.input, self.cached_input, self.cache_write),
            output_rate=max(self.output, self.reasoning),
        )


class Limits(Wire):
    """How many tokens a model takes; None where the catalog does not say."""

    context_tokens: Tokens | None = None
    reply_tokens: Tokens | None = None


class TemperatureRange(Wire):
    """The temperatures that a model takes, bounds included."""

    minimum: Number = Decimal(0)
    maximum: Number = Decimal(2)


class CatalogModel(Wire):
    """One model: `provider::identifier`, the names that it has at the gateway, and what it takes."""

    id: Model
    wire_name: WireName | None = Field(None, description="The name in requests; the identifier where there is none.")
    served_as: Annotated[tuple[WireName, ...], array(most=100)] = Field(
        (), description="Names of exact snapshots that replies may give instead of the wire name."
    )
    prices: Prices | None = None
    limits: Limits = Limits()
    temperature: TemperatureRange | None = Field(None, description="null where the model takes none.")
    response_format: Literal["json_schema", "json_object", "none"] = "none"
    reply_limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    metadata: bool = Field(default=False, description="Whether requests may carry metadata.")

    @property
    def name(self) -> str:
        """The name that a request gives the model."""
        return self.wire_name or self.id.partition("::")[2]

    @property
    def served_names(self) -> frozenset[str]:
        """Every name that a reply of this very model can carry."""
        return frozenset({self.name, *self.served_as})

    @property
    def for_judges(self) -> bool:
        """Whether some judge version can pin the model, as far as that is the model's own affair."""
        return self.prices is not None and self.temperature is not None and self.response_format == "json_schema"


@dataclass(frozen=True, slots=True)
class Catalog:
    """A catalog as it was read; `unreadable` holds the ids of models whose entry is malformed or stands twice."""

    exact_choice: bool
    models: Mapping[str, CatalogModel]
    unreadable: frozenset[str] = frozenset()


class _Capabilities(Wire):
    provider_model_selection: bool = False


class _Document(Wire):
    capabilities: _Capabilities = _Capabilities()
    models: list[Json] = Field(max_length=MAX_MODELS)


def read_catalog(text: bytes) -> Catalog:
    """Read a catalog document; an entry that cannot be read spoils no other.

    Raises:
        CatalogUnreadable: It is not strict JSON, or no catalog.
    """
    try:
        document = _Document.model_validate(read_json(text))
    except NotStrictJson as error:
        raise CatalogUnreadable(f"the catalog is not JSON: {error.reason}") from None
    except ValidationError:
        raise CatalogUnreadable("the document has not the shape of a catalog") from None
    models: dict[str, CatalogModel] = {}
    unreadable = set[str]()
    for entry in document.models:
        name = entry.get("id") if isinstance(entry, dict) else None
        model = _read_model(entry)
        if model is None or model.id in models:
            unreadable.update([name] if isinstance(name, str) else [])
        else:
            models[model.id] = model
    usable = {name: model for name, model in models.items() if name not in unreadable}
    return Catalog(document.capabilities.provider_model_selection, usable, frozenset(unreadable))


def confirm(catalog: Catalog, parameters: JudgeParameters) -> tuple[Problem, ...]:
    """Name every reason why the judge's model cannot be asked exactly as the version pins it; empty where it can."""
    problems = [] if catalog.exact_choice else [_at_model("the catalog does not allow an exact choice of the model")]
    model = catalog.models.get(parameters.model)
    if model is not None:
        problems += _model_problems(model, parameters)
    elif parameters.model in catalog.unreadable:
        problems.append(_at_model("the catalog's entry for this model cannot be read"))
    else:
        problems.append(_at_model("is not in the catalog"))
    return tuple(problems)


def _read_model(entry: Json) -> CatalogModel | None:
    try:
        return CatalogModel.model_validate(entry)
    except ValidationError:
        return None


def _at_model(message: str) -> Problem:
    return Problem("/model", message)


def _model_problems(model: CatalogModel, parameters: JudgeParameters) -> Iterator[Problem]:
    if model.prices is None:
        yield _at_model("has no price in the catalog, so no budget can be held for it")
    if model.response_format != "json_schema":
        yield _at_model("does not take a JSON Schema as response format")
    if model.temperature is None:
        yield Problem("/temperature", "the model does not take a temperature, which the version pins")
    elif not model.temperature.minimum <= parameters.temperature <= model.temperature.maximum:
        yield Problem("/temperature", "is outside the range that the catalog gives for the model")
    most = model.limits.reply_tokens
    if most is not None and parameters.max_reply_tokens > most:
        yield Problem("/max_reply_tokens", f"is more than the {most} tokens that the catalog gives for the model")
