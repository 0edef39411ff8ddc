"""AutoGen's messages and events: calls asked for and run in lists, a summary that repeats them, handoffs."""

import re
from dataclasses import replace
from typing import Final

from evalbook.traces.formats._format import Format
from evalbook.traces.formats._marks import FormatMark
from evalbook.traces.formats._members import COMMON
from evalbook.traces.formats._messages import reader
from evalbook.traces.formats._rules import (
    Answer,
    Dialect,
    Each,
    End,
    Ending,
    HandsOver,
    MessageCall,
    MessageVocabulary,
    Speech,
    only,
)

_CALL: Final = MessageCall()
_RESULT: Final = Answer(
    call_id=("call_id",),
    endings=(Ending("is_error", End.FAILED, frozenset({True})), Ending("is_error", End.OK, frozenset({False}))),
    members=frozenset({"content"}),
)
_EVENT: Final = frozenset(
    {"source", "models_usage", "content", "results", "format_string", "inner_messages", "thought"}
)
_TALK: Final = (Speech(members=_EVENT | {"context", "target"}, texts=("content",)),)
_DIALECT: Final = Dialect(
    alone=False,
    around=frozenset({"stop_reason"}),
    items=MessageVocabulary(
        rules={
            "ToolCallRequestEvent": (Each(path="content", parts=only(_CALL), members=_EVENT),),
            "ToolCallExecutionEvent": (Each(path="content", parts=only(_RESULT), members=_EVENT),),
            "ToolCallSummaryMessage": (
                Each(path="tool_calls", parts=only(replace(_CALL, recap=True, ends=End.RAN)), members=_EVENT),
            ),
            "HandoffMessage": (
                HandsOver(source=("source",), target=("target",), members=_EVENT | {"context"}),
            ),
            "AssistantMessage": (Each(path="content", parts=only(_CALL), members=_EVENT),),
            "FunctionExecutionResultMessage": (Each(path="content", parts=only(_RESULT), members=_EVENT),),
            **dict.fromkeys(
                ("TextMessage", "MultiModalMessage", "StopMessage", "ThoughtEvent", "MemoryQueryEvent", "UserMessage",
                 "SystemMessage", "UserInputRequestedEvent", "ModelClientStreamingChunkEvent", "SelectSpeakerEvent",
                 "SelectorEvent", "StructuredMessage*", "CodeGenerationEvent"),
                _TALK,
            ),
        },
        members=COMMON - {"name"},
    ),
    agent="source",
)  # fmt: skip


FORMAT: Final = Format(
    name="autogen",
    title="AutoGen AgentChat messages and model context",
    tools="autogen-agentchat and autogen-core since 0.4",
    reads="requests, executions with `is_error`, summaries, handoffs",
    unread="code that `CodeExecutionEvent` ran (incomplete)",
    setting="",
    family="events",
    marks=(
        FormatMark(
            view="item",
            equals={
                "type": re.compile(
                    "ToolCall(Request|Execution)Event|ToolCallSummaryMessage|HandoffMessage|CodeExecutionEvent"
                )
            },
        ),
        FormatMark(
            view="item",
            equals={"type": re.compile("AssistantMessage|FunctionExecutionResultMessage|TextMessage|UserMessage")},
            has=("content",),
        ),
    ),
    read=reader(_DIALECT),
    rank=7,
    by_line=True,
)
