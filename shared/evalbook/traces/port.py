"""What scoring needs from the traces component: a stored trace's spans, and content by purpose."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from evalbook.domain.case import ContentRef
from evalbook.domain.errors import EvalBookError, Retryable
from evalbook.jsonio.values import ABSENT, Absent, Json


class Purpose(StrEnum):
    """What content is read for; the project's capture policy decides by it."""

    SCORING = "scoring"
    JUDGE = "judge"


class ContentStatus(StrEnum):
    """What the traces component says about one piece of content."""

    KEPT = "kept"
    NOT_KEPT = "not_kept"
    FORBIDDEN = "forbidden"


@dataclass(frozen=True, slots=True)
class Content:
    """One piece of content; `value` is there where it was kept and may be used."""

    status: ContentStatus
    value: Json | Absent = ABSENT


@dataclass(frozen=True, slots=True)
class TraceKey:
    """Which stored trace; organization and project are the run's own, never what a case says."""

    organization_id: str
    project_id: str
    trace_id: str


class TracesUnavailable(Retryable):
    """The traces component did not answer; trying again can help."""


class TraceUnreadable(EvalBookError):
    """What the traces component holds for this trace cannot be read; trying again cannot help."""


class Traces(Protocol):
    """The traces component; both reads give None where the project has no such trace.

    Raises:
        TracesUnavailable: It did not answer.
        TraceUnreadable: It answered with what is no strict JSON or has not the shape of the contract.
    """

    def spans(self, trace: TraceKey) -> Mapping[str, Json] | None:
        """The wire trace's members: `spans`, without their content, and `captured` and `truncated` where given."""

    def contents(
        self, trace: TraceKey, purpose: Purpose, fields: Sequence[ContentRef]
    ) -> Mapping[ContentRef, Content] | None:
        """The content of all *fields* in one request; one that is not answered for counts as not kept."""
