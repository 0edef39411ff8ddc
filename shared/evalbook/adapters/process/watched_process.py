"""A forked child process: made once, without anything it need not hold, and ended when asked."""

import ctypes
import gc
import mmap
import os
import resource
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection, Pipe
from typing import Final, NoReturn

_PR_SET_PDEATHSIG: Final = 1
_STANDARD_ERROR: Final = 2
_MB: Final = 2**20
_NS_A_MS: Final = 1_000_000
_INDEX_BITS: Final = 26
_INDEX_SHIFT: Final = 2 ** (_INDEX_BITS - 1)
_IDLE: Final = 0


class Progress:
    """What a child says of its work through memory it shares with its parent: no call to the kernel, no lock.

    One anonymous shared mapping: it works without /dev/shm, which Lambda does not have. An item and its end (in
    milliseconds since the mapping was made) are written together as one aligned word, so that the parent sees both or
    neither, on any processor. Items are numbered from -2**25 to 2**25 - 1.
    """

    def __init__(self) -> None:
        self._made = time.monotonic_ns()
        # A view writes a word at once, where `struct` clears it first: a reader in between would see an item 0.
        self._words = memoryview(mmap.mmap(-1, mmap.PAGESIZE)).cast("q")

    def start(self, index: int, limit_ms: int) -> None:
        """Note that work on item *index* starts now and may take *limit_ms*."""
        end_ms = self._milliseconds() + 1 + limit_ms
        self._words[0] = (end_ms << _INDEX_BITS) + index + _INDEX_SHIFT

    def idle(self) -> None:
        """Note that no item is worked on."""
        self._words[0] = _IDLE

    def current(self) -> int | None:
        """The item that is worked on, or None."""
        item = self.time_left()
        return item[0] if item else None

    def time_left(self) -> tuple[int, float] | None:
        """The item that is worked on and the seconds it may still take, below zero when its time is over; or None."""
        word = self._words[0]
        if word == _IDLE:
            return None
        end_ms, number = divmod(word, 2**_INDEX_BITS)
        return number - _INDEX_SHIFT, (end_ms - self._milliseconds()) / 1e3

    def is_overdue(self) -> bool:
        """Whether the current item's time is over."""
        item = self.time_left()
        return item is not None and item[1] < 0

    def _milliseconds(self) -> int:
        return (time.monotonic_ns() - self._made) // _NS_A_MS


class WatchedProcess:
    """A child that serves requests over a pipe until its parent is gone."""

    def __init__(self, serve: Callable[[Connection, Progress], None], memory_mb: int) -> None:
        self.progress = Progress()
        self.connection, theirs = Pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        parent = os.getpid()
        self._pid = os.fork()
        if self._pid == 0:
            _live(lambda: serve(theirs, self.progress), theirs, parent, memory_mb)
        theirs.close()

    def alive(self) -> bool:
        """Whether the child still runs."""
        try:
            return os.waitid(os.P_PID, self._pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
        except ChildProcessError:
            return False

    def kill(self) -> None:
        """End the child at once and wait until it is gone."""
        with suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)
        with suppress(ChildProcessError):
            os.waitpid(self._pid, 0)
        self.connection.close()


def _live(serve: Callable[[], None], connection: Connection, parent: int, memory_mb: int) -> NoReturn:
    """The child's whole life; it never returns into the code that forked it."""
    try:
        _settle(connection, parent, memory_mb)
        serve()
    except (EOFError, OSError):
        os._exit(0)
    finally:
        os._exit(1)


def _settle(connection: Connection, parent: int, memory_mb: int) -> None:
    """Die with the parent, hold no descriptor of its own but the pipe, and take no more memory than allowed."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _close_all_but(connection.fileno())
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    used = int(open("/proc/self/statm", encoding="ascii").read().split()[0]) * mmap.PAGESIZE  # noqa: SIM115, PTH123
    limit = used + memory_mb * _MB
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    gc.freeze()


def _close_all_but(pipe: int) -> None:
    """Close every descriptor but the standard streams and *pipe*; a range would need a bound, which may be infinite."""
    for name in os.listdir("/proc/self/fd"):  # noqa: PTH208  (numbers, not paths)
        if int(name) > _STANDARD_ERROR and int(name) != pipe:
            # The listing itself held one of them.
            with suppress(OSError):
                os.close(int(name))
