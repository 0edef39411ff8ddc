"""The shapes in which messages hold calls and answers, of all APIs: told by their members, since they share names."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from evalbook.jsonio.values import Json
from evalbook.traces.formats._parts import WireSpan, arguments_of
from evalbook.traces.formats._spans.record import id_of, name_of, structure_of

_CALL_TYPES: Final = frozenset({
    "tool_call", "tool_use", "server_tool_use", "mcp_tool_use", "server_tool_call", "tool-call", "function_call",
    "custom_tool_call", "mcp_call", "function", "tool_calls", "tool_use_block",
})  # fmt: skip
_ANSWER_TYPES: Final = frozenset({
    "tool_call_response", "tool_result", "tool-result", "server_tool_call_response", "function_call_output",
    "custom_tool_call_output", "mcp_tool_result", "tool_call_output", "function_response",
})  # fmt: skip
_PROVIDER: Final = frozenset({"server_tool_use", "mcp_tool_use", "server_tool_call", "mcp_call"})
_HOSTED: Final = frozenset({
    "web_search_call", "file_search_call", "code_interpreter_call", "image_generation_call", "computer_call",
    "local_shell_call", "shell_call", "apply_patch_call", "tool_search_call",
})  # fmt: skip
_NON_CALLS: Final = frozenset({
    "tool", "function", "tool_call_chunk", "invalid_tool_call", "tool_approval_request", "tool_approval_response",
    "tool-approval-request", "tool-approval-response", "mcp_list_tools", "mcp_approval_request",
    "mcp_approval_response", "additional_tools", "search_result", "search_result_location", "tool_reference",
    "web_search_result", "function_call_arguments", "custom",
})  # fmt: skip
_CALL_IDS: Final = ("call_id", "tool_call_id", "toolCallId", "tool_use_id", "toolUseId", "id")
_ANSWER_IDS: Final = ("tool_call_id", "tool_use_id", "toolUseId", "toolCallId", "call_id", "id")
_WRAPPERS: Final = ("functionCall", "function_call", "toolUse", "tool_call")
_NAMES: Final = ("name", "tool_name", "toolName")
_ARGUMENTS: Final = ("arguments", "args", "input")


@dataclass(slots=True)
class Asked:
    """A call that a message asks for, and what became of it."""

    name: str
    call_id: str | None
    arguments: WireSpan
    pointer: str
    message: int
    is_provider: bool = False
    answered: bool = False
    denied: bool = False
    failed: bool = False
    is_new: bool = False


@dataclass(slots=True)
class Answered:
    """An answer to a call: by its id, else by the tool's name, else to the oldest that is open."""

    call_id: str | None
    name: str | None
    pointer: str
    failed: bool = False
    denied: bool = False


@dataclass(slots=True)
class Heard:
    """What a list of messages holds, in order."""

    entries: list[Asked | Answered] = field(default_factory=list)


def asked_in(node: Mapping[str, Json], key: str | None, pointer: str, message: int) -> Asked | None:
    """The call that *node* is, as a part, block, item or element of a list under *key*; None where it is none."""
    wrapped = next(
        (node[one] for one in ("functionCall", "function_call", "toolUse", "tool_call") if one in node), None
    )
    if type(wrapped) is dict and not (node.get("type") and name_of(node.get("name"))):
        return _asked(wrapped, node, pointer, message)
    if name := name_of(node.get("function_call_name")):
        # How OpenInference flattens a function call of before tools.
        arguments = arguments_of(node.get("function_call_arguments_json"))
        return Asked(name, None, arguments, pointer, message)
    kind = kind_of_part(node)
    if kind in _HOSTED:
        name, call_id = kind.removesuffix("_call"), _id(node, _CALL_IDS)
        return Asked(name, call_id, {}, pointer, message, is_provider=True, answered=True)
    is_listed = key in ("tool_calls", "toolCalls", "function_calls", "requested_calls") and kind in (None, *_CALL_TYPES)
    is_typed = kind in _CALL_TYPES and kind not in ("function", "tool_calls")
    is_bare = kind is None and "toolCallId" in node and "toolName" in node and ("input" in node or "args" in node)
    function = node.get("function")
    # A definition has parameters where a call has arguments.
    is_typed = is_typed or (kind == "function" and type(function) is dict and "arguments" in function)
    if kind == "builtin-tool-call" or is_listed or is_typed or is_bare:
        return _asked(node, node, pointer, message)
    return None


