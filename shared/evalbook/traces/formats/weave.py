"""Calls of W&B Weave: every traced function is an op."""

from typing import Final

from evalbook.traces.formats._format import Format
from evalbook.traces.formats._marks import FormatMark
from evalbook.traces.formats._spans.engine import read, read_one

FORMAT: Final = Format(
    name="weave",
    title="W&B Weave calls",
    tools="the call schema of Weave",
    reads="ops that a model asked for by name or that have a recorded kind",
    unread="any other traced function may be a tool and leaves the trace incomplete",
    setting="no redaction of inputs",
    family="spans",
    marks=(FormatMark(view="span", has=("op_name",)),),
    read=read,
    read_one=read_one,
    rank=3,
)
