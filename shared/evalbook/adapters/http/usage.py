"""What a gateway says about tokens and cost: OpenAI's `usage`, OpenRouter's `usage.cost`, LiteLLM's cost header.

One rule says which tokens were written, reasoning included (docs/decisions/0018-reasoning-tokens.md).
"""

from collections.abc import Mapping
from decimal import ROUND_CEILING, Decimal, InvalidOperation
from typing import Final

from evalbook.jsonio.values import Json
from evalbook.judges.estimate import Usage, UsageReport

_COST_HEADER: Final = "x-litellm-response-cost"
_MICRO: Final = 1_000_000
_MAX_DOLLARS: Final = Decimal(1_000_000)
_MAX_TOKENS: Final = 10**12


def read_usage(body: Mapping[str, Json], headers: Mapping[str, str]) -> UsageReport:
    """Return the usage and the cost that *body*, or else *headers*, states; what is malformed counts as not stated."""
    usage = body.get("usage")
    members: Mapping[str, Json] = usage if isinstance(usage, dict) else {}
    cost = _micro_dollars(members.get("cost"))
    return UsageReport(_usage(members), _micro_dollars(headers.get(_COST_HEADER)) if cost is None else cost)


def _usage(members: Mapping[str, Json]) -> Usage | None:
    prompt, completion = _tokens(members.get("prompt_tokens")), _tokens(members.get("completion_tokens"))
    # Every request has input tokens: gateways that do not count report zeros.
    if not prompt or completion is None:
        return None
    details = members.get("completion_tokens_details")
    reasoning = _tokens(details.get("reasoning_tokens")) if isinstance(details, dict) else None
    return Usage(prompt, _written(prompt, completion, reasoning or 0, _tokens(members.get("total_tokens"))))


def _written(prompt: int, completion: int, reasoning: int, total: int | None) -> int:
    """Return the tokens that the model wrote, each counted once.

    Reasoning is a part of the completion, as OpenAI defines it, unless the numbers say otherwise: where the total holds
    more than prompt and completion, or where there is more reasoning than completion, it stands beside it.
    """
    if reasoning > completion:
        return max(completion + reasoning, (total or 0) - prompt)
    return max(completion, (total or 0) - prompt)


def _tokens(value: Json) -> int | None:
    return value if type(value) is int and 0 <= value <= _MAX_TOKENS else None


def _micro_dollars(dollars: Json) -> int | None:
    """Return *dollars* in micro-dollars, rounded up; None for what is no amount up to a million dollars."""
    if type(dollars) not in (int, float, Decimal, str):
        return None
    try:
        exact = Decimal(str(dollars))
    except InvalidOperation:
        return None
    if not exact.is_finite() or not 0 <= exact <= _MAX_DOLLARS:
        return None
    return int((exact * _MICRO).to_integral_value(ROUND_CEILING))
