"""Spans of Strands Agents: arguments and results in events of the tool's span."""

import re
from typing import Final

from evalbook.traces.formats._format import Format
from evalbook.traces.formats._marks import FormatMark
from evalbook.traces.formats._spans.engine import read, read_one

FORMAT: Final = Format(
    name="strands",
    title="Strands Agents spans",
    tools="strands-agents for Python",
    reads="tool spans with their events, model spans with Converse blocks",
    unread="arguments where the events were not kept",
    setting="keep span events in the exporter and the collector",
    family="spans",
    marks=(
        FormatMark(view="attributes", equals={"scope.name": re.compile(r"strands\.telemetry.*")}),
        FormatMark(view="attributes", equals={"gen_ai.system": frozenset({"strands-agents"})}),
        FormatMark(view="attributes", equals={"gen_ai.provider.name": frozenset({"strands-agents"})}),
    ),
    read=read,
    read_one=read_one,
    rank=2,
)
