"""Spans of the Google Agent Development Kit: `gcp.vertex.agent.*`."""

from typing import Final

from evalbook.traces.formats._format import Format
from evalbook.traces.formats._marks import FormatMark
from evalbook.traces.formats._spans.engine import read, read_one

FORMAT: Final = Format(
    name="adk_spans",
    title="Google ADK spans",
    tools="google-adk, also 2.5",
    reads="tool spans, calls in the model's request and response, agents",
    unread="arguments where both they and the response are written {}: capture is off",
    setting="ADK_CAPTURE_MESSAGE_CONTENT_IN_SPANS=true",
    family="spans",
    marks=(
        FormatMark(view="attributes", has=("gcp.vertex.agent.tool_call_args",)),
        FormatMark(view="attributes", has=("gcp.vertex.agent.llm_request",)),
        FormatMark(view="attributes", has=("gcp.vertex.agent.event_id",)),
        FormatMark(view="attributes", equals={"scope.name": frozenset({"gcp.vertex.agent"})}),
    ),
    read=read,
    read_one=read_one,
    rank=2,
)
