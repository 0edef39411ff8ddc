"""The document ids that a trace records as retrieved."""

from dataclasses import dataclass

from evalbook.domain.case import Case
from evalbook.domain.outcome import Code, EarlyOutcome, unsupported
from evalbook.domain.span import Span, SpanKind
from evalbook.jsonio.values import ABSENT
from evalbook.traces.wire import read_trace


@dataclass(frozen=True, slots=True)
class RetrievedIds:
    """Distinct document ids in order of first appearance, and how many retrieval spans they come from."""

    ids: tuple[str, ...]
    spans: int

    def __str__(self) -> str:
        return f"{len(self.ids)} distinct document ids from {self.spans} retrieval spans of the trace"


def retrieved(case: Case) -> RetrievedIds:
    """Return the ids of the documents that the retrievals of *case* returned, spans in start order, documents by rank.

    Raises:
        Undecided: The trace cannot be read, or an id in it was not recorded (DOCUMENTS_UNAVAILABLE).
    """
    spans = [span for span in read_trace(case).spans if span.kind is SpanKind.RETRIEVAL and span.executed]
    ids = dict.fromkeys(found for span in spans for found in _ids(span))
    return RetrievedIds(tuple(ids), len(spans))


def _ids(span: Span) -> list[str]:
    if span.documents is ABSENT:
        raise EarlyOutcome(unsupported(Code.DOCUMENTS_UNAVAILABLE, "A retrieval's documents were not kept."))
    ids = [document.id for document in span.documents if document.id is not None]
    if len(ids) < len(span.documents):
        message = f"{len(span.documents) - len(ids)} of {len(span.documents)} documents of a retrieval have no id."
        raise EarlyOutcome(unsupported(Code.DOCUMENTS_UNAVAILABLE, message))
    return ids
