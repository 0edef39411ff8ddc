"""OpenTelemetry GenAI events of the conventions up to 1.36: one event or log record a message."""

import re
from typing import Final

from evalbook.traces.formats._format import Format
from evalbook.traces.formats._marks import FormatMark
from evalbook.traces.formats._spans.engine import read, read_one

_NAMES: Final = re.compile(r"gen_ai\.(?:system|user|assistant|tool)\.message|gen_ai\.choice")

FORMAT: Final = Format(
    name="otel_genai_events",
    title="OpenTelemetry GenAI events up to 1.36",
    tools="semantic conventions up to 1.36 (the default of many instrumentations)",
    reads="span events and log records gen_ai.*.message and gen_ai.choice",
    unread="calls whose names were dropped with the content",
    setting="OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true",
    family="spans",
    marks=(
        FormatMark(view="event", equals={"name": _NAMES}),
        FormatMark(view="attributes", equals={"event.name": _NAMES}),
        FormatMark(view="span", equals={"eventName": _NAMES}),
        FormatMark(view="span", equals={"event_name": _NAMES}),
    ),
    read=read,
    read_one=read_one,
    rank=1,
)
