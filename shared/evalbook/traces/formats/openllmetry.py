"""OpenLLMetry spans (Traceloop): typed by `traceloop.span.kind`, older model spans by numbered prompts."""

from typing import Final

from evalbook.traces.formats._format import Format
from evalbook.traces.formats._marks import Mark
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
        Mark(view="attributes", has=("traceloop.span.kind",)),
        Mark(view="attributes", has=("traceloop.entity.name",)),
        Mark(view="attributes", has=("llm.request.type",)),
        Mark(view="attributes", has=("gen_ai.completion.0.role",)),
        Mark(view="attributes", has=("gen_ai.prompt.0.role",)),
    ),
    read=read,
    read_one=read_one,
    rank=2,
)
