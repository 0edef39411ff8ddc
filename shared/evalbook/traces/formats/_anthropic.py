"""The blocks of Anthropic's messages, which also stand in transcripts and in LangChain's content."""

from typing import Final

from evalbook.traces.formats._rules import (
    Answer,
    Dialect,
    Documents,
    End,
    Ending,
    MessageCall,
    MessageVocabulary,
    Rule,
    Speech,
    speech,
)

USE: Final = MessageCall(arguments=("input",), members=frozenset({"server_name", "signature", "partial_json"}))
RESULT: Final = Answer(
    call_id=("tool_use_id",),
    name=(),
    ends=End.OK,
    endings=(
        Ending("is_error", End.FAILED, frozenset({True})),
        Ending("content/type", End.FAILED, frozenset({"*_error"})),
    ),
    documents=(
        Documents("content", ("source",), kind="search_result"),
        Documents("content", ("url",), kind="web_search_result"),
    ),
    members=frozenset({"content", "server_name"}),
)
_RULES: Final[dict[str, tuple[Rule, ...]]] = {
    **dict.fromkeys(("tool_use", "server_tool_use", "mcp_tool_use"), (USE,)),
    **dict.fromkeys(("tool_result", "*_tool_result"), (RESULT,)),
    **speech("text", "thinking", "redacted_thinking", "container_upload", "fallback"),
    **dict.fromkeys(("image", "document"), (Speech(members=frozenset({"source"})),)),
    "search_result": (Speech(members=frozenset({"content", "source"})),),
}
BLOCKS: Final = MessageVocabulary(rules=_RULES)

ANTHROPIC: Final = Dialect(
    roles=dict.fromkeys(("system", "user", "assistant"), ()),
    parts={"content": BLOCKS},
    documents=(Documents("content", ("source",), kind="search_result"),),
    members=frozenset({"container", "context_management", "stop_details"}),
)
