"""Langfuse: observations of an exported trace, and spans with `langfuse.observation.type`."""

from typing import Final

from evalbook.traces.formats._format import Format
from evalbook.traces.formats._marks import FormatMark
from evalbook.traces.formats._spans.engine import read, read_one

FORMAT: Final = Format(
    name="langfuse",
    title="Langfuse observations and spans",
    tools="Langfuse, with imports over OpenTelemetry",
    reads="TOOL, RETRIEVER, AGENT and GENERATION observations; tools among imported spans by their attributes",
    unread="calls whose names are not beside them",
    setting="no masking function over inputs and outputs",
    family="spans",
    marks=(
        FormatMark(view="span", has=("traceId", "type", "level")),
        FormatMark(view="span", has=("traceId", "type", "startTime"), lacks=("spanId",)),
        FormatMark(view="document", has=("observations",)),
        FormatMark(view="attributes", has=("langfuse.observation.type",)),
    ),
    read=read,
    read_one=read_one,
    rank=3,
)
