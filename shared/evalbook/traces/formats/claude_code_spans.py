"""Spans of Claude Code: a tool's span, and below it its wait for the user and its execution."""

import re
from typing import Final

from evalbook.traces.formats._format import Format
from evalbook.traces.formats._marks import FormatMark
from evalbook.traces.formats._spans.engine import read, read_one

FORMAT: Final = Format(
    name="claude_code_spans",
    title="Claude Code spans (beta)",
    tools="Claude Code, beta telemetry",
    reads="tool name, id, failure, refusal by the user",
    unread="arguments: spans hold no argument object",
    setting="none keeps whole arguments; read the transcript instead",
    family="spans",
    marks=(
        FormatMark(view="attributes", has=("claude_code.span",)),
        FormatMark(view="attributes", equals={"span.name": re.compile(r"claude_code\..+")}),
    ),
    read=read,
    read_one=read_one,
    rank=2,
)
