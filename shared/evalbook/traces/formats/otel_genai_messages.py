"""OpenTelemetry GenAI spans whose calls stand only in the messages of model and agent spans."""

from typing import Final

from evalbook.traces.formats._format import Format
from evalbook.traces.formats._marks import FormatMark
from evalbook.traces.formats._spans.engine import read, read_one

FORMAT: Final = Format(
    name="otel_genai_messages",
    title="OpenTelemetry GenAI messages on spans",
    tools="semantic conventions 1.37 and later",
    reads="parts tool_call, tool_call_response, server_tool_call, in attributes or in the details event",
    unread="a call that no span or answer shows leaves the trace incomplete",
    setting="OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=span_only, event_only or span_and_event",
    family="spans",
    marks=(
        FormatMark(view="attributes", has=("gen_ai.output.messages",)),
        FormatMark(view="attributes", has=("gen_ai.input.messages",)),
        FormatMark(view="event", equals={"name": frozenset({"gen_ai.client.inference.operation.details"})}),
    ),
    read=read,
    read_one=read_one,
    rank=1,
)
