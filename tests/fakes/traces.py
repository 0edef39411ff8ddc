"""The traces component in memory."""

from dataclasses import dataclass, field

from evalbook.traces.port import Content, ContentStatus, TraceUnreadable

NOT_KEPT = Content(ContentStatus.NOT_KEPT)
FORBIDDEN = Content(ContentStatus.FORBIDDEN)


@dataclass
class MemoryTraces:
    """Stored traces by key: their wire members and their content by field, or `TraceUnreadable` for either."""

    stored: dict = field(default_factory=dict)
    kept: dict = field(default_factory=dict)
    asked: list = field(default_factory=list)

    def spans(self, trace):
        """The stored trace's members."""
        self.asked.append(("spans", trace))
        return self._known(self.stored, trace)

    def contents(self, trace, purpose, fields):
        """The content of *fields*, not kept where it was not put in."""
        self.asked.append(("contents", trace, purpose, tuple(fields)))
        kept = self._known(self.kept, trace)
        return None if kept is None else {ref: kept.get(ref, NOT_KEPT) for ref in fields}

    @staticmethod
    def _known(members, trace):
        found = members.get(trace)
        if found is TraceUnreadable:
            raise TraceUnreadable("it is not JSON")
        return found


def kept(value):
    """Content that may be used."""
    return Content(ContentStatus.KEPT, value)
