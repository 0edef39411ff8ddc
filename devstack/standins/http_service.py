"""A small HTTP service on a free loopback port that can also fail in the ways networks do."""

import json
import socket
import struct
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import MappingProxyType
from typing import Any, Final, Self
from urllib.parse import parse_qsl, unquote, urlsplit

HOST: Final = "127.0.0.1"
_NOTHING: Final[Mapping[str, str]] = MappingProxyType({})
_RESET_ON_CLOSE: Final = struct.pack("ii", 1, 0)


@dataclass(frozen=True, slots=True)
class Request:
    """A request as it came; header names are lower case, `path` is the list of decoded segments."""

    method: str
    path: tuple[str, ...]
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        """Read the body as JSON; raises `ValueError` where it is none."""
        return json.loads(self.body)


@dataclass(frozen=True, slots=True)
class Response:
    """An answer, and how it goes wrong on its way."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    sent_bytes: int | None = None
    """How much of the body is sent before the connection closes; None for all of it."""
    seconds_a_byte: float = 0.0
    """How slowly the whole answer, its head included, is written."""
    dropped: bool = False
    """Whether the connection closes without an answer."""
    reset: bool = False
    """Whether it is reset instead of closed."""


def json_response(value: Any, status: int = 200, **headers: str) -> Response:
    """Answer with *value* as JSON; underscores in header names stand for hyphens."""
    names = {name.replace("_", "-"): text for name, text in headers.items()}
    return Response(status, json.dumps(value).encode(), {"Content-Type": "application/json", **names})


def error_response(status: int, code: str, message: str = "", **headers: str) -> Response:
    """Answer with an error in OpenAI's form."""
    error = {"message": message or HTTPStatus(status).phrase, "type": code, "code": code, "param": None}
    return json_response({"error": error}, status, **headers)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 256  # a judge run's calls come all at once


class HttpService:
    """A context manager that answers each request, on a thread and a connection of its own, by *answer*."""

    def __init__(self, answer: Callable[[Request], Response], port: int = 0) -> None:
        self._answer = answer
        self._port = port
        self._server: _Server | None = None
        self.stopping = threading.Event()

    def __enter__(self) -> Self:
        """Start answering."""
        server = _Server((HOST, self._port), _handler(self._answer, self.stopping))
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        self._server = server
        return self

    def __exit__(self, *_: object) -> None:
        """Stop; what still waits to be answered is dropped."""
        self.stopping.set()
        if self._server:
            self._server.shutdown()
            self._server.server_close()

    @property
    def url(self) -> str:
        """Where the service answers, without a slash at the end."""
        if not self._server:
            raise RuntimeError("the service has not been started")
        return f"http://{HOST}:{self._server.server_port}"


def _handler(answer: Callable[[Request], Response], stopping: threading.Event) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        disable_nagle_algorithm = True
        wbufsize = 0

        def handle_one_request(self) -> None:
            self.close_connection = True
            self.raw_requestline = self.rfile.readline(65_537)
            if not self.raw_requestline or not self.parse_request():
                return
            _write(self.connection, answer(self._request()), stopping)

        def _request(self) -> Request:
            parts = urlsplit(self.path)
            return Request(
                method=self.command,
                path=tuple(unquote(segment) for segment in parts.path.split("/")[1:]),
                query=dict(parse_qsl(parts.query)),
                headers={name.lower(): value for name, value in self.headers.items()},
                body=self.rfile.read(int(self.headers.get("Content-Length", "0"))),
            )

    return Handler


def _write(connection: socket.socket, response: Response, stopping: threading.Event) -> None:
    if response.reset:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_ON_CLOSE)
        connection.close()
    if response.reset or response.dropped:
        return
    answer = _head(response) + response.body[: response.sent_bytes]
    try:
        if not response.seconds_a_byte:
            connection.sendall(answer)
            return
        for position in range(len(answer)):
            connection.sendall(answer[position : position + 1])
            if stopping.wait(response.seconds_a_byte):
                return
    except ConnectionError:
        return  # the caller no longer waits


def _head(response: Response) -> bytes:
    headers = {"Content-Length": str(len(response.body)), "Connection": "close", **response.headers}
    # A status of nobody's list, such as a gateway's own 246, has no phrase.
    phrase = HTTPStatus(response.status).phrase if response.status in set(HTTPStatus) else "Other"
    lines = [f"HTTP/1.1 {response.status} {phrase}", *(f"{name}: {value}" for name, value in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")
