"""Runs inside a function's process on a faulty local stack: the function's handler, going wrong where a test says so.

A fault is a file `<book>/<function>/<judge run id>~<number>` that says how and when; whoever deletes it has taken it.
"""

import importlib
import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

SEPARATOR: Final = "~"
BOOK: Final = "DEVSTACK_FAULTS"
HANDLER: Final = "DEVSTACK_HANDLER"
SECONDS_OF_WORK: Final = 0.7
"""So long a function that is killed during its work has worked."""

Handler = Callable[[Any, Any], Any]


class Broken(Exception):
    """What a handler raises that fails on demand."""


def taken(place: Path, key: str) -> tuple[str, str] | None:
    """Take a fault that waits in *place* for *key*: the way and the moment."""
    for path in sorted(place.glob(f"{key}{SEPARATOR}*")):
        try:
            said = path.read_text(encoding="ascii")
            path.unlink()
        except FileNotFoundError:
            continue  # another invocation has taken it
        way, _, moment = said.partition(" ")
        return way, moment
    return None


def lambda_handler(event: Any, context: Any) -> Any:
    """Do what the function's own handler does, or go wrong."""
    key = event.get("judge_run_id") if isinstance(event, dict) else None
    place = Path(os.environ[BOOK]) / os.environ["AWS_LAMBDA_FUNCTION_NAME"]
    way, moment = (taken(place, key) if key else None) or ("", "")
    if moment == "before":
        _go_wrong(way)
    if moment == "during":
        threading.Timer(SECONDS_OF_WORK, _go_wrong, ["killed"]).start()
    answer = _real()(event, context)
    if moment == "after":
        _go_wrong(way)
    return answer


def _go_wrong(way: str) -> None:
    if way == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    raise Broken("the function fails on demand")


def _real() -> Handler:
    module, _, name = os.environ[HANDLER].rpartition(".")
    handler: Handler = getattr(importlib.import_module(module), name)
    return handler


if BOOK in os.environ:  # as functions do: what is set up once is set up before the first invocation
    _real()
