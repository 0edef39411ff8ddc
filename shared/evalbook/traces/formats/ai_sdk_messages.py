"""AI SDK core messages: parts `tool-call` and `tool-result`; the type of the output says how the call ended."""

from dataclasses import replace
from typing import Final

from evalbook.traces.formats._format import Format
from evalbook.traces.formats._marks import FormatMark
from evalbook.traces.formats._messages import reader
from evalbook.traces.formats._rules import Answer, Dialect, End, Ending, MessageCall, MessageVocabulary, Speech, speech

_FAILED: Final = frozenset({"error-text", "error-json"})
_OUTPUTS: Final = frozenset({"text", "json", "content", "media", "file"})
_RESULT: Final = Answer(
    call_id=("toolCallId",),
    name=("toolName",),
    ends=End.OK,
    endings=(
        Ending("output/type", End.NOT_RUN, frozenset({"execution-denied"})),
        Ending("output/type", End.FAILED, _FAILED),
        Ending("isError", End.FAILED, frozenset({True})),
        Ending("preliminary", End.UNKNOWN, frozenset({True})),
        Ending("output/type", End.OK, _OUTPUTS),
        # The parts of a whole result repeat the input and hold the output as it is; those of a message say its type.
        Ending("input", End.OK),
        Ending("output", End.UNKNOWN),
    ),
    members=frozenset(
        {"output", "result", "input", "args", "content", "experimental_content", "providerExecuted", "dynamic"}
    ),
)
_CALL: Final = MessageCall(
    name=("toolName",),
    arguments=("input", "args"),
    call_id=("toolCallId",),
    endings=(Ending("providerExecuted", End.RAN, frozenset({True})),),
    members=frozenset({"dynamic", "title", "invalid", "error", "toolMetadata"}),
)
_PARTS: Final = MessageVocabulary(
    rules={
        "tool-call": (_CALL,),
        "tool-result": (_RESULT,),
        "tool-error": (replace(_RESULT, ends=End.FAILED, endings=(), members=_RESULT.members | {"error"}),),
        "tool-approval-request": (Speech(members=frozenset({"toolCallId", "toolCall"})),),
        "tool-approval-response": (Speech(members=frozenset({"toolCallId"})),),
        **speech("text", "reasoning", "image", "file", "source", "redacted-reasoning", "custom", "reasoning-file"),
    },
)
_DIALECT: Final = Dialect(
    containers=("messages", "response/messages", "responseMessages"),
    roles=dict.fromkeys(("system", "user", "assistant", "tool"), ()),
    parts={"content": _PARTS},
    members=frozenset({"experimental_providerMetadata"}),
)


FORMAT: Final = Format(
    name="ai_sdk_messages",
    title="AI SDK model messages",
    tools="ai 4 (`args`) to 6 (`input`)",
    reads="calls, results (`output.type`, `isError`), tools that the provider ran",
    unread="calls of earlier steps that were not kept",
    setting="",
    family="messages",
    marks=(
        FormatMark(
            view="part",
            equals={"type": frozenset({"tool-call", "tool-result", "tool-error"})},
            has=("toolCallId",),
            lacks=("state",),
        ),
    ),
    read=reader(_DIALECT),
    rank=3,
)
