"""Microsoft Agent Framework messages: `contents` with function calls and their results."""

from dataclasses import replace
from typing import Final

from evalbook.traces.formats._format import Format
from evalbook.traces.formats._marks import FormatMark
from evalbook.traces.formats._messages import reader
from evalbook.traces.formats._paths import at
from evalbook.traces.formats._rules import Answer, Dialect, End, Ending, MessageCall, MessageVocabulary, Speech, speech

_MCP: Final = frozenset({"server_name"})
_CALL: Final = MessageCall(
    call_id=("call_id",), members=frozenset({"exception", "additional_properties", "raw_representation"})
)
_RESULT: Final = Answer(
    call_id=("call_id",),
    ends=End.OK,
    endings=(Ending("exception", End.FAILED),),
    members=frozenset({"result", "output", "outputs", "additional_properties", "raw_representation", "items"}),
)
_APPROVAL: Final = MessageCall(
    name=("function_call/name",),
    arguments=("function_call/arguments",),
    call_id=("function_call/call_id",),
    ends=End.NOT_RUN,
    joins=True,
    members=frozenset({"id", "type", "user_input_request"}),
)
_PARTS: Final = MessageVocabulary(
    rules={
        "function_call": (_CALL,),
        "function_result": (_RESULT,),
        "function_approval_request": (_APPROVAL,),
        "function_approval_response": (Speech(members=frozenset({"function_call"})),),
        "mcp_server_tool_call": (
            replace(_CALL, name=("tool_name", "name"), ends=End.RAN, members=_CALL.members | _MCP),
        ),
        "mcp_server_tool_result": (_RESULT,),
        **speech("text", "text_reasoning", "data", "uri", "error", "usage", "hosted_file", "hosted_vector_store"),
    },
    members=frozenset({"additional_properties", "raw_representation", "details"}),
)
_DIALECT: Final = Dialect(
    containers=("messages", "chat_message_store_state/messages"),
    role_of=lambda _, message: at(dict(message), "role/value") or message.get("role"),
    roles=dict.fromkeys(("system", "user", "assistant", "tool"), ()),
    parts={"contents": _PARTS},
    members=frozenset({"author_name", "message_id", "additional_properties", "raw_representation"}),
)


FORMAT: Final = Format(
    name="agent_framework_messages",
    title="Microsoft Agent Framework messages",
    tools="agent-framework for Python",
    reads="calls, results with `exception`, approval requests as calls that did not run",
    unread="code that hosted tools ran (incomplete)",
    setting="",
    family="messages",
    marks=(
        FormatMark(view="item", has=("role", "contents")),
        FormatMark(
            view="part", equals={"type": frozenset({"function_result"})}, has=("call_id",), lacks=("role",), weak=True
        ),
    ),
    read=reader(_DIALECT),
    rank=5,
)
