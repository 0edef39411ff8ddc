"""Jobs that misbehave as scorers might, and say what they saw."""

import ctypes
import json
import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path

from evalbook.domain.outcome import Grade
from evalbook.services.scoring.worker import PREPARE_LIMIT_MS, Mark, preparing


def fine() -> bytes:
    return b"fine"


def hang() -> bytes:
    """Stay in one C function that holds the interpreter's lock and looks at no signal."""
    all(repeat(True))
    return b"never"


def sleep_in_c() -> bytes:
    ctypes.PyDLL(None).sleep(3_600)
    return b"never"


def exit_now() -> bytes:
    os._exit(3)


def kill_itself() -> bytes:
    os.kill(os.getpid(), signal.SIGKILL)
    return b"never"


def take_all_memory() -> bytes:
    return bytes(2**40)


def fail() -> bytes:
    raise ValueError("canary-in-an-exception")


def big() -> bytes:
    return b"x" * 300_000


def descriptors() -> bytes:
    """The open descriptors and what they are; the listing's own is gone by the time it is looked at."""
    links = {}
    for entry in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            links[entry.name] = str(entry.readlink())
    return json.dumps(links).encode()


def process() -> bytes:
    return str(os.getpid()).encode()


def a_moment() -> bytes:
    time.sleep(0.01)
    return b"fine"


@dataclass(frozen=True)
class Script:
    """A job whose items are functions of no argument; `preparation` runs before the first."""

    items: tuple[Callable[[], bytes], ...]
    limit_ms: int = 5_000
    preparation: Callable[[], bytes] = fine
    preparation_ms: int = PREPARE_LIMIT_MS
    payload: bytes = b""

    @property
    def size(self) -> int:
        return len(self.items)

    def results(self, begin: int, decided: Mapping[int, Grade], mark: Mark) -> Iterator[tuple[int, bytes]]:
        verdict = decided.get(preparing(0))
        if verdict is None:
            mark(preparing(0), self.preparation_ms)
            self.preparation()
        for index in range(begin, self.size):
            grade = verdict or decided.get(index)
            if grade:
                yield index, f"{grade.outcome} {grade.code}".encode()
                continue
            mark(index, self.limit_ms)
            yield index, self.items[index]()
