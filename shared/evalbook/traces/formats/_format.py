"""What a module of this folder declares: a format, its marks, and how it is read."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from evalbook.jsonio.values import Json
from evalbook.traces.formats._gaps import WireTrace
from evalbook.traces.formats._marks import FormatMark

Reader = Callable[[Json], WireTrace]
Family = Literal["spans", "messages", "events"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One dialect in which tools record calls.

    `read` gives the wire trace of a document; it raises `Refused` where the document is not of the format or holds
    several traces. `read_one` gives the trace with an id, of formats whose documents may hold several. The texts are
    those of the table in docs/traces.md: the tools and versions, what is read, what cannot be, and the tool's setting
    that keeps arguments. Of several formats whose marks a document shows, the one with the highest `rank` is likeliest.
    `by_line` says that tools write a file of it with one item a line: all lines together are the document.
    """

    name: str
    title: str
    tools: str
    reads: str
    unread: str
    setting: str = ""
    family: Family
    marks: tuple[FormatMark, ...]
    read: Reader
    read_one: Callable[[Json, str], WireTrace] | None = None
    rank: int = 0
    by_line: bool = False
