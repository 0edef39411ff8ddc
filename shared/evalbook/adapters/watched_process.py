"""A forked child process: made once, without anything it need not hold, and ended when asked."""

import ctypes
import gc
import mmap
import os
import resource
import signal
import struct
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection, Pipe
from typing import Final, NoReturn

_PR_SET_PDEATHSIG: Final = 1
_INDEX = struct.Struct("=q")
_CLOCK = struct.Struct("=qq")
_IDLE: Final = -(2**62)
_MB: Final = 2**20


class Progress:
    """What a child says of its work through memory it shares with its parent: no call to the kernel, no lock.

    One anonymous shared mapping: it works without /dev/shm, which Lambda does not have.
    """

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, mmap.PAGESIZE)
        self.idle()

    def start(self, index: int, limit_ms: int) -> None:
        """Note that work on item *index* starts now and may take *limit_ms*."""
        # The index last: a reader in between sees the old item with a later end, and never a new one that looks late.
        _CLOCK.pack_into(self._memory, _INDEX.size, limit_ms, time.monotonic_ns())
        _INDEX.pack_into(self._memory, 0, index)

    def idle(self) -> None:
        """Note that no item is worked on."""
        _INDEX.pack_into(self._memory, 0, _IDLE)

    def current(self) -> int | None:
        """The item that is worked on, or None."""
        (index,) = _INDEX.unpack_from(self._memory, 0)
        return None if index == _IDLE else int(index)

    def time_left(self) -> tuple[int, float] | None:
        """The item that is worked on and the seconds it may still take, below zero when its time is over; or None."""
        index = self.current()
        limit_ms, started = _CLOCK.unpack_from(self._memory, _INDEX.size)
        return None if index is None else (index, limit_ms / 1e3 - (time.monotonic_ns() - started) / 1e9)


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
    os.closerange(3, connection.fileno())
    os.closerange(connection.fileno() + 1, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    used = int(open("/proc/self/statm", encoding="ascii").read().split()[0]) * mmap.PAGESIZE  # noqa: SIM115, PTH123
    limit = used + memory_mb * _MB
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    gc.freeze()
