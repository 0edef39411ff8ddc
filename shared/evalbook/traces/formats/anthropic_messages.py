"""Anthropic messages: `tool_use` blocks, answered by `tool_result` blocks; and the documents in search results."""

import re
from typing import Final

from evalbook.traces.formats._anthropic import ANTHROPIC
from evalbook.traces.formats._format import Format
from evalbook.traces.formats._marks import FormatMark
from evalbook.traces.formats._messages import reader

FORMAT: Final = Format(
    name="anthropic_messages",
    title="Anthropic messages, Claude Agent SDK messages",
    tools="the Messages API of 2026, anthropic for Python",
    reads="client, server and MCP tools, `is_error` and error contents, search results as documents",
    unread="blocks that are not listed (incomplete)",
    setting="",
    family="messages",
    marks=(
        FormatMark(view="part", equals={"type": frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})}),
        FormatMark(view="part", equals={"type": re.compile("([a-z_]+_)?tool_result")}, has=("tool_use_id",)),
        FormatMark(view="part", equals={"type": frozenset({"search_result", "redacted_thinking"})}),
        FormatMark(view="item", equals={"role": frozenset({"assistant"})}, has=("stop_reason", "content")),
        FormatMark(view="item", equals={"role": frozenset({"user", "assistant"})}, has=("content",), weak=True),
        FormatMark(view="document", has=("messages",), weak=True),
    ),
    read=reader(ANTHROPIC),
    rank=3,
)
