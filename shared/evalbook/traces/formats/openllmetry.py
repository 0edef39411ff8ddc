"""OpenLLMetry spans (Traceloop): typed by `traceloop.span.kind`, older model spans by numbered prompts."""

from typing import Final

from evalbook.traces.formats._format import Format
from evalbook.traces.formats._marks import FormatMark
from evalbook.traces.formats._spans.engine import read, read_one

FORMAT: Final = Format(
    name="openllmetry",
    title="OpenLLMetry (Traceloop) spans",
    tools="OpenLLMetry, with GenAI names and with the numbered attributes before",
    reads="tool, agent and handoff spans, numbered prompts and completions, retrieved documents",
    unread="positional arguments of decorated functions; inputs that are only printed",
    setting="TRACELOOP_TRACE_CONTENT=true",
    family="spans",
    marks=(
        FormatMark(view="attributes", has=("traceloop.span.kind",)),
        FormatMark(view="attributes", has=("traceloop.entity.name",)),
        FormatMark(view="attributes", has=("llm.request.type",)),
        FormatMark(view="attributes", has=("gen_ai.completion.0.role",)),
        FormatMark(view="attributes", has=("gen_ai.prompt.0.role",)),
    ),
    read=read,
    read_one=read_one,
    rank=2,
)
