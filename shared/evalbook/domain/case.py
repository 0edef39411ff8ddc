"""What is scored: one recorded case."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from evalbook.jsonio.values import ABSENT, Absent, Json


@dataclass(frozen=True, slots=True)
class ContentRef:
    """Where in the case's own stored trace a value is held."""

    span_id: str
    field: str


class Case(NamedTuple):
    """One recorded case; what was not recorded is ABSENT, which is not null.

    `subject` and `trace` stand as they were sent: only the scorers that need them read them. A named tuple, because one
    is made for every case, at a third of a dataclass's cost.
    """

    case_id: str
    example_id: str | None = None
    input: Json | Absent = ABSENT
    output: Json | Absent = ABSENT
    expected: Json | Absent = ABSENT
    subject: Json | Absent = ABSENT
    trace: Json | Absent = ABSENT
    refs: Mapping[str, ContentRef] | None = None
