"""Run steps of OpenAI Assistants and Azure agents: each step lists its calls; lists come newest first."""

from dataclasses import replace
from typing import Final

from evalbook.jsonio.values import Json
from evalbook.traces.formats._format import Format
from evalbook.traces.formats._gaps import Gaps, WireTrace
from evalbook.traces.formats._marks import FormatMark
from evalbook.traces.formats._members import COMMON
from evalbook.traces.formats._messages import read_messages
from evalbook.traces.formats._paths import at
from evalbook.traces.formats._rules import Dialect, Documents, Each, End, Ending, MessageCall, MessageVocabulary

_FUNCTION: Final = MessageCall(
    name=("function/name",),
    arguments=("function/arguments",),
    ends=End.UNKNOWN,
    endings=(Ending("failed", End.FAILED), Ending("function/output", End.RAN)),
    members=frozenset({"output", "failed", "type", "function"}),
)
_BUILT_IN: Final = MessageCall(
    name=("type",),
    arguments=(),
    ends=End.RAN,
    endings=(Ending("failed", End.FAILED),),
    documents=(Documents("file_search/results", ("file_id",)),),
)
_KINDS: Final = (
    "file_search", "code_interpreter", "bing_grounding", "bing_custom_search", "azure_ai_search", "openapi",
    "sharepoint_grounding", "fabric_dataagent", "deep_research", "browser_automation", "connected_agent", "mcp",
    "azure_function", "computer_use_preview",
)  # fmt: skip
_CALLS: Final = MessageVocabulary(
    rules={
        "function": (_FUNCTION,),
        **{kind: (replace(_BUILT_IN, members=frozenset({kind, "name", "arguments", "output"})),) for kind in _KINDS},
    }
)
_STEP: Final = frozenset(
    [
        "assistant_id",
        "agent_id",
        "thread_id",
        "run_id",
        "cancelled_at",
        "completed_at",
        "expired_at",
        "failed_at",
        "expires_at",
        "last_error",
        "step_details",
        "message_creation",
        "status",
    ]
)
_DIALECT: Final = Dialect(
    containers=("data",),
    around=frozenset({"first_id", "last_id", "has_more"}),
    items=MessageVocabulary(
        key="object",
        rules={"thread.run.step": (Each(path="step_details/tool_calls", parts=_CALLS, members=_STEP | COMMON),)},
    ),
)


def _read(document: Json) -> WireTrace:
    """The trace of *document*, its steps by the time at which they were created."""
    steps = document.get("data") if type(document) is dict else document
    if type(steps) is not list:
        return read_messages(document, _DIALECT)
    gaps = Gaps()
    if type(document) is dict and document.get("has_more") is True:
        gaps.add("/has_more", "says that more steps are recorded than the document holds")
    named = [_with_failures(step) for step in steps]
    if all(type(step) is dict and type(step.get("created_at")) is int for step in named):
        named.sort(key=lambda step: step["created_at"])
    return read_messages(named, _DIALECT, found=gaps)


def _with_failures(step: Json) -> Json:
    """A step whose calls say that they failed, where the step did."""
    calls = at(step, "step_details/tool_calls")
    if type(calls) is not list or not (step.get("last_error") or step.get("status") == "failed"):
        return step
    failed = [{**call, "failed": True} if type(call) is dict else call for call in calls]
    return {**step, "step_details": {**step["step_details"], "tool_calls": failed}}


FORMAT: Final = Format(
    name="openai_run_steps",
    title="OpenAI Assistants and Azure agent run steps",
    tools="openai for Python (Assistants v2), azure-ai-agents",
    reads="functions with output, built-in tools by their type, file search results, failed steps",
    unread="arguments of built-in tools; functions without output (incomplete)",
    setting="",
    family="messages",
    marks=(FormatMark(view="item", equals={"object": frozenset({"thread.run.step"})}),),
    read=_read,
    rank=7,
)
