"""Runs the emulator; started by devstack.emulator with the emulator's own interpreter, so it imports nothing of ours.

Two properties of AWS are restored here: answers are not delayed by Nagle's algorithm, and requests count as sent over
TLS (the emulator is reached over loopback only), so that the template's own "only TLS" policies can be enforced.
The emulator ends with the process that holds the other end of its standard input, however that one ends.
"""

import os
import shutil
import signal
import socketserver
import sys
import threading
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from ministack import app as emulator

Scope = MutableMapping[str, Any]
Endpoint = Callable[[Scope, Any, Any], Awaitable[None]]


def over_tls(endpoint: Endpoint) -> Endpoint:
    """Give *endpoint*, an ASGI application, every request as a TLS proxy in front of it would."""

    async def proxied(scope: Scope, receive: Any, send: Any) -> None:
        if "headers" in scope:
            scope["headers"] = [*scope["headers"], (b"x-forwarded-proto", b"https")]
        await endpoint(scope, receive, send)

    return proxied


def end_with_the_owner() -> None:
    """Block until standard input closes, then delete the emulator's files and end this process group."""
    sys.stdin.buffer.read()
    shutil.rmtree(os.environ["TMPDIR"], ignore_errors=True)
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    threading.Thread(target=end_with_the_owner, daemon=True).start()
    socketserver.StreamRequestHandler.disable_nagle_algorithm = True
    emulator.app = over_tls(emulator.app)
    emulator.main()
