"""OpenAI chat messages: calls in `tool_calls` of the assistant's messages, answers in messages of role tool.

The format has no mark for a call that failed, so a call's status stays unset.
"""

from typing import Any, Final

from evalbook.jsonio.values import Json
from evalbook.traces.formats._format import Format
from evalbook.traces.formats._marks import Mark
from evalbook.traces.formats._messages import Conversation
from evalbook.traces.formats._parts import WireSpan, arguments_of, listed, objects, text_of


def read(document: Json) -> dict[str, Json]:
    """The wire trace of a list of messages, or of an object with one as `messages`.

    Raises:
        Refused: The document is neither, or a message is no object.
    """
    conversation = Conversation()
    for message in objects(listed(document, "messages")):
        role = message.get("role")
        if role == "tool":
            conversation.answer(message.get("tool_call_id"))
        elif role == "function":
            conversation.answer(message.get("name"))
        elif role == "assistant":
            _note_calls(message, conversation)
    return conversation.trace()


def _note_calls(message: dict[str, Json], conversation: Conversation) -> None:
    calls = message.get("tool_calls")
    for call in calls if type(calls) is list else []:
        if type(call) is dict:
            _note(call.get("function") or call.get("custom"), text_of(call.get("id")), conversation)
    _note(message.get("function_call"), None, conversation)


def _note(called: Any, call_id: str | None, conversation: Conversation) -> None:
    if type(called) is dict and (name := text_of(called.get("name"))):
        conversation.call(name, call_id, _arguments(called))


def _arguments(called: dict[str, Json]) -> WireSpan:
    # A custom tool takes one free text, its `input`, and no arguments by name.
    return arguments_of(called.get("arguments")) if "input" not in called else {"arguments_invalid": True}


FORMAT: Final = Format(
    name="openai_chat",
    title="OpenAI chat messages",
    tools="",
    reads="",
    unread="",
    family="messages",
    marks=(Mark(view="item", has=("role",)),),
    read=read,
)
