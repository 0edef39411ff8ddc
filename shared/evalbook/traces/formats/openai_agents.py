"""The trace export of the OpenAI Agents SDK: `trace` and `trace.span` objects."""

from typing import Final

from evalbook.traces.formats._format import Format
from evalbook.traces.formats._marks import FormatMark
from evalbook.traces.formats._spans.engine import read, read_one

FORMAT: Final = Format(
    name="openai_agents",
    title="OpenAI Agents trace export",
    tools="the OpenAI Agents SDK",
    reads="functions, handoffs, agents, generations",
    unread="tools that OpenAI runs leave no span: an agent with one leaves the trace incomplete",
    setting="RunConfig(trace_include_sensitive_data=True)",
    family="spans",
    marks=(
        FormatMark(view="span", has=("span_data",)),
        FormatMark(view="item", has=("span_data",)),
    ),
    read=read,
    read_one=read_one,
    rank=3,
)
