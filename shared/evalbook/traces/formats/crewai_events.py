"""CrewAI's events: a start and an end of each use of a tool, joined by `started_event_id`."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from evalbook.jsonio.values import Json
from evalbook.traces.formats._format import Format
from evalbook.traces.formats._gaps import Gaps, WireTrace
from evalbook.traces.formats._marks import FormatMark
from evalbook.traces.formats._members import COMMON
from evalbook.traces.formats._messages import read_messages
from evalbook.traces.formats._rules import Dialect, End, Ending, MessageCall, MessageVocabulary, Speech

_MEMBERS: Final = frozenset(
    [
        "event_id",
        "emission_sequence",
        "agent_role",
        "agent_key",
        "agent_id",
        "agent",
        "task_id",
        "task_name",
        "task",
        "started_at",
        "finished_at",
        "output",
        "parent_event_id",
        "previous_event_id",
        "triggered_by_event_id",
        "run_attempts",
        "delegations",
        "tool_class",
        "source_type",
        "source_fingerprint",
        "fingerprint_metadata",
        "from_task",
        "from_agent",
        "crew",
        "tool",
        "error",
        "failure",
        "from_cache",
        "started_event_id",
        "plan_step_number",
        "flow_name",
        "flow_id",
    ]
)
_START: Final = MessageCall(name=("tool_name",), arguments=("tool_args",), call_id=("event_id",), members=_MEMBERS)
_FINISH: Final = replace(
    _START,
    call_id=("started_event_id",),
    joins=True,
    recap=True,
    ends=End.OK,
    endings=(Ending("from_cache", End.NOT_RUN, frozenset({True})), Ending("failure", End.FAILED)),
)
_ERROR: Final = replace(_FINISH, ends=End.FAILED, endings=())
_UNRUN: Final = replace(_FINISH, ends=End.NOT_RUN, endings=())
_DIALECT: Final = Dialect(
    alone=False,
    containers=("events",),
    items=MessageVocabulary(
        rules={
            "tool_usage_started": (_START,),
            "tool_usage_finished": (_FINISH,),
            "tool_usage_error": (_ERROR,),
            "tool_execution_error": (_ERROR,),
            "tool_failure_detected": (_ERROR,),
            "tool_selection_error": (_UNRUN,),
            "tool_validate_input_error": (_UNRUN,),
            "mcp_tool_execution_*": (Speech(anything=True),),
            **dict.fromkeys(
                ("llm_call_*", "llm_stream_*", "llm_guardrail_*", "llm_thinking_*", "agent_execution_*",
                 "agent_evaluation_*",
                 "agent_reasoning_*", "agent_logs_*", "lite_agent_execution_*", "task_started", "task_completed",
                 "task_failed", "task_evaluation", "crew_kickoff_*", "crew_train_*", "crew_test_*", "flow_created",
                 "flow_started", "flow_finished", "flow_paused", "flow_plot", "method_execution_*", "memory_query_*",
                 "memory_save_*", "memory_retrieval_*", "knowledge_query_*", "mcp_connection_*"),
                (Speech(anything=True),),
            ),
        },
        members=COMMON,
    ),
    unanswered=End.UNKNOWN,
)  # fmt: skip


def _read(document: Json) -> WireTrace:
    """The trace of *document*, its events in the order in which they were emitted."""
    events = document.get("events") if type(document) is dict else document
    opened = [_opened(event) for event in events] if type(events) is list else document
    if type(opened) is list and all(type(event) is dict and _is_numbered(event) for event in opened):
        opened = sorted(opened, key=lambda event: event["emission_sequence"])
    gaps = Gaps()
    if type(opened) is list and not any(_is_of(event, "tool_usage_") for event in opened):
        for index, event in enumerate(opened):
            if _is_of(event, "mcp_tool_execution_"):
                gaps.add(f"/{index}", "is the inner record of a call whose own record the document does not hold")
    return read_messages(opened, _DIALECT, found=gaps)


def _opened(event: Json) -> Json:
    """The event out of the envelope in which the tracing listener writes it."""
    data = event.get("event_data") if type(event) is dict else None
    return {**event, **data, "event_data": None} if type(data) is dict else event


def _is_numbered(event: Mapping[str, Json]) -> bool:
    return type(event.get("emission_sequence")) is int


def _is_of(event: Json, kind: str) -> bool:
    found = event.get("type") if type(event) is dict else None
    return type(found) is str and found.startswith(kind)


FORMAT: Final = Format(
    name="crewai_events",
    title="CrewAI events",
    tools="crewai, event types of 2026",
    reads="starts and ends as one call, failures, results from the cache as calls that did not run",
    unread="a start without an end (incomplete)",
    setting="",
    family="events",
    marks=(
        FormatMark(
            view="item",
            equals={
                "type": re.compile("tool_usage_(started|finished|error)|mcp_tool_execution_.+|tool_failure_detected")
            },
        ),
        FormatMark(view="item", equals={"type": re.compile("tool_(selection|execution|validate_input)_error")}),
        FormatMark(view="item", has=("event_data",), equals={"type": re.compile("[a-z_]+")}),
        FormatMark(view="item", has=("emission_sequence",), equals={"type": re.compile("[a-z_]+")}),
    ),
    read=_read,
    rank=7,
    by_line=True,
)
