"""MLflow traces: spans typed by `mlflow.spanType`, every attribute a JSON text."""

from typing import Final

from evalbook.traces.formats._format import Format
from evalbook.traces.formats._marks import FormatMark
from evalbook.traces.formats._spans.engine import read, read_one

FORMAT: Final = Format(
    name="mlflow",
    title="MLflow traces",
    tools="MLflow, spans of before and since OTLP ids",
    reads="spans of type TOOL, RETRIEVER, AGENT, LLM",
    unread="a span without a type leaves the trace incomplete",
    setting="no span processor that removes inputs",
    family="spans",
    marks=(
        FormatMark(view="attributes", has=("mlflow.spanType",)),
        FormatMark(view="attributes", has=("mlflow.traceRequestId",)),
    ),
    read=read,
    read_one=read_one,
    rank=3,
)
