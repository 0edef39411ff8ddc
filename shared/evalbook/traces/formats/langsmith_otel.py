"""Spans that LangSmith exports over OpenTelemetry."""

from typing import Final

from evalbook.traces.formats._format import Format
from evalbook.traces.formats._marks import FormatMark
from evalbook.traces.formats._spans.engine import read, read_one

FORMAT: Final = Format(
    name="langsmith_otel",
    title="LangSmith spans over OpenTelemetry",
    tools="the LangSmith SDK",
    reads="tools, retrievers, models, by `langsmith.span.kind`",
    unread="inputs that are only printed",
    setting="LANGSMITH_HIDE_INPUTS and LANGSMITH_HIDE_OUTPUTS unset or false",
    family="spans",
    marks=(
        FormatMark(view="attributes", has=("langsmith.span.kind",)),
        FormatMark(view="attributes", has=("langsmith.trace.name",)),
    ),
    read=read,
    read_one=read_one,
    rank=3,
)
