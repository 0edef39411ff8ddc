"""Anthropic messages: `tool_use` blocks, answered by `tool_result` blocks; and the documents in search results."""

from collections.abc import Iterator
from typing import Final

from evalbook.jsonio.values import Json
from evalbook.traces.formats._format import Format
from evalbook.traces.formats._marks import Mark
from evalbook.traces.formats._messages import Conversation
from evalbook.traces.formats._parts import arguments_of, document_of, listed, objects, text_of

_CALLS: Final = ("tool_use", "server_tool_use", "mcp_tool_use")
_ID_OF: Final = {"search_result": "source", "web_search_result": "url"}


def read(document: Json) -> dict[str, Json]:
    """The wire trace of a list of messages, or of an object with one as `messages`.

    Raises:
        Refused: The document is neither, or a message is no object.
    """
    conversation = Conversation()
    for message in objects(listed(document, "messages")):
        for block in _blocks(message.get("content")):
            _note(block, conversation)
        _note_documents(message.get("content"), "search_result", conversation)
    return conversation.trace()


def _blocks(content: Json) -> Iterator[dict[str, Json]]:
    return (block for block in (content if type(content) is list else ()) if type(block) is dict)


def _note(block: dict[str, Json], conversation: Conversation) -> None:
    kind, name = block.get("type"), text_of(block.get("name"))
    if kind in _CALLS and name:
        conversation.call(name, text_of(block.get("id")), arguments_of(block.get("input")))
    elif type(kind) is str and kind.endswith("tool_result"):
        content = block.get("content")
        call = conversation.answer(block.get("tool_use_id"), "error" if _failed(block, content) else "ok")
        _note_documents(content, call["name"] if call else kind, conversation)


def _failed(block: dict[str, Json], content: Json) -> bool:
    """Whether a result says that its call failed: by `is_error`, or by the kind of its content (a server's tool)."""
    kind = content.get("type") if type(content) is dict else None
    return block.get("is_error") is True or (type(kind) is str and kind.endswith("_error"))


def _note_documents(content: Json, name: str, conversation: Conversation) -> None:
    blocks = [(block, _ID_OF.get(text_of(block.get("type")) or "")) for block in _blocks(content)]
    documents = [document_of(block, field) for block, field in blocks if field]
    if documents:
        conversation.retrieved(documents, name)


FORMAT: Final = Format(
    name="anthropic_messages",
    title="Anthropic messages",
    tools="",
    reads="",
    unread="",
    family="messages",
    marks=(Mark(view="item", has=("role",)),),
    read=read,
)
