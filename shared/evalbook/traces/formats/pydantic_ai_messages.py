"""Pydantic AI messages: parts by `part_kind`; a return, or a request to try again, answers a call."""

from dataclasses import replace
from typing import Final

from evalbook.traces.formats._format import Format
from evalbook.traces.formats._marks import FormatMark
from evalbook.traces.formats._messages import reader
from evalbook.traces.formats._rules import Answer, Dialect, End, Ending, MessageCall, MessageVocabulary, Speech

_FORM: Final = frozenset({"final_result"})
_CALL: Final = MessageCall(
    name=("tool_name",),
    arguments=("args",),
    null_is_empty=True,
    call_id=("tool_call_id",),
    skip=_FORM,
    members=frozenset({"id", "provider_name", "provider_details", "otel_metadata", "tool_kind"}),
)
_RETURN: Final = Answer(
    name=("tool_name",),
    endings=(
        Ending("outcome", End.OK, frozenset({"success"})),
        Ending("outcome", End.FAILED, frozenset({"failed"})),
        Ending("outcome", End.NOT_RUN, frozenset({"denied"})),
        Ending("outcome", End.UNKNOWN, frozenset({"interrupted"})),
    ),
    skip=_FORM,
    members=frozenset({"content", "timestamp", "provider_name", "provider_details", "return_value", "tool_kind"}),
)
_PARTS: Final = MessageVocabulary(
    key="part_kind",
    rules={
        "tool-call": (_CALL,),
        "builtin-tool-call": (replace(_CALL, ends=End.RAN),),
        "tool-return": (_RETURN,),
        "builtin-tool-return": (_RETURN,),
        "retry-prompt": (replace(_RETURN, ends=End.FAILED, endings=(), needs="tool_name"),),
        **dict.fromkeys(
            ("system-prompt", "user-prompt", "text", "thinking", "file", "instruction", "compaction"),
            (Speech(members=frozenset({"content", "provider_details"}), texts=("content",)),),
        ),
    },
)
_DIALECT: Final = Dialect(
    role="kind",
    containers=("messages", "all_messages", "new_messages"),
    roles={"request": (), "response": ()},
    parts={"parts": _PARTS},
    members=frozenset({"provider_details"}),
)


FORMAT: Final = Format(
    name="pydantic_ai_messages",
    title="Pydantic AI messages",
    tools="pydantic-ai, messages of 2026",
    reads="calls, built-in tools, returns with `outcome`, retries as failures",
    unread="`final_result`: the answer's form, no action",
    setting="",
    family="messages",
    marks=(
        FormatMark(view="part", has=("part_kind",)),
        FormatMark(view="item", equals={"kind": frozenset({"request", "response"})}, has=("parts",)),
    ),
    read=reader(_DIALECT),
    rank=5,
)
