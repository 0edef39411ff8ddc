"""Log records of AWS' distribution of OpenTelemetry: the messages that it takes off the spans."""

from typing import Final

from evalbook.traces.formats._format import Format
from evalbook.traces.formats._marks import FormatMark
from evalbook.traces.formats._spans.engine import read, read_one

FORMAT: Final = Format(
    name="adot_logs",
    title="AWS Distro for OpenTelemetry log records",
    tools="aws-opentelemetry-distro for Python",
    reads="messages of LangChain and of Converse as JSON texts in the records' content",
    unread="a tool's input, which is a printed Python value",
    family="spans",
    marks=(
        FormatMark(view="span", has=("body", "spanId")),
        FormatMark(view="span", has=("body", "span_id")),
    ),
    read=read,
    read_one=read_one,
    rank=1,
)
