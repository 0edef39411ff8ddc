"""How a model's reply ended, by the words that servers use for it."""

from collections.abc import Mapping
from typing import Final

from evalbook.domain.outcome import Code
from evalbook.jsonio.values import Json

_STOPPED: Final = frozenset({"stop", "end", "eos", "eos_token", "end_turn"})

_FAULTS: Final[Mapping[str, Code]] = {
    "length": Code.REPLY_TRUNCATED,
    "max_tokens": Code.REPLY_TRUNCATED,
    "MAX_TOKENS": Code.REPLY_TRUNCATED,
    "max_output_tokens": Code.REPLY_TRUNCATED,
    "model_length": Code.REPLY_TRUNCATED,
    "model_context_window_exceeded": Code.REPLY_TRUNCATED,
    "content_filter": Code.REPLY_FILTERED,
    "content_filtered": Code.REPLY_FILTERED,
    "guardrail_intervened": Code.REPLY_FILTERED,
    "safety": Code.REPLY_FILTERED,
    "SAFETY": Code.REPLY_FILTERED,
    "refusal": Code.REPLY_REFUSED,
}


def finish_fault(finish_reason: Json, *, refusal: Json, tool_calls: Json) -> Code | None:
    """Say why a reply that ended like this is unusable, or None where the model stopped by itself.

    The table is closed: an unknown word, null and any other type are an unexpected finish.
    """
    if not isinstance(finish_reason, str) or finish_reason not in _STOPPED | _FAULTS.keys():
        return Code.REPLY_UNEXPECTED_FINISH
    if finish_reason in _FAULTS:
        return _FAULTS[finish_reason]
    if refusal not in (None, ""):
        return Code.REPLY_REFUSED
    return None if tool_calls in (None, []) else Code.REPLY_UNEXPECTED_FINISH
