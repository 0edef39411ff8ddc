"""Azure AI evaluation messages: parts `tool_call` with a `tool_call_id`; the answer's id stands on the message."""

from typing import Final

from evalbook.traces.formats._format import Format
from evalbook.traces.formats._marks import FormatMark
from evalbook.traces.formats._messages import reader
from evalbook.traces.formats._rules import Answer, Dialect, End, Ending, MessageCall, MessageVocabulary, Speech, speech

_BY_SERVICE: Final = frozenset(
    {"bing_grounding", "bing_custom_search", "azure_ai_search", "file_search", "code_interpreter", "deep_research"}
    | {"sharepoint_grounding", "fabric_dataagent", "browser_automation", "openapi", "connected_agent", "web_search"}
)
_PARTS: Final = MessageVocabulary(
    rules={
        "tool_call": (MessageCall(call_id=("tool_call_id",), endings=(Ending("name", End.RAN, _BY_SERVICE),)),),
        "tool_result": (Speech(members=frozenset({"tool_result"})),),
        **speech("text", "image_url", "input_text", "output_text", "refusal", "file", "input_image"),
    },
)
_DIALECT: Final = Dialect(
    containers=("messages", "query", "response"),
    roles={
        "system": (),
        "developer": (),
        "user": (),
        "assistant": (),
        "tool": (Answer(members=frozenset({"content", "run_id", "createdAt"})),),
    },
    parts={"content": _PARTS},
    members=frozenset({"run_id", "thread_id", "agent_id"}),
    unanswered=End.UNKNOWN,
)


FORMAT: Final = Format(
    name="azure_ai_messages",
    title="Azure AI evaluation messages",
    tools="azure-ai-evaluation, its converter",
    reads="calls, answers, tools that the service ran by their names",
    unread="a call without an answer that is no tool of the service (incomplete); failure"
    " (no mark); tools of the service that the converter left out",
    setting="",
    family="messages",
    marks=(
        FormatMark(view="part", equals={"type": frozenset({"tool_call"})}, has=("tool_call_id",)),
        FormatMark(view="part", equals={"type": frozenset({"tool_result"})}, has=("tool_result",)),
    ),
    read=reader(_DIALECT),
    rank=4,
)
