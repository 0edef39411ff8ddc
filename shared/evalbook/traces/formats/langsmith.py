"""Runs of LangSmith: a tree in `child_runs`, or a flat list."""

from typing import Final

from evalbook.traces.formats._format import Format
from evalbook.traces.formats._marks import FormatMark
from evalbook.traces.formats._spans.engine import read, read_one

FORMAT: Final = Format(
    name="langsmith",
    title="LangSmith runs",
    tools="the LangSmith SDK",
    reads="runs of type tool, retriever and llm; order by dotted_order",
    unread="inputs that are only printed",
    setting="LANGSMITH_HIDE_INPUTS and LANGSMITH_HIDE_OUTPUTS unset or false",
    family="spans",
    marks=(
        FormatMark(view="span", has=("run_type",)),
        FormatMark(view="span", has=("dotted_order", "inputs")),
    ),
    read=read,
    read_one=read_one,
    rank=3,
)
