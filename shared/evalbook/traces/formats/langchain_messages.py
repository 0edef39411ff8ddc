"""LangChain messages as dumped: calls in `tool_calls` of AI messages, answers in tool messages with their status."""

from dataclasses import replace
from typing import Final

from evalbook.jsonio.values import Json
from evalbook.traces.formats._anthropic import BLOCKS, USE
from evalbook.traces.formats._chat import CONTENT
from evalbook.traces.formats._format import Format
from evalbook.traces.formats._marks import FormatMark
from evalbook.traces.formats._messages import reader
from evalbook.traces.formats._rules import (
    Answer,
    Dialect,
    Documents,
    End,
    Ending,
    MessageCall,
    MessageVocabulary,
    Speech,
    speech,
)

_OWN: Final = MessageCall(arguments=("args",), members=frozenset({"error", "extras"}))
_AGAIN: Final = replace(_OWN, recap=True)
_OPENAI: Final = MessageCall(
    name=("function/name",),
    arguments=("function/arguments",),
    recap=True,
    members=frozenset({"type", "parsed_arguments"}),
)
_CONTENT: Final = MessageVocabulary(
    rules={
        **CONTENT.rules,
        **BLOCKS.rules,
        "tool_use": (replace(USE, joins=True, recap=True, members=USE.members | {"partial_json", "index"}),),
        **dict.fromkeys(("tool_call", "invalid_tool_call"), (_AGAIN,)),
        "function_call": (MessageCall(call_id=("call_id",), recap=True, members=frozenset({"id"})),),
        "server_tool_call": (replace(_OWN, ends=End.RAN),),
        "server_tool_result": (
            Answer(
                call_id=("tool_call_id",),
                name=(),
                endings=(
                    Ending("status", End.FAILED, frozenset({"error"})),
                    Ending("status", End.OK, frozenset({"success"})),
                ),
                members=frozenset({"output", "id", "extras"}),
            ),
        ),
        **speech("text-plain", "video", "non_standard_annotation"),
        "reasoning": (Speech(members=frozenset({"summary", "content", "extras"})),),
    }
)
_ADDITIONAL: Final = MessageVocabulary(
    key=None,
    rules={
        "tool_calls": (_OPENAI,),
        "function_call": (MessageCall(call_id=(), recap=True, members=frozenset({"id", "thought_signature"})),),
    },
    members=frozenset(
        [
            "refusal",
            "reasoning_content",
            "parsed",
            "audio",
            "reasoning",
            "id",
            "name",
            "stop_reason",
            "citations",
            "usage",
            "session_id",
            "tool_call_chunks",
            "__gemini_function_call_thought_signatures__",
            "__openai_function_call_ids__",
        ]
    ),
)
_DOCUMENTS: Final = Documents("artifact", ("kwargs/id", "id"), has=("page_content", "kwargs/page_content"))
_ANSWER: Final = Answer(
    endings=(
        Ending("status", End.FAILED, frozenset({"error"})),
        Ending("status", End.OK, frozenset({"success"})),
    ),
    documents=(_DOCUMENTS,),
    members=frozenset({"content", "artifact", "additional_kwargs", "example"}),
)
_DIALECT: Final = Dialect(
    containers=("messages", "output/messages", "values/messages"),
    around=frozenset({"configurable"}),
    envelopes=("data", "kwargs"),
    role_of=lambda item, message: item["id"][-1] if _is_path(item.get("id")) else message.get("type", item.get("type")),
    roles={
        **dict.fromkeys(("human", "system", "ai", "chat", "developer"), ()),
        **dict.fromkeys(("HumanMessage", "SystemMessage", "AIMessage", "AIMessageChunk", "ChatMessage"), ()),
        **dict.fromkeys(("tool", "ToolMessage"), (_ANSWER,)),
        **dict.fromkeys(("function", "FunctionMessage"), (replace(_ANSWER, call_id=()),)),
    },
    parts={
        "tool_calls": MessageVocabulary(default="tool_call", rules={"tool_call": (_OWN,)}),
        "invalid_tool_calls": MessageVocabulary(
            default="invalid_tool_call", rules=dict.fromkeys(("invalid_tool_call", "tool_call"), (_OWN,))
        ),
        "content": _CONTENT,
        "additional_kwargs": _ADDITIONAL,
    },
    members=frozenset({"lc", "example", "tool_call_chunks", "artifact", "tool_call_id", "chunk_position"}),
)


def _is_path(value: Json) -> bool:
    return type(value) is list and bool(value)


FORMAT: Final = Format(
    name="langchain_messages",
    title="LangChain messages",
    tools="langchain-core (`model_dump`, `messages_to_dict`, `dumpd`)",
    reads="`tool_calls`, `invalid_tool_calls`, server tools in content, `ToolMessage.status`, documents in artifacts",
    unread="content blocks that are not listed (incomplete)",
    setting="",
    family="messages",
    marks=(
        FormatMark(
            view="item", equals={"type": frozenset({"ai", "human", "tool", "AIMessageChunk"})}, has=("content",)
        ),
        FormatMark(
            view="item",
            equals={"type": frozenset({"ai", "human", "tool", "system", "function", "chat"})},
            has=("data",),
        ),
        FormatMark(view="item", has=("lc", "kwargs")),
        FormatMark(view="item", has=("tool_call_id", "artifact")),
        FormatMark(view="call", has=("name", "args"), lacks=("function",)),
    ),
    read=reader(_DIALECT),
    rank=4,
)
