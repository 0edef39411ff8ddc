"""LangChain messages as dumped: calls in `tool_calls` of AI messages, answers in tool messages with their status."""

from typing import Final

from evalbook.jsonio.values import Json
from evalbook.traces.formats._format import Format
from evalbook.traces.formats._marks import Mark
from evalbook.traces.formats._messages import Conversation
from evalbook.traces.formats._parts import arguments_of, document_of, listed, objects, text_of

_WRAPPERS: Final = ("data", "kwargs")
_AI: Final = frozenset({"ai", "AIMessage", "AIMessageChunk"})
_TOOL: Final = frozenset({"tool", "ToolMessage"})
_STATUSES: Final = {"error": "error", "success": "ok"}


def read(document: Json) -> dict[str, Json]:
    """The wire trace of a list of messages, or of an object with one as `messages`.

    Messages are read as `model_dump`, `messages_to_dict` and `dumpd` of langchain-core write them.

    Raises:
        Refused: The document is neither, or a message is no object.
    """
    conversation = Conversation()
    for message in objects(listed(document, "messages")):
        kind, fields = _unwrapped(message)
        if kind in _AI:
            _note_calls(fields, conversation)
        elif kind in _TOOL:
            _note_answer(fields, conversation)
    return conversation.trace()


def _unwrapped(message: dict[str, Json]) -> tuple[str | None, dict[str, Json]]:
    """A message's kind and its own fields, out of whichever wrapper it was dumped in."""
    fields = next((message[name] for name in _WRAPPERS if type(message.get(name)) is dict), message)
    path = message.get("id")
    kind = path[-1] if type(path) is list and path else message.get("type")
    return text_of(kind), fields


def _note_calls(message: dict[str, Json], conversation: Conversation) -> None:
    for field in ("tool_calls", "invalid_tool_calls"):
        calls = message.get(field)
        for call in calls if type(calls) is list else []:
            if type(call) is dict and (name := text_of(call.get("name"))):
                conversation.call(name, text_of(call.get("id")), arguments_of(call.get("args")))


def _note_answer(message: dict[str, Json], conversation: Conversation) -> None:
    status = message.get("status")
    call = conversation.answer(message.get("tool_call_id"), _STATUSES.get(str(status), "unset"))
    artifact = message.get("artifact")
    documents = [one for one in (artifact if type(artifact) is list else ()) if _is_document(one)]
    if documents:
        name = call["name"] if call else "retrieval"
        conversation.retrieved([document_of(_fields(one), "id") for one in documents], name)


def _is_document(value: Json) -> bool:
    return type(value) is dict and "page_content" in _fields(value)


def _fields(document: dict[str, Json]) -> dict[str, Json]:
    kwargs = document.get("kwargs")
    return kwargs if type(kwargs) is dict else document


FORMAT: Final = Format(
    name="langchain_messages",
    title="LangChain messages",
    tools="",
    reads="",
    unread="",
    family="messages",
    marks=(Mark(view="item", has=("type",)),),
    read=read,
)
