"""Spans of the AI SDK up to 6: `ai.toolCall` and the model's `ai.response.toolCalls`."""

import re
from typing import Final

from evalbook.traces.formats._format import Format
from evalbook.traces.formats._marks import FormatMark
from evalbook.traces.formats._spans.engine import read, read_one

FORMAT: Final = Format(
    name="ai_sdk_spans",
    title="AI SDK spans",
    tools="AI SDK up to 6; version 7 writes OpenTelemetry GenAI spans",
    reads="ai.toolCall spans, calls that the model asked for, the prompt's messages",
    unread="tools that the provider ran and no message answers",
    setting="experimental_telemetry: isEnabled, recordInputs and recordOutputs true",
    family="spans",
    marks=(
        FormatMark(view="attributes", has=("ai.operationId",)),
        FormatMark(view="attributes", has=("ai.toolCall.name",)),
        FormatMark(view="attributes", equals={"operation.name": re.compile(r"ai\..+")}),
    ),
    read=read,
    read_one=read_one,
    rank=2,
)
