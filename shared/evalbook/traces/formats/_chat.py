"""The chat messages of OpenAI, which many tools write with small differences: one dialect takes all of them.

Arguments may be a text or an object, ids may be missing, and an answer may name its call by the tool.
"""

from typing import Final

from evalbook.traces.formats._rules import Answer, Dialect, MessageCall, MessageVocabulary, speech

_FUNCTION: Final = MessageCall(
    name=("function/name",),
    arguments=("function/arguments",),
    members=frozenset({"type", "parsed_arguments", "strict", "description"}),
)
_CUSTOM: Final = MessageCall(
    name=("custom/name",), arguments=("custom/input",), free_text=True, members=frozenset({"type"})
)
_BY_ID: Final = Answer(name=("name", "tool_name"), members=frozenset({"content", "is_error", "tool_result"}))

CONTENT: Final = MessageVocabulary(
    rules=speech(
        "text", "image_url", "input_audio", "file", "refusal", "output_text", "input_text", "image", "audio",
        "document_url", "reference", "thinking", "reasoning", "input_image", "input_file",
    )
)  # fmt: skip

CHAT: Final = Dialect(
    containers=("messages", "choices/*/message"),
    roles={
        "system": (),
        "developer": (),
        "user": (),
        "assistant": (),
        "tool": (_BY_ID,),
        "function": (Answer(call_id=(), name=("name",), members=frozenset({"content"})),),
    },
    parts={
        "content": CONTENT,
        "tool_calls": MessageVocabulary(default="function", rules={"function": (_FUNCTION,), "custom": (_CUSTOM,)}),
        "function_call": MessageVocabulary(
            key="kind", default="call", rules={"call": (MessageCall(call_id=(), members=frozenset({"type"})),)}
        ),
    },
    members=frozenset({"prefix", "images", "tool_name", "tool_call_id"}),
)
