"""OpenTelemetry spans with the GenAI semantic conventions: spans of tools, models, retrievals and agents, and MCP."""

import re
from typing import Final

from evalbook.traces.formats._format import Format
from evalbook.traces.formats._marks import FormatMark
from evalbook.traces.formats._spans.engine import read, read_one

FORMAT: Final = Format(
    name="otel_genai",
    title="OpenTelemetry GenAI spans",
    tools="conventions 1.37 and later, AutoGen, Agent Framework, AI SDK 7, MCP, Koog, LiveKit, Genkit, CrewAI spans",
    reads="tool spans, retrievals, agents, handoffs; also calls in messages and events of model spans",
    unread="what a vendor's own attributes record",
    setting="opt in to gen_ai.tool.call.arguments, .result and gen_ai.retrieval.documents",
    family="spans",
    marks=(
        FormatMark(view="attributes", has=("genkit:metadata:subtype",)),
        FormatMark(view="attributes", has=("flue.tool.name",)),
        FormatMark(view="attributes", equals={"scope.name": re.compile(r"livekit-agents|crewAI.*")}),
        FormatMark(view="attributes", has=("gen_ai.operation.name",)),
        FormatMark(view="attributes", has=("gen_ai.tool.name",)),
        FormatMark(view="attributes", has=("gen_ai.tool.call.id",)),
        FormatMark(view="attributes", has=("mcp.method.name",)),
        FormatMark(view="attributes", equals={"span.name": re.compile(r"(?:execute_tool|tools/call) .+")}),
    ),
    read=read,
    read_one=read_one,
)
