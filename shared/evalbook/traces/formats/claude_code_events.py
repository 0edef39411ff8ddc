"""Events of Claude Code as log records: results of tools, and decisions about them."""

import re
from typing import Final

from evalbook.traces.formats._format import Format
from evalbook.traces.formats._marks import FormatMark
from evalbook.traces.formats._spans.engine import read, read_one

_NAMES: Final = re.compile(r"(?:claude_code\.)?tool_(?:result|decision)|claude_code\.[a-z_]+")

FORMAT: Final = Format(
    name="claude_code_events",
    title="Claude Code events",
    tools="Claude Code, beta telemetry",
    reads="tool_result and tool_decision events",
    unread="arguments without the detail setting",
    setting="OTEL_LOG_TOOL_DETAILS=1",
    family="spans",
    marks=(
        FormatMark(view="attributes", equals={"event.name": _NAMES}),
        FormatMark(view="span", equals={"body": _NAMES}),
        FormatMark(view="span", equals={"eventName": _NAMES}),
    ),
    read=read,
    read_one=read_one,
    rank=2,
)
