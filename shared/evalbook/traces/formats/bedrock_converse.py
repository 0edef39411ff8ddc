"""Bedrock Converse messages: blocks named by their only member."""

from typing import Final

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

_RESULT: Final = Answer(
    call_id=("toolUseId",),
    name=(),
    ends=End.OK,
    endings=(Ending("status", End.FAILED, frozenset({"error"})),),
    documents=(Documents("content", ("searchResult/source",), has=("searchResult",)),),
    members=frozenset({"content", "type"}),
)
_CALL: Final = MessageCall(
    arguments=("input",), call_id=("toolUseId",), endings=(Ending("type", End.RAN, frozenset({"server_tool_use"})),)
)
_BLOCKS: Final = MessageVocabulary(
    key=None,
    rules={
        "toolUse": (_CALL,),
        "toolResult": (_RESULT,),
        **speech("text"),
        **dict.fromkeys(
            ("image", "document", "video", "audio", "cachePoint", "reasoningContent", "guardContent",
             "citationsContent", "searchResult"),
            (Speech(anything=True),),
        ),
    },
)  # fmt: skip
_DIALECT: Final = Dialect(
    containers=("messages", "output/message"),
    around=frozenset({"ResponseMetadata", "stopReason", "trace", "performanceConfig", "additionalModelRequestFields"}),
    roles=dict.fromkeys(("user", "assistant", "system"), ()),
    parts={"content": _BLOCKS},
    documents=(Documents("content", ("searchResult/source",), has=("searchResult",)),),
    members=frozenset({"tracing"}),
)


FORMAT: Final = Format(
    name="bedrock_converse",
    title="Bedrock Converse messages and responses; Strands messages",
    tools="the service model in botocore 1.43; messages of Strands",
    reads="`toolUse` and `toolResult`, `status`, search results as documents",
    unread="blocks that are not listed (incomplete)",
    setting="",
    family="messages",
    marks=(
        FormatMark(view="part", has=("toolUse",), lacks=("type",)),
        FormatMark(view="part", has=("toolResult",), lacks=("type",)),
        FormatMark(view="document", has=("stopReason", "output")),
        FormatMark(view="part", has=("text",), lacks=("type", "part_kind", "thought", "kind"), weak=True),
    ),
    read=reader(_DIALECT),
    rank=3,
)
