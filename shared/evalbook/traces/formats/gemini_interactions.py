"""Items of the Gemini Interactions API: like those of the Responses API, with `id` and an object of arguments."""

import re
from typing import Final

from evalbook.traces.formats._chat import CONTENT
from evalbook.traces.formats._format import Format
from evalbook.traces.formats._marks import FormatMark
from evalbook.traces.formats._messages import reader
from evalbook.traces.formats._rules import Answer, Dialect, End, Ending, MessageCall, MessageVocabulary, Speech, speech

_HOSTED: Final = {
    kind: (MessageCall(named=kind.removesuffix("_call"), name=(), ends=End.RAN),)
    for kind in ("code_execution_call", "google_search_call", "url_context_call", "file_search_call")
}
_RESULT: Final = Answer(
    call_id=("call_id",),
    endings=(Ending("is_error", End.FAILED, frozenset({True})), Ending("is_error", End.OK, frozenset({False}))),
    members=frozenset({"result", "server_name"}),
)
_DIALECT: Final = Dialect(
    containers=("input", "outputs", "steps"),
    around=frozenset({"agent", "previous_interaction_id", "updated"}),
    items=MessageVocabulary(
        rules={
            "function_call": (MessageCall(),),
            "mcp_server_tool_call": (MessageCall(ends=End.RAN, members=frozenset({"server_name"})),),
            **_HOSTED,
            "*_result": (_RESULT,),
            **speech("text", "image", "audio", "video", "document"),
            "thought": (Speech(members=frozenset({"summary", "signature"})),),
            **dict.fromkeys(("user_input", "model_output"), (Speech(members=frozenset({"content"})),)),
        }
    ),
    roles=dict.fromkeys(("user", "model"), ()),
    parts={"content": CONTENT},
)


FORMAT: Final = Format(
    name="gemini_interactions",
    title="Gemini Interactions items",
    tools="client code of 2026; the API is a preview",
    reads="calls, tools that the service ran, results by `call_id`, `is_error`",
    unread="types that are not listed (incomplete)",
    setting="",
    family="messages",
    marks=(
        FormatMark(
            view="item",
            equals={"type": frozenset({"function_call"})},
            has=("id", "arguments"),
            lacks=("call_id", "role"),
        ),
        FormatMark(
            view="item",
            equals={"type": frozenset({"function_result", "mcp_server_tool_call"})},
            has=("id",),
            lacks=("role",),
        ),
        FormatMark(
            view="item",
            equals={"type": re.compile("(function|code_execution|google_search|url_context|mcp_server_tool)_result")},
        ),
    ),
    read=reader(_DIALECT),
    rank=4,
)
