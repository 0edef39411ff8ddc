"""AI SDK UI messages: one part a call, named by its type, whose `state` says what became of it."""

import re
from dataclasses import replace
from typing import Final

from evalbook.traces.formats._format import Format
from evalbook.traces.formats._marks import FormatMark
from evalbook.traces.formats._messages import reader
from evalbook.traces.formats._rules import (
    Dialect,
    Each,
    End,
    Ending,
    MessageCall,
    MessageVocabulary,
    Speech,
    only,
    speech,
)

_UNRUN: Final = frozenset(
    {"approval-requested", "approval-responded", "input-streaming", "input-available", "output-denied"}
    | {"partial-call", "call"}
)
_ENDINGS: Final = (
    Ending("state", End.OK, frozenset({"output-available", "result"})),
    Ending("state", End.FAILED, frozenset({"output-error"})),
    Ending("state", End.NOT_RUN, _UNRUN),
)
_MEMBERS: Final = frozenset(
    {
        "output",
        "errorText",
        "approval",
        "rawInput",
        "providerExecuted",
        "preliminary",
        "title",
        "resultProviderMetadata",
    }
    | {"toolMetadata", "result", "step", "dynamic"}
)
_NAMED: Final = MessageCall(
    name=("toolName",),
    arguments=("input", "args"),
    call_id=("toolCallId",),
    ends=End.UNKNOWN,
    endings=_ENDINGS,
    members=_MEMBERS,
)
_PARTS: Final = MessageVocabulary(
    rules={
        "dynamic-tool": (_NAMED,),
        "tool-invocation": (Each(path="toolInvocations", parts=only(_NAMED)),),
        "tool-*": (replace(_NAMED, name=(), after="tool-"),),
        **speech("text", "reasoning", "step-start", "file", "source", "source-url", "source-document", "custom"),
        "data-*": (Speech(anything=True),),
    },
)
_DIALECT: Final = Dialect(
    roles=dict.fromkeys(("system", "user", "assistant", "data"), ()),
    parts={"parts": _PARTS, "toolInvocations": only(replace(_NAMED, joins=True)), "content": _PARTS},
    members=frozenset({"experimental_attachments", "data", "revisionId"}),
)


FORMAT: Final = Format(
    name="ai_sdk_ui_messages",
    title="AI SDK UI messages",
    tools="ai 4 (`toolInvocations`) to 6",
    reads="one part a call: name, input, `state`, `errorText`",
    unread="parts without a known `state` (incomplete)",
    setting="",
    family="messages",
    marks=(
        FormatMark(view="part", equals={"type": re.compile("tool-.+|dynamic-tool"), "state": re.compile(".+")}),
        FormatMark(view="part", has=("toolInvocation",)),
        FormatMark(view="item", has=("role", "toolInvocations")),
        FormatMark(view="part", equals={"type": frozenset({"step-start"})}),
    ),
    read=reader(_DIALECT),
    rank=4,
)
