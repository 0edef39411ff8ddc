"""The worker: jobs run in a forked child, watched by the clock, killed and replaced when an item's time is over.

A thread cannot be stopped in the middle of a C function, a process can: that is what makes time limits hold whatever a
case holds. Results come back in bursts over one request, so that a batch costs one round trip and not one a case.
"""

import signal
import time
from collections.abc import Iterator, Mapping
from multiprocessing.connection import Connection
from typing import Final

from evalbook.adapters.process.watched_process import Progress, WatchedProcess
from evalbook.domain.errors import WorkerDied
from evalbook.domain.outcome import Code, Grade, errored, timed_out
from evalbook.services.scoring.worker import Job

_BURST_BYTES: Final = 65_536
_BURST_SECONDS: Final = 0.05
_WAIT_SECONDS: Final = 0.02
_MARGIN_SECONDS: Final = 1.5
"""Kept back for sending results after the last case."""

_CRASHED = errored(Code.SCORING_FAILED, "Scoring the case ended the scoring process.")
_LATE = timed_out(Code.TIME_LIMIT, "The version's time limit ran out.")
_UNPREPARED = errored(Code.SCORING_FAILED, "The version could not be prepared in time.")


class OutOfTime(Exception):
    """The time left cannot hold the next item's limit."""


class Overdue(Exception):
    """The item called *index* has used up its time."""

    def __init__(self, index: int) -> None:
        super().__init__(index)
        self.index = index


class ForkedWorker:
    """Runs jobs in one child process, made when first needed and again after each that had to be killed."""

    def __init__(self, memory_mb: int = 512) -> None:
        self._memory_mb = memory_mb
        self._process: WatchedProcess | None = None

    def start(self) -> None:
        """Have a living child: best called before any thread or connection exists."""
        if self._process and not self._process.alive():
            self.close()
        if self._process is None:
            self._process = WatchedProcess(_serve, self._memory_mb)

    def close(self) -> None:
        """End the child."""
        if self._process:
            self._process.kill()
            self._process = None

    def run(self, job: Job, *, seconds_left: float, survive_crashes: bool) -> Iterator[tuple[int, bytes]]:
        """Yield the job's results in order; see `evalbook.services.scoring.worker.Worker`."""
        deadline = time.monotonic() + seconds_left - _MARGIN_SECONDS
        over = False
        try:
            yield from self._results(job, deadline, survive_crashes=survive_crashes)
            over = True
        finally:
            # A child whose answers nobody read would give them to the next job.
            if not over:
                self.close()

    def _results(self, job: Job, deadline: float, *, survive_crashes: bool) -> Iterator[tuple[int, bytes]]:
        begin, decided = 0, dict[int, Grade]()
        while begin < job.size:
            try:
                for burst in self._bursts(job, begin, decided, deadline):
                    yield from burst
                    begin = burst[-1][0] + 1
            except Overdue as overdue:
                self.close()
                _decide(decided, overdue.index, _UNPREPARED if overdue.index < 0 else _LATE)
            except (EOFError, OSError) as error:
                _decide(decided, self._place_of_death(error, survive_crashes=survive_crashes), _CRASHED)
            else:
                return

    def _bursts(
        self, job: Job, begin: int, decided: Mapping[int, Grade], deadline: float
    ) -> Iterator[list[tuple[int, bytes]]]:
        """Yield bursts of results until the child says that the job is over.

        Raises:
            Overdue: An item's time is over.
            EOFError: The child is gone. So is it with OSError.
        """
        self.start()
        process = self._process
        if process is None:
            raise EOFError
        process.connection.send((job, begin, decided, deadline))
        while burst := _answer(process):
            yield burst

    def _place_of_death(self, error: Exception, *, survive_crashes: bool) -> int:
        """The item at which the child ended, where that is to be survived."""
        index = self._process.progress.current() if self._process else None
        self.close()
        if index is None or not survive_crashes:
            raise WorkerDied("the scoring process ended in the middle of a batch") from error
        return index


def _decide(decided: dict[int, Grade], index: int, grade: Grade) -> None:
    """Note the grade of an item that is not to be tried again; an item that fails even so would do it for ever."""
    if index in decided:
        raise WorkerDied("the scoring process failed at an item that was decided before")
    decided[index] = grade


def _answer(process: WatchedProcess) -> list[tuple[int, bytes]]:
    """Wait for the child's next burst, an empty one at the job's end, for as long as no item is overdue.

    The wait is short, because the item that runs when it starts may give way to one with less time.
    """
    while True:
        item = process.progress.time_left()
        if process.connection.poll(min(max(item[1], 0.0), _WAIT_SECONDS) if item else _WAIT_SECONDS):
            burst: list[tuple[int, bytes]] = process.connection.recv()
            return burst
        if item and item[1] <= 0:
            raise Overdue(item[0])


class _Bursts:
    """Sends results in bursts: many small ones together, and none later than a moment after it was ready."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._held: list[tuple[int, bytes]] = []
        self._size, self._sent = 0, time.monotonic()

    def add(self, index: int, encoded: bytes) -> None:
        """Hold one result, and send what is held when that is enough."""
        self._held.append((index, encoded))
        self._size += len(encoded)
        if self._size > _BURST_BYTES or time.monotonic() - self._sent > _BURST_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Send what is held."""
        if self._held:
            self._connection.send(self._held)
        self._held, self._size, self._sent = [], 0, time.monotonic()


def _serve(connection: Connection, progress: Progress) -> None:
    """The child's loop: one job a request, its results in bursts, then an empty one."""
    while True:
        job, begin, decided, deadline = connection.recv()
        bursts = _Bursts(connection)

        def mark(index: int, limit_ms: int, deadline: float = deadline) -> None:
            if time.monotonic() + limit_ms / 1e3 > deadline:
                raise OutOfTime
            progress.start(index, limit_ms)

        try:
            for index, encoded in job.results(begin, decided, mark):
                if progress.is_overdue():
                    # Too late is too late, also where the parent has not looked yet: it will, and end this process.
                    bursts.flush()
                    signal.pause()
                progress.idle()
                bursts.add(index, encoded)
        except OutOfTime:
            pass
        progress.idle()
        bursts.flush()
        connection.send([])
