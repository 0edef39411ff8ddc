"""Google ADK's events: Gemini contents with an author; a transfer is a call and an action on its answer."""

from dataclasses import replace
from typing import Final

from evalbook.traces.formats._format import Format
from evalbook.traces.formats._gemini import GEMINI, ROLES
from evalbook.traces.formats._marks import FormatMark
from evalbook.traces.formats._messages import reader
from evalbook.traces.formats._rules import Clock

_DIALECT: Final = replace(
    GEMINI,
    alone=False,
    containers=("events", "session/events"),
    around=frozenset({"appName", "app_name", "userId", "user_id", "state", "lastUpdateTime", "last_update_time"}),
    envelopes=("content",),
    role_of=lambda item, message: message.get("role") or ("event" if "author" in item else None),
    roles={"event": (), **ROLES},
    members=frozenset(
        [
            "invocationId",
            "invocation_id",
            "author",
            "actions",
            "longRunningToolIds",
            "long_running_tool_ids",
            "partial",
            "turnComplete",
            "turn_complete",
            "branch",
            "groundingMetadata",
            "grounding_metadata",
            "errorCode",
            "errorMessage",
            "error_code",
            "error_message",
            "interrupted",
            "customMetadata",
            "custom_metadata",
            "usageMetadata",
            "usage_metadata",
            "cacheMetadata",
            "cache_metadata",
            "avgLogprobs",
            "avg_logprobs",
            "logprobsResult",
            "logprobs_result",
            "modelVersion",
            "model_version",
            "citationMetadata",
            "citation_metadata",
            "inputTranscription",
            "outputTranscription",
            "input_transcription",
            "output_transcription",
            "nodeInfo",
            "node_info",
            "output",
            "interactionId",
            "interaction_id",
            "liveSessionResumptionUpdate",
            "isolationScope",
            "isolation_scope",
            "content",
            "parts",
        ]
    ),
    clock=Clock(path="timestamp", seconds=True),
    repeats=True,
    agent="author",
)


FORMAT: Final = Format(
    name="adk_events",
    title="Google ADK events and sessions",
    tools="google-adk, events of 1 and 2",
    reads="parts as `gemini_contents`, ids, times, repeated (partial) events once, transfers with both agents",
    unread="failure (no mark); the end of long-running tools: the first answer is a receipt",
    setting="",
    family="events",
    marks=(
        FormatMark(view="item", has=("author", "invocationId")),
        FormatMark(view="item", has=("author", "invocation_id")),
        FormatMark(view="item", has=("author", "content", "actions")),
    ),
    read=reader(_DIALECT),
    rank=7,
    by_line=True,
)
