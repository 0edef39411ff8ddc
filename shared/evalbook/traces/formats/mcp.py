"""MCP messages: JSON-RPC requests of `tools/call` and their results."""

from typing import Final

from evalbook.jsonio.values import Json
from evalbook.traces.formats._format import Format
from evalbook.traces.formats._gaps import WireTrace
from evalbook.traces.formats._marks import FormatMark
from evalbook.traces.formats._messages import read_messages
from evalbook.traces.formats._parts import text_of
from evalbook.traces.formats._paths import id_at
from evalbook.traces.formats._rules import Answer, Dialect, End, Ending, MessageCall, MessageVocabulary, Speech

_TALK: Final = (Speech(anything=True),)
_OTHER: Final = (
    "other", "initialize", "ping", "tools/list", "resources/*", "prompts/*", "logging/*", "completion/*", "roots/*",
    "notifications/*", "sampling/*", "elicitation/*", "tasks/*",
)  # fmt: skip
_CALL: Final = MessageCall(
    name=("params/name",),
    arguments=("params/arguments",),
    members=frozenset({"jsonrpc", "params", "_meta", "method", "task"}),
)
_RESULT: Final = Answer(
    call_id=("id",),
    name=(),
    ends=End.OK,
    endings=(
        Ending("error", End.FAILED),
        Ending("result/isError", End.FAILED, frozenset({True})),
    ),
    members=frozenset({"jsonrpc", "result"}),
)
_DIALECT: Final = Dialect(
    alone=False,
    containers=("messages",),
    items=MessageVocabulary(
        key="method",
        rules={"tools/call": (_CALL,), "result": (_RESULT,), **dict.fromkeys(_OTHER, _TALK)},
        members=frozenset({"id"}),
    ),
)
_CALLS: Final = "tools/call"


def _read(document: Json) -> WireTrace:
    """The trace of *document*; the results of other requests answer no call."""
    messages = document.get("messages") if type(document) is dict else document
    if type(messages) is not list:
        return read_messages(document, _DIALECT)
    # A peer may ask with the same id: an id of a call stays one.
    called = {_key(message) for message in messages if _method(message) == _CALLS}
    other = {_key(message) for message in messages if _method(message) not in (None, _CALLS)} - {None, *called}
    return read_messages([_named(message, other) for message in messages], _DIALECT)


def _named(message: Json, other: set[str | None]) -> Json:
    """A message that has a method, also where it is a result: of a call, or of an *other* request."""
    if type(message) is not dict or "method" in message or not ("result" in message or "error" in message):
        return message
    return {"method": "other"} if _key(message) in other else {**message, "method": "result"}


def _method(message: Json) -> str | None:
    return text_of(message.get("method")) if type(message) is dict else None


def _key(message: Json) -> str | None:
    return id_at(message, ("id",)) if type(message) is dict else None


FORMAT: Final = Format(
    name="mcp",
    title="MCP messages (JSON-RPC)",
    tools="MCP as JSON-RPC messages",
    reads="`tools/call` and its results by id, `isError`, RPC errors",
    unread="",
    setting="",
    family="events",
    marks=(FormatMark(view="item", has=("jsonrpc",)),),
    read=_read,
    rank=7,
    by_line=True,
)
