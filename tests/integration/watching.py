"""Seeing when a case starts in the worker's process and when it ends there."""

import mmap
import struct
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from evalbook.adapters.process.forked_worker import ForkedWorker
from evalbook.domain.outcome import Grade
from evalbook.services.scoring.worker import Job, Mark

# Shared with every process that is forked later; the clock is the same for all processes of a machine.
_STARTED = mmap.mmap(-1, mmap.PAGESIZE)


def started() -> float:
    """When the first case of the latest `WatchedJob` was last started."""
    return float(struct.unpack_from("d", _STARTED)[0])


@dataclass(frozen=True)
class WatchedJob:
    """A job that notes when its first case starts."""

    job: Job

    @property
    def size(self) -> int:
        return self.job.size

    def results(self, begin: int, decided: Mapping[int, Grade], mark: Mark) -> Iterator[tuple[int, bytes]]:
        def noting(index: int, limit_ms: int) -> None:
            mark(index, limit_ms)
            if index == 0:
                struct.pack_into("d", _STARTED, 0, time.monotonic())

        return self.job.results(begin, decided, noting)


class WatchedWorker(ForkedWorker):
    """A worker that notes when its process was last ended."""

    ended = 0.0
    clock = staticmethod(time.monotonic)

    def close(self) -> None:
        super().close()
        self.ended = self.clock()


class Delays:
    """How late the machine wakes what sleeps: a thread sleeps again and again and keeps the worst delay, in seconds."""

    _NAP = 0.005

    def __init__(self) -> None:
        self.worst = 0.0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()

    def _watch(self) -> None:
        while True:
            slept = time.monotonic()
            if self._ended.wait(self._NAP):
                return
            self.worst = max(self.worst, time.monotonic() - slept - self._NAP)
