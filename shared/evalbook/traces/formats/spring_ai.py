"""Spring AI spans: typed by `spring.ai.kind`."""

from typing import Final

from evalbook.traces.formats._format import Format
from evalbook.traces.formats._marks import FormatMark
from evalbook.traces.formats._spans.engine import read, read_one

FORMAT: Final = Format(
    name="spring_ai",
    title="Spring AI spans",
    tools="Spring AI, also with operation framework (before 2.0)",
    reads="tool calls, vector store queries",
    unread="arguments and documents that were not opted in to",
    setting="spring.ai.tools.observations.include-content=true; for documents ...log-query-response=true",
    family="spans",
    marks=(
        FormatMark(view="attributes", has=("spring.ai.kind",)),
        FormatMark(view="attributes", has=("spring.ai.tool.definition.name",)),
    ),
    read=read,
    read_one=read_one,
    rank=2,
)
