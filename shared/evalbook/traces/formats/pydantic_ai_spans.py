"""Spans of Pydantic AI and Logfire."""

import re
from typing import Final

from evalbook.traces.formats._format import Format
from evalbook.traces.formats._marks import FormatMark
from evalbook.traces.formats._spans.engine import read, read_one

FORMAT: Final = Format(
    name="pydantic_ai_spans",
    title="Pydantic AI spans (Logfire)",
    tools="pydantic-ai instrumentation versions 2 to 5",
    reads="tool spans, deferred and invalid calls, all messages of an agent's run",
    unread="arguments with include_content=False",
    setting="InstrumentationSettings(include_content=True)",
    family="spans",
    marks=(
        FormatMark(view="attributes", equals={"scope.name": re.compile(r"pydantic-ai.*")}),
        FormatMark(view="attributes", has=("pydantic_ai.all_messages",)),
        FormatMark(view="attributes", has=("tool_arguments",)),
    ),
    read=read,
    read_one=read_one,
    rank=2,
)
