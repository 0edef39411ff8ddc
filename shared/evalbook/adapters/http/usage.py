"""What a gateway says about tokens and price: OpenAI's `usage`, OpenRouter's `usage.cost`, LiteLLM's cost header."""

from collections.abc import Mapping
from decimal import ROUND_CEILING, Decimal, InvalidOperation
from typing import Final

from evalbook.jsonio.values import Json
from evalbook.services.judging.gateway import TokenUsage, UsageReport

_COST_HEADER: Final = "x-litellm-response-cost"
_MICRO: Final = 1_000_000
_MAX_DOLLARS: Final = Decimal(1_000_000)
_MAX_TOKENS: Final = 10**12


def read_bill(body: Mapping[str, Json], headers: Mapping[str, str]) -> UsageReport:
    """Read the usage and the cost that *body*, or else *headers*, states; what is malformed counts as not stated."""
    usage = body.get("usage")
    members: Mapping[str, Json] = usage if isinstance(usage, dict) else {}
    cost = _micro_dollars(members.get("cost"))
    return UsageReport(_usage(members), _micro_dollars(headers.get(_COST_HEADER)) if cost is None else cost)


def _usage(members: Mapping[str, Json]) -> TokenUsage | None:
    prompt, completion = _tokens(members.get("prompt_tokens")), _tokens(members.get("completion_tokens"))
    if prompt is None or completion is None:
        return None
    reasoning = _tokens(_within(members, "completion_tokens_details", "reasoning_tokens")) or 0
    cached = _tokens(_within(members, "prompt_tokens_details", "cached_tokens")) or 0
    total = _tokens(members.get("total_tokens")) or 0
    # Some providers count reasoning outside the completion: more of it than of the completion, or a larger total.
    outside = reasoning if reasoning > completion or total == prompt + completion + reasoning else 0
    return TokenUsage(prompt, completion + outside, reasoning, cached)


def _within(members: Mapping[str, Json], name: str, inner: str) -> Json:
    value = members.get(name)
    return value.get(inner) if isinstance(value, dict) else None


def _tokens(value: Json) -> int | None:
    return value if type(value) is int and 0 <= value <= _MAX_TOKENS else None


def _micro_dollars(dollars: Json) -> int | None:
    if type(dollars) not in (int, float, Decimal, str):
        return None
    try:
        exact = Decimal(str(dollars))
    except InvalidOperation:
        return None
    if not exact.is_finite() or not 0 <= exact <= _MAX_DOLLARS:
        return None
    return int((exact * _MICRO).to_integral_value(ROUND_CEILING))
