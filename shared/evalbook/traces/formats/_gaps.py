"""What a reader found and could not read: such a trace is incomplete, and no scorer may take it for the whole.

The rule: an item that may be a call and is not understood is a gap. A gap says where and why, and quotes nothing.
"""

import re
from collections.abc import Iterable
from typing import Final

from evalbook.jsonio.values import Json
from evalbook.traces.formats._parts import WireSpan

MAX_GAPS: Final = 100
"""So many gaps are listed; a last one then says that there are more."""

WireTrace = dict[str, Json]

_CALL_WORDS: Final = re.compile(
    r"tool|function|call(?!back|er)|invoke|invoc|execut|action|mcp|handoff|hand_off|transfer|retriev|search|command",
    re.IGNORECASE,
)
_PRINTED: Final = re.compile(
    r"""\b\w*(?:Tool|Function)\w*Call\w*\(|\bToolUse\w*\(|<\|?/?(?:tool|function)_?calls?\b|<invoke\b|\[TOOL_CALLS\]"""
    r"""|<function=|["'](?:type["']\s*:\s*["'])?(?:tool_use|tool_calls?|tool-call|toolUse|toolCalls?|function_call"""
    r"""|functionCall|function\.call)["']|\bPart\(\s*function_call""",
)


class Gaps:
    """The places of a document that may hold a call and were not understood."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], None] = {}

    def add(self, pointer: str, reason: str) -> None:
        """Note that the value at *pointer* was not read, and why: a reason quotes nothing of the document."""
        self._found[pointer, reason] = None

    def __bool__(self) -> bool:
        return bool(self._found)

    def wire(self) -> list[Json]:
        """The gaps as a wire trace's `incomplete` lists them, at most MAX_GAPS and one more."""
        listed: list[Json] = [{"pointer": pointer, "reason": reason} for pointer, reason in self._found]
        if len(listed) <= MAX_GAPS:
            return listed
        return [*listed[:MAX_GAPS], {"pointer": "", "reason": f"and {len(listed) - MAX_GAPS} more places"}]


def wire_trace(spans: Iterable[WireSpan], gaps: Gaps) -> WireTrace:
    """The wire trace of *spans*; with a gap it is `truncated` and lists them as `incomplete`."""
    trace: WireTrace = {"spans": list(spans)}
    return {**trace, "truncated": True, "incomplete": gaps.wire()} if gaps else trace


def may_be_call(name: str) -> bool:
    """Whether a kind, key or operation of this name may stand for a call, a handoff or a retrieval."""
    return _CALL_WORDS.search(name) is not None


def looks_like_printed_call(text: str) -> bool:
    """Whether *text* holds a call in the form that a program or a model prints one."""
    return _PRINTED.search(text) is not None


def key_pointer(pointer: str, key: str | int) -> str:
    """The JSON Pointer (RFC 6901) to the member or element *key* of the value at *pointer*."""
    return f"{pointer}/{str(key).replace('~', '~0').replace('/', '~1')}"
