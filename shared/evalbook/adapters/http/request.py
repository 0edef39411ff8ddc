"""One HTTP request and its answer within a total time, or how the request was lost.

The whole exchange runs under one time limit, from name resolution to the last byte: a server that sends a byte now and
then cannot draw it out. Connections are never reused: one that died while a function was frozen would lose a request.
"""

import asyncio
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache
from typing import Any, Final

import httpx

CONNECT_SECONDS: Final = 5.0
_NOT_SENT: Final = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.ProxyError)
_NO_REUSE: Final = httpx.Limits(max_keepalive_connections=0)


class Loss(Enum):
    """Why there is no answer."""

    UNSENT = auto()
    """No connection was made, so nothing has left."""
    LOST = auto()
    """The connection broke after the request may have left."""
    OUT_OF_TIME = auto()
    """The time ran out after the request may have left."""
    OUT_OF_TIME_UNSENT = auto()
    """The time ran out while there was no connection yet."""


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """What a server answered; header names are lower case. `whole` is false where the body was over the size limit."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    whole: bool = True


@dataclass(frozen=True, slots=True)
class HttpExchange:
    """Sends requests, each on a connection of its own; follows no redirect and no proxy of the environment.

    *transport* stands in for the network in tests.
    """

    most_bytes: int
    transport: httpx.AsyncBaseTransport | None = None

    def __call__(self, request: httpx.Request, seconds: float) -> HttpAnswer | Loss:
        """Send *request* and wait at most *seconds* for the last byte of its answer."""
        if seconds <= 0:
            return Loss.OUT_OF_TIME_UNSENT
        loop = asyncio.new_event_loop()
        try:
            return loop.run_until_complete(self._within(request, seconds))
        finally:
            loop.run_until_complete(loop.shutdown_asyncgens())
            # Not asyncio.run: that would wait for a name resolution that hangs in a thread.
            loop.close()

    async def _within(self, request: httpx.Request, seconds: float) -> HttpAnswer | Loss:
        progress = _Progress()
        request.extensions = {
            "timeout": httpx.Timeout(None, connect=min(CONNECT_SECONDS, seconds)).as_dict(),
            "trace": progress.note,
        }
        try:
            async with asyncio.timeout(seconds):
                return await self._send(request)
        except TimeoutError:
            return Loss.OUT_OF_TIME_UNSENT if progress.is_unsent else Loss.OUT_OF_TIME
        except _NOT_SENT:
            return Loss.UNSENT
        except httpx.TransportError:
            return Loss.LOST

    async def _send(self, request: httpx.Request) -> HttpAnswer:
        client = httpx.AsyncClient(transport=self.transport, verify=_tls(), limits=_NO_REUSE, trust_env=False)
        async with client:
            response = await client.send(request, stream=True)
            try:
                body, whole = await self._read(response)
            finally:
                await response.aclose()
        return HttpAnswer(response.status_code, dict(response.headers), body, whole)

    async def _read(self, response: httpx.Response) -> tuple[bytes, bool]:
        body = bytearray()
        # Raw, so that a small compressed body cannot become a large one.
        async for chunk in response.aiter_raw():
            body += chunk
            if len(body) > self.most_bytes:
                return bytes(body[: self.most_bytes]), False
        return bytes(body), True


@cache
def _tls() -> ssl.SSLContext:
    """The trusted authorities, read once a process."""
    return httpx.create_ssl_context()


@dataclass(slots=True)
class _Progress:
    """How far a request got, as the HTTP library traces it; unsent only where the trace proves it."""

    is_unsent: bool = False

    async def note(self, event: str, _: Mapping[str, Any]) -> None:
        if event == "connection.connect_tcp.started":
            self.is_unsent = True
        elif event.endswith("send_request_headers.started"):
            self.is_unsent = False
