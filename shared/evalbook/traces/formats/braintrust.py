"""Braintrust spans: typed by `span_attributes.type`."""

from typing import Final

from evalbook.traces.formats._format import Format
from evalbook.traces.formats._marks import FormatMark
from evalbook.traces.formats._spans.engine import read, read_one

FORMAT: Final = Format(
    name="braintrust",
    title="Braintrust spans",
    tools="the Braintrust SDK, its OpenAI Agents integration",
    reads="spans of type tool and llm, handoffs of the agents integration",
    unread="traced functions, which may be tools, leave the trace incomplete",
    setting="no masking function",
    family="spans",
    marks=(
        FormatMark(view="span", has=("span_attributes", "root_span_id")),
        FormatMark(view="span", has=("span_attributes", "span_id")),
    ),
    read=read,
    read_one=read_one,
    rank=3,
)
