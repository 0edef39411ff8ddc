"""Claude Code's transcript: lines that wrap Anthropic messages, a reply spread over several of them."""

from dataclasses import replace
from typing import Final

from evalbook.domain.errors import Problem, Refused
from evalbook.jsonio.values import Json
from evalbook.traces.formats._anthropic import ANTHROPIC
from evalbook.traces.formats._format import Format
from evalbook.traces.formats._gaps import Gaps, WireTrace, wire_trace
from evalbook.traces.formats._marks import FormatMark
from evalbook.traces.formats._messages import read_messages
from evalbook.traces.formats._parts import text_of
from evalbook.traces.formats._paths import first_at
from evalbook.traces.formats._rules import Clock, MessageVocabulary, Speech

_LINE: Final = frozenset(
    [
        "parentUuid",
        "logicalParentUuid",
        "sessionId",
        "session_id",
        "isSidechain",
        "userType",
        "cwd",
        "version",
        "gitBranch",
        "requestId",
        "toolUseResult",
        "isMeta",
        "isApiErrorMessage",
        "apiErrorStatus",
        "thinkingMetadata",
        "todos",
        "permissionMode",
        "slug",
        "sourceToolAssistantUUID",
        "sourceToolUseID",
        "isVisibleInTranscriptOnly",
        "isCompactSummary",
        "entrypoint",
        "agentId",
        "agentName",
        "teamName",
        "promptId",
        "imagePasteIds",
        "origin",
        "parent_tool_use_id",
        "mcpMeta",
        "error",
        "advisorModel",
        "interruptedMessageId",
    ]
)
_NOTE: Final = Speech(
    members=_LINE
    | frozenset(
        [
            "summary",
            "leafUuid",
            "snapshot",
            "messageId",
            "isSnapshotUpdate",
            "subtype",
            "content",
            "level",
            "toolUseID",
            "parentToolUseID",
            "operation",
            "compactMetadata",
            "microcompactMetadata",
            "hookInfos",
            "hookErrors",
            "hookCount",
            "attachment",
            "tools",
            "mcp_servers",
            "slash_commands",
            "agents",
            "skills",
            "plugins",
            "permission_denials",
            "modelUsage",
            "stopReason",
            "preventedContinuation",
            "hasOutput",
            "durationMs",
            "messageCount",
            "retryAttempt",
            "maxRetries",
            "retryInMs",
            "cause",
            "title",
            "customTitle",
            "aiTitle",
            "lastPrompt",
            "mode",
            "permissionMode",
            "prNumber",
            "prUrl",
            "prRepository",
            "result",
            "structured_output",
            "toolUseId",
        ]
    ),
    texts=(),
)
_DIALECT: Final = replace(
    ANTHROPIC,
    alone=False,
    containers=("messages", "transcript", "lines"),
    items=MessageVocabulary(
        rules=dict.fromkeys(
            ("summary", "system", "file-history-snapshot", "queue-operation", "attachment", "custom-title", "ai-title",
             "last-prompt", "mode", "permission-mode", "agent-name", "agent-color", "agent-setting", "pr-link",
             "progress", "result", "tag"),
            (_NOTE,),
        ),
    ),
    envelopes=("message",),
    members=ANTHROPIC.members | _LINE,
    clock=Clock(path="timestamp"),
    unique="uuid",
    repeats=True,
)  # fmt: skip
_DELEGATES: Final = frozenset({"Agent", "Task"})
_SESSIONS: Final = ("sessionId", "session_id")


def _read(document: Json) -> WireTrace:
    sessions = {session for line in _lines(document) if (session := text_of(first_at(line, _SESSIONS)))}
    if len(sessions) > 1:
        raise Refused([Problem("", f"holds {len(sessions)} sessions: name one as the trace to read, or split it")])
    return _session(document)


def _read_one(document: Json, trace_id: str) -> WireTrace:
    lines = _lines(document)
    of_session = [line for line in lines if text_of(first_at(line, _SESSIONS)) in (None, trace_id)]
    if not any(text_of(first_at(line, _SESSIONS)) for line in of_session):
        raise Refused([Problem("", "holds no session of this id")])
    return _session(of_session)


def _lines(document: Json) -> list[dict[str, Json]]:
    lines = document if type(document) is list else [document]
    return [line for line in lines if type(line) is dict]


def _session(document: Json) -> WireTrace:
    """The trace of one session. What a delegate did stands in lines of its own; without any, in another file."""
    gaps = Gaps()
    trace = read_messages(document, _DIALECT, found=gaps)
    delegated = [span for span in trace["spans"] if span["name"] in _DELEGATES and span.get("executed")]
    if delegated and not any(line.get("isSidechain") or line.get("parent_tool_use_id") for line in _lines(document)):
        gaps.add("", "the calls of a delegate stand in a file of their own, which is not part of the document")
    return wire_trace(trace["spans"], gaps)


FORMAT: Final = Format(
    name="claude_code_transcript",
    title="Claude Code transcript, Agent SDK stream",
    tools="transcripts as described in public, stream output of the Agent SDK",
    reads="all blocks of all lines, repeated lines once, times; refuses several sessions",
    unread="sub-agents whose files were left out (incomplete); progress of sub-agents"
    " (incomplete); a refusal by the user looks like a failure",
    setting="",
    family="messages",
    marks=(
        FormatMark(view="item", has=("sessionId", "message")),
        FormatMark(view="item", has=("session_id", "message"), equals={"type": frozenset({"assistant", "user"})}),
        FormatMark(view="item", has=("leafUuid", "summary")),
        FormatMark(view="item", has=("parentUuid", "uuid")),
        FormatMark(view="item", has=("uuid", "message"), equals={"type": frozenset({"assistant", "user"})}),
    ),
    read=_read,
    read_one=_read_one,
    rank=8,
    by_line=True,
)