def _asked(inner: Mapping[str, Json], outer: Mapping[str, Json], pointer: str, message: int) -> Asked | None:
    function = inner.get("function", inner.get("custom"))
    named = function if type(function) is dict else inner
    name = next((found for one in _NAMES if (found := name_of(named.get(one)))), None)
    if name is None:
        return None
    kind = kind_of_part(outer)
    is_provider = kind in _PROVIDER or kind == "builtin-tool-call" or outer.get("providerExecuted") is True
    held = next((named[one] for one in _ARGUMENTS if named.get(one) is not None), None)
    free = kind == "custom_tool_call" or "custom" in inner
    fields: WireSpan = {} if held is None else {"arguments_invalid": True} if free else arguments_of(held)
    return Asked(name, _id(inner, _CALL_IDS) or _id(outer, _CALL_IDS), fields, pointer, message, is_provider)


def answer_in(node: Mapping[str, Json], pointer: str) -> Answered | None:
    """The answer that *node* is, as a part, block, item or message; None where it is none."""
    for name in ("functionResponse", "function_response", "toolResult"):
        if type(node.get(name)) is dict:
            return _answer(node[name], pointer)
    kind, role = kind_of_part(node), node.get("role")
    is_named = kind is not None and (kind in _ANSWER_TYPES or kind.endswith("_tool_result"))
    if is_named or kind in ("tool-return", "builtin-tool-return", "retry-prompt"):
        return _answer(node, pointer)
    is_message = role in ("tool", "function") or kind in ("tool", "ToolMessage")
    # A message of role tool may hold its answers, or even calls, as parts; some list the tools there are as messages.
    is_other = _has_parts(node) or _is_definition(node.get("content"))
    return _answer(node, pointer) if is_message and not is_other else None


def _has_parts(node: Mapping[str, Json], depth: int = 0) -> bool:
    """Whether a message's parts are answers or calls themselves, also where its content wraps them once more."""
    for name in ("parts", "content", "contents", "message"):
        parts = structure_of(node.get(name))
        if type(parts) is dict and depth == 0 and _has_parts(parts, 1):
            return True
        for one in parts if type(parts) is list else ():
            if type(one) is dict and (answer_in({**one, "role": None}, "") or asked_in(one, name, "", 0)):
                return True
    return False


def _is_definition(content: Json) -> bool:
    function = content.get("function") if type(content) is dict else None
    return type(function) is dict and "arguments" not in function


def _answer(node: Mapping[str, Json], pointer: str) -> Answered:
    output = node.get("output")
    ends = output.get("type") if type(output) is dict else None
    failed = (
        node.get("is_error") is True
        or node.get("isError") is True
        or node.get("status") == "error"
        or node.get("outcome") == "failed"
        or node.get("part_kind") == "retry-prompt"
        or ends in ("error-text", "error-json")
        or _is_error_block(node.get("content"))
    )
    denied = ends == "execution-denied" or node.get("outcome") == "denied"
    name = next((found for one in _NAMES if (found := name_of(node.get(one)))), None)
    return Answered(_id(node, _ANSWER_IDS), name, pointer, failed, denied)


def _is_error_block(content: Json) -> bool:
    return type(content) is dict and str(content.get("type", "")).endswith("_tool_result_error")


def _id(node: Mapping[str, Json], names: tuple[str, ...]) -> str | None:
    return next((found.strip() for one in names if (found := id_of(node.get(one)))), None)


def kind_of_part(node: Mapping[str, Json]) -> str | None:
    """The type that *node* names, None where it names none."""
    return name_of(node.get("type", node.get("part_kind")))


def is_nameless_call(node: Mapping[str, Json]) -> bool:
    """Whether *node*, which could not be read as a call, is of a call's type or holds one."""
    kind = kind_of_part(node)
    return (kind in _CALL_TYPES and kind not in ("function", "tool_calls")) or any(
        type(node.get(one)) is dict and node[one] for one in _WRAPPERS
    )


def is_known_type(kind: str) -> bool:
    """Whether a part of this type is read, or known to be no call, though its name sounds like one."""
    return kind in _NON_CALLS or kind in _CALL_TYPES or kind in _ANSWER_TYPES or kind in _HOSTED
