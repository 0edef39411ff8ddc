"""Spans of AWS' distribution of OpenTelemetry."""

from typing import Final

from evalbook.traces.formats._format import Format
from evalbook.traces.formats._marks import FormatMark
from evalbook.traces.formats._spans.engine import read, read_one

FORMAT: Final = Format(
    name="adot_spans",
    title="AWS Distro for OpenTelemetry spans",
    tools="aws-opentelemetry-distro for Python",
    reads="what is left on the spans, and bodies of log records in span_events",
    unread="arguments that the distribution moved into log records",
    setting="read spans and log records in one document",
    family="spans",
    marks=(
        FormatMark(view="attributes", has=("aws.genai.span_kind",)),
        FormatMark(view="event", has=("body",)),
    ),
    read=read,
    read_one=read_one,
    rank=2,
)
