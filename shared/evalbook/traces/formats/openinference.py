"""OpenInference spans (Phoenix, Arize): typed by `openinference.span.kind`, everything else in flattened attributes."""

import re
from typing import Final

from evalbook.traces.formats._format import Format
from evalbook.traces.formats._marks import FormatMark
from evalbook.traces.formats._spans.engine import read, read_one

FORMAT: Final = Format(
    name="openinference",
    title="OpenInference spans",
    tools="instrumentors of LangChain, smolagents, OpenAI Agents, Claude Agent SDK, Google ADK",
    reads="TOOL, RETRIEVER, AGENT and LLM spans, calls in flattened messages",
    unread="arguments that are hidden, printed Python values or a definition of the tool",
    setting="OPENINFERENCE_HIDE_INPUTS and OPENINFERENCE_HIDE_OUTPUTS unset or false",
    family="spans",
    marks=(
        FormatMark(view="span", equals={"span_kind": frozenset({"TOOL", "RETRIEVER", "AGENT", "LLM", "CHAIN"})}),
        FormatMark(view="attributes", has=("openinference.span.kind",)),
        FormatMark(
            view="attributes",
            equals={"scope.name": re.compile(r"(?:openinference\.instrumentation|@arizeai/openinference).*")},
        ),
    ),
    read=read,
    read_one=read_one,
    rank=1,
)
