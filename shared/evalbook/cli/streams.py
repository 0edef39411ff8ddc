"""What commands read and how they end: lines with their numbers, and the exit status."""

import sys
from collections.abc import Iterable, Iterator
from typing import BinaryIO, Final

from evalbook.jsonio.reader import BYTE_ORDER_MARK

DONE: Final = 0
GATE_FAILED: Final = 1
UNUSABLE: Final = 2
"""A line was refused, or the input could not be read."""


def open_input(path: str) -> BinaryIO:
    """Return the file at *path* to read, the standard input for `-`."""
    return sys.stdin.buffer if path == "-" else open(path, "rb")  # noqa: PTH123  (closed by the caller)


def without_mark(stream: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the lines of *stream*, byte order marks in front of them left out."""
    return (text.removeprefix(BYTE_ORDER_MARK) for text in stream)


def content_lines(stream: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of *stream* that hold anything, each with its number, from 1 on."""
    return ((number, text) for number, text in enumerate(without_mark(stream), 1) if text.strip())
