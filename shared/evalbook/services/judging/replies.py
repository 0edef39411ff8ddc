"""Replies held by reference: what the gateway gave goes to the bucket and is read back to the same judgement."""

import json
from collections.abc import Mapping

from evalbook.domain.errors import Unreadable
from evalbook.domain.outcome import Code
from evalbook.jsonio.values import Json
from evalbook.judges.decision import Judgement, ReplyFailure
from evalbook.judges.estimate import Usage
from evalbook.judges.reply import RawReply, parse_reply
from evalbook.judges.reply_json import ReplyUnusable
from evalbook.judges.version import JudgeParameters
from evalbook.services.judging.ports import JudgeRunBodies
from evalbook.services.judging.records import StoredAnswer, StoredRef


def hold_reply(bodies: JudgeRunBodies, judge_run_id: str, reply: RawReply) -> StoredRef:
    """Hold as much of a reply as its judgement depends on; raises what `PanelBodies.put` raises.

    The standard library's JSON carries half a surrogate pair, which a model may well send, there and back.
    """
    parts: Mapping[str, Json] = {
        "content": reply.content if isinstance(reply.content, str | None) else False,
        "finish_reason": reply.finish_reason if isinstance(reply.finish_reason, str) else None,
        "refusal": None if reply.refusal in (None, "") else True,
        "tool_calls": None if reply.tool_calls in (None, []) else True,
    }
    return StoredRef.of(bodies.put(judge_run_id, json.dumps(parts).encode()))


def judgement_of(bodies: JudgeRunBodies, answer: StoredAnswer, parameters: JudgeParameters) -> Judgement:
    """What a kept answer says; raises StoreUnavailable where the bucket does not answer."""
    if answer.code is not None or answer.reply is None:
        return ReplyFailure(answer.code or Code.SCORING_FAILED)
    try:
        parts = json.loads(bodies.read(answer.reply.ref))
    except Unreadable:
        return ReplyFailure(Code.SCORING_FAILED)
    try:
        return parse_reply(RawReply(**parts), parameters)
    except ReplyUnusable as unusable:
        return ReplyFailure(unusable.code, unusable.field)


def usage_of(answer: StoredAnswer | None) -> Usage | None:
    """The tokens that the gateway reported for a kept answer."""
    if answer is None or answer.input_tokens is None or answer.output_tokens is None:
        return None
    return Usage(answer.input_tokens, answer.output_tokens)
