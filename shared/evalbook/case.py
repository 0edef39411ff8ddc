"""What is scored: one recorded case."""

from collections.abc import Mapping
from dataclasses import dataclass

from evalbook.jsonvalue import ABSENT, Absent, Json


@dataclass(frozen=True, slots=True)
class ContentRef:
    """Where in the case's own stored trace a value is held."""

    span_id: str
    field: str


@dataclass(frozen=True, slots=True)
class Case:
    """One recorded case; what was not recorded is ABSENT, which is not null.

    `subject` and `trace` stand as they were sent: only the scorers that need them read them.
    """

    case_id: str
    example_id: str | None = None
    input: Json | Absent = ABSENT
    output: Json | Absent = ABSENT
    expected: Json | Absent = ABSENT
    subject: Json | Absent = ABSENT
    trace: Json | Absent = ABSENT
    refs: Mapping[str, ContentRef] | None = None
