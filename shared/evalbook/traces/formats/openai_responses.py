"""Items of the OpenAI Responses API: calls and their outputs by `call_id`, built-in tools named by their type."""

import re
from typing import Final

from evalbook.traces.formats._chat import CONTENT
from evalbook.traces.formats._format import Format
from evalbook.traces.formats._marks import FormatMark
from evalbook.traces.formats._messages import reader
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

_STATUS: Final = (
    Ending("status", End.OK, frozenset({"completed"})),
    Ending("status", End.FAILED, frozenset({"failed"})),
    Ending("status", End.UNKNOWN, frozenset({"*"})),
)
_OUTPUT: Final = Answer(
    call_id=("call_id",),
    name=(),
    endings=(Ending("status", End.FAILED, frozenset({"failed"})),),
    members=frozenset(
        {"id", "output", "status", "acknowledged_safety_checks", "max_output_length", "tools", "execution"}
    ),
)
_BY_CLIENT: Final = frozenset(
    {"id", "status", "action", "actions", "operation", "environment", "execution", "max_output_length", "created_by"}
    | {"pending_safety_checks", "timeout_ms", "namespace"}
)


def _hosted(name: str, *members: str, documents: tuple[Documents, ...] = ()) -> tuple[MessageCall]:
    """A tool that the service runs itself: the item is its own answer."""
    known = frozenset({*members, "id", "created_by"})
    return (
        MessageCall(
            named=name, name=(), arguments=(), ends=End.RAN, endings=_STATUS, documents=documents, members=known
        ),
    )


def _client(name: str) -> tuple[MessageCall]:
    """A built-in tool that the client runs and answers."""
    return (MessageCall(named=name, name=(), arguments=(), call_id=("call_id",), members=_BY_CLIENT),)


_MCP_ARGUMENTS: Final = frozenset({"server_label", "server_url", "connector_id"})
_RULES: Final[dict[str, tuple[Rule, ...]]] = {
    "function_call": (MessageCall(call_id=("call_id",), members=frozenset({"id", "namespace", "created_by"})),),
    "custom_tool_call": (
        MessageCall(arguments=("input",), free_text=True, call_id=("call_id",), members=frozenset({"id", "namespace"})),
    ),
    "web_search_call": _hosted("web_search", "action", "queries", "results"),
    "file_search_call": _hosted(
        "file_search", "queries", "results", documents=(Documents("results", ("file_id",)),)
    ),
    "code_interpreter_call": _hosted("code_interpreter", "code", "container_id", "outputs"),
    "image_generation_call": _hosted(
        "image_generation", "result", "action", "background", "output_format", "quality", "revised_prompt", "size"
    ),
    "computer_call": _client("computer"),
    "local_shell_call": _client("local_shell"),
    "shell_call": _client("shell"),
    "apply_patch_call": _client("apply_patch"),
    "tool_search_call": (
        MessageCall(
            named="tool_search",
            name=(),
            call_id=("call_id", "id"),
            endings=(Ending("execution", End.RAN, frozenset({"server"})),),
            members=_BY_CLIENT,
        ),
    ),
    "tool_search_output": (_OUTPUT,),
    "mcp_call": (
        MessageCall(
            call_id=("approval_request_id", "id"),
            joins=True,
            ends=End.RAN,
            endings=(Ending("error", End.FAILED), *_STATUS),
            members=_MCP_ARGUMENTS | {"output", "approval_request_id"},
        ),
    ),
    "mcp_approval_request": (MessageCall(ends=End.NOT_RUN, members=_MCP_ARGUMENTS),),
    **dict.fromkeys(
        ("function_call_output", "custom_tool_call_output", "computer_call_output", "local_shell_call_output",
         "shell_call_output", "apply_patch_call_output"),
        (_OUTPUT,),
    ),
    "reasoning": (Speech(members=frozenset({"summary", "content", "encrypted_content"})),),
    **speech("compaction", "compaction_summary"),
    **dict.fromkeys(
        ("mcp_list_tools", "additional_tools", "mcp_approval_response"), (Speech(members=frozenset({"tools"})),)
    ),
}  # fmt: skip
_DIALECT: Final = Dialect(
    containers=("input", "output", "items"),
    items=MessageVocabulary(rules=_RULES),
    roles=dict.fromkeys(("system", "developer", "user", "assistant"), ()),
    parts={"content": CONTENT},
    around=frozenset({"prompt", "output_text", "max_output_tokens", "background", "billing"}),
)


FORMAT: Final = Format(
    name="openai_responses",
    title="OpenAI Responses items and responses",
    tools="openai for Python, response items of 2026",
    reads="function, custom and MCP calls; built-in tools by the name of their type;"
    " `file_search` results as documents; approval requests as calls that did not run",
    unread="arguments of built-in tools; `program` items and types that are not listed (incomplete)",
    setting='file search: `include=["file_search_call.results"]`',
    family="messages",
    marks=(
        FormatMark(view="item", equals={"type": frozenset({"function_call"})}, has=("call_id",), lacks=("role",)),
        FormatMark(
            view="item", equals={"type": re.compile("(?!function_call$)[a-z_]+_call(_output)?")}, lacks=("event_id",)
        ),
        FormatMark(view="item", equals={"type": frozenset({"mcp_list_tools", "mcp_approval_request", "reasoning"})}),
        FormatMark(view="item", equals={"type": frozenset({"function_call_output", "tool_search_output"})}),
        FormatMark(view="document", equals={"object": frozenset({"response"})}),
        FormatMark(view="part", equals={"type": frozenset({"output_text", "input_text"})}),
    ),
    read=reader(_DIALECT),
    rank=3,
)
