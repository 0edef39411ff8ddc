"""LlamaIndex workflow events: a call and its result are two events with one `tool_id` and no type."""

from dataclasses import replace
from typing import Final

from evalbook.jsonio.values import Json
from evalbook.traces.formats._format import Format
from evalbook.traces.formats._gaps import WireTrace
from evalbook.traces.formats._marks import FormatMark
from evalbook.traces.formats._messages import read_messages
from evalbook.traces.formats._rules import Dialect, Each, End, Ending, MessageCall, MessageVocabulary, only

_CALL: Final = MessageCall(name=("tool_name",), arguments=("tool_kwargs",), call_id=("tool_id",))
_RESULT: Final = replace(
    _CALL,
    recap=True,
    endings=(
        Ending("tool_output/is_error", End.FAILED, frozenset({True})),
        Ending("tool_output/is_error", End.OK, frozenset({False})),
    ),
    ends=End.RAN,
    members=frozenset({"tool_output", "return_direct"}),
)
_AGENT: Final = frozenset(
    [
        "response",
        "structured_response",
        "current_agent_name",
        "raw",
        "retry_messages",
        "delta",
        "thinking_delta",
        "input",
        "user_msg",
        "chat_history",
        "result",
        "tool_outputs",
    ]
)
_DIALECT: Final = Dialect(
    alone=False,
    containers=("events",),
    items=MessageVocabulary(
        key="event",
        rules={
            "call": (_CALL,),
            "result": (_RESULT,),
            "agent": (Each(path="tool_calls", parts=only(replace(_CALL, recap=True)), members=_AGENT),),
        },
    ),
)


def _read(document: Json) -> WireTrace:
    """The trace of *document*, whose events say what they are by their members."""
    events = document.get("events") if type(document) is dict else document
    return read_messages([_named(event) for event in events] if type(events) is list else document, _DIALECT)


def _named(event: Json) -> Json:
    if type(event) is not dict:
        return event
    value = event.get("value")
    event = value if type(value) is dict and "qualified_name" in event else event
    kind = "result" if "tool_output" in event else "call" if "tool_kwargs" in event else None
    if kind is None and event.keys() & {"current_agent_name", "user_msg", "chat_history", "result"}:
        kind = "agent"
    return {**event, "event": kind} if kind else event


FORMAT: Final = Format(
    name="llama_index_events",
    title="LlamaIndex workflow events",
    tools="llama-index-core, agent workflow events",
    reads="calls and results as one, `tool_output.is_error`",
    unread="",
    setting="",
    family="events",
    marks=(
        FormatMark(view="item", has=("tool_name", "tool_kwargs")),
        FormatMark(view="item", has=("tool_name", "tool_output")),
        FormatMark(view="item", has=("qualified_name", "value")),
        FormatMark(view="item", has=("current_agent_name", "response")),
    ),
    read=_read,
    rank=7,
    by_line=True,
)
