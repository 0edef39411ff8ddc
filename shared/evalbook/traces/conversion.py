"""A case's trace that is handed over as another tool recorded it: `{"format", "document", "trace_id"?}`."""

from typing import Final

from evalbook.domain.errors import Refused
from evalbook.jsonio.values import Json, kind_of
from evalbook.traces.formats.catalog import AUTO, read_document

DOCUMENT: Final = "document"

_MAX_PROBLEMS: Final = 3


class NotConverted(Refused):
    """The document cannot be converted; `str` says why in one sentence, and quotes nothing of it."""

    def __str__(self) -> str:
        """Say what the first few problems are."""
        shown = [f"{problem.pointer} {problem.message}".strip() for problem in self.problems[:_MAX_PROBLEMS]]
        more = len(self.problems) - len(shown)
        return f"The trace's document is refused: {'; '.join(shown)}{f'; and {more} more problems' if more else ''}."


def is_recorded(trace: Json) -> bool:
    """Whether *trace* is handed over in a form of another tool."""
    return type(trace) is dict and DOCUMENT in trace


def convert(trace: dict[str, Json]) -> dict[str, Json]:
    """The wire trace of the document that *trace* hands over; `truncated` and `captured` beside it stay.

    Raises:
        NotConverted: The document is refused.
        ValueError: A member beside the document is wrong; the message names it.
    """
    if trace.get("spans") is not None:
        raise ValueError("The trace has spans and a document: send one of them.")
    name, trace_id = trace.get("format", AUTO), trace.get("trace_id")
    if type(name) is not str:
        raise ValueError(f"The trace's format is {kind_of(name)}, not a string.")
    if type(trace_id) not in (str, type(None)):
        raise ValueError(f"The trace's trace_id is {kind_of(trace_id)}, not a string.")
    try:
        converted = read_document(trace[DOCUMENT], name, trace_id)
    except Refused as refused:
        raise NotConverted(refused.problems) from None
    kept = {member: trace[member] for member in ("captured", "truncated") if trace.get(member) is not None}
    return {**kept, **converted}
