"""Mistral: chat messages as OpenAI's, and the entries of the conversations API."""

from dataclasses import replace
from typing import Final

from evalbook.traces.formats._chat import CHAT
from evalbook.traces.formats._format import Format
from evalbook.traces.formats._marks import FormatMark
from evalbook.traces.formats._members import COMMON
from evalbook.traces.formats._messages import reader
from evalbook.traces.formats._rules import Answer, End, Ending, HandsOver, MessageCall, MessageVocabulary, Speech

_UNRUN: Final = frozenset({"denied", "pending"})
_CALL: Final = MessageCall(
    call_id=("tool_call_id",),
    endings=(Ending("confirmation_status", End.NOT_RUN, _UNRUN),),
    members=frozenset({"id", "agent_id", "model"}),
)
_EXECUTION: Final = MessageCall(ends=End.RAN, members=frozenset({"info", "function", "agent_id", "model"}))
_RESULT: Final = Answer(name=(), members=frozenset({"result", "id"}))
_HANDOFF: Final = HandsOver(
    source=("previous_agent_name", "previous_agent_id"),
    target=("next_agent_name", "next_agent_id"),
    members=frozenset({"id", "previous_agent_id", "next_agent_id"}),
)
_MESSAGE: Final = Speech(members=frozenset({"content", "agent_id", "prefix"}), texts=("content",))
_DIALECT: Final = replace(
    CHAT,
    containers=("outputs", "inputs", "entries", *CHAT.containers),
    around=frozenset({"conversation_id"}),
    items=MessageVocabulary(
        rules={
            "function.call": (_CALL,),
            "function.result": (_RESULT,),
            "tool.execution": (_EXECUTION,),
            "agent.handoff": (_HANDOFF,),
            "message.input": (_MESSAGE,),
            "message.output": (_MESSAGE,),
        },
        members=COMMON - {"name", "id"},
    ),
)


FORMAT: Final = Format(
    name="mistral",
    title="Mistral chat messages and conversation entries",
    tools="mistralai 2, chat and conversations",
    reads="calls, `function.result`, connectors (`tool.execution`), `agent.handoff`, `confirmation_status`",
    unread="failure (no mark)",
    setting="",
    family="messages",
    marks=(
        FormatMark(
            view="item",
            equals={"type": frozenset({"function.call", "function.result", "tool.execution", "agent.handoff"})},
        ),
        FormatMark(
            view="item", equals={"type": frozenset({"message.output", "message.input"}), "object": frozenset({"entry"})}
        ),
        FormatMark(view="call", equals={"id": frozenset({"null"})}),
    ),
    read=reader(_DIALECT),
    rank=2,
)
