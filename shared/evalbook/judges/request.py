"""The body of a chat completion request in OpenAI's wire form: the same judge and messages give the same bytes."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import orjson

from evalbook.jsonio.values import Json
from evalbook.judges.catalog import CatalogModel
from evalbook.judges.prompt import ChatMessage
from evalbook.judges.reply_schema import response_format
from evalbook.judges.version import JudgeParameters


@dataclass(frozen=True, slots=True)
class RequestLabels:
    """Ids of ours that a gateway may show beside a call; none of them is payload."""

    run_id: str
    version_digest: str
    logical_id: str


def request_body(
    model: CatalogModel, parameters: JudgeParameters, messages: Sequence[ChatMessage], labels: RequestLabels
) -> bytes:
    """Give the exact bytes of the request that asks *model* once.

    Nothing that the version pins is left out: whether the model takes it was confirmed against the catalog. Raises
    `ValueError` where *model* is another one than the version's.
    """
    if model.id != parameters.model:
        raise ValueError("the catalog entry is that of another model")
    body: dict[str, Json] = {
        "model": model.name,
        "messages": [{"role": message.role, "content": message.content} for message in messages],
        "temperature": parameters.temperature,
        model.reply_limit: parameters.max_reply_tokens,
        "response_format": response_format(parameters),
    }
    if model.metadata:
        body["metadata"] = {
            "run": labels.run_id,
            "judge_version": labels.version_digest,
            "logical_id": labels.logical_id,
        }
    return orjson.dumps(body, _number)


def _number(value: Decimal) -> orjson.Fragment:
    """Spell a number plainly: some servers read no exponents."""
    return orjson.Fragment(f"{value:f}")
