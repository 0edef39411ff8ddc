"""Lambda's Runtime API (2018-06-01), as much as a function under the real runtime client needs."""

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Self
from uuid import uuid4

ROOT = Path(__file__).parent.parent
FUNCTION_ARN = "arn:aws:lambda:eu-west-1:123456789012:function:function"


@dataclass
class Invocation:
    """One event on its way, and its answer once `done` is set."""

    event: bytes
    deadline_ms: int
    request_id: str = field(default_factory=lambda: str(uuid4()))
    kind: str = ""
    answer: bytes = b""
    done: threading.Event = field(default_factory=threading.Event)


class FunctionFailed(Exception):
    """The handler raised, its process ended or did not answer in time."""


class RuntimeApi:
    """A function in a process of its own, started like Lambda starts it and fed with events."""

    def __init__(self, function: str, environment: Mapping[str, str]) -> None:
        self._waiting: queue.Queue[Invocation | None] = queue.Queue()
        self._running: dict[str, Invocation] = {}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_for(self))
        self._server.daemon_threads = True
        # A function that is killed leaves its open request behind, which is no news.
        self._server.handle_error = lambda *_: None  # type: ignore[method-assign]
        self._serving = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._serving.start()
        task = ROOT / "functions" / function
        self._process = subprocess.Popen(
            [sys.executable, "-m", "awslambdaric", "handler.lambda_handler"],
            cwd=task,
            env={**self._environment(task), **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def _environment(self, task: Path) -> dict[str, str]:
        return {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": f"{task}{os.pathsep}{ROOT / 'shared'}",
            "AWS_LAMBDA_RUNTIME_API": f"127.0.0.1:{self._server.server_port}",
            "AWS_LAMBDA_FUNCTION_NAME": "function",
            "AWS_LAMBDA_FUNCTION_VERSION": "$LATEST",
            "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "1024",
            "AWS_LAMBDA_LOG_GROUP_NAME": "/aws/lambda/function",
            "AWS_LAMBDA_LOG_STREAM_NAME": "stream",
            "AWS_EXECUTION_ENV": f"AWS_Lambda_python{sys.version_info.major}.{sys.version_info.minor}",
            "LAMBDA_TASK_ROOT": str(task),
            "_HANDLER": "handler.lambda_handler",
        }

    def invoke(self, event: Mapping[str, Any], *, timeout: float = 30.0) -> dict[str, Any]:
        """The handler's answer.

        Raises:
            FunctionFailed: There is none; the message is what the runtime client said.
        """
        invocation = Invocation(json.dumps(event).encode(), int((time.time() + timeout) * 1_000))
        self._running[invocation.request_id] = invocation
        self._waiting.put(invocation)
        end = time.monotonic() + timeout
        while not invocation.done.wait(0.05):
            if self._process.poll() is not None or time.monotonic() > end:
                raise FunctionFailed("the function ended or timed out")
        if invocation.kind != "response":
            raise FunctionFailed(invocation.answer.decode())
        answer: dict[str, Any] = json.loads(invocation.answer)
        return answer

    def close(self) -> str:
        """End the function and give everything that it wrote."""
        self._process.kill()
        written, _ = self._process.communicate()
        self._waiting.put(None)
        self._server.shutdown()
        self._serving.join()
        self._server.server_close()
        return str(written)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._serving.is_alive():
            self.close()

    def next(self) -> Invocation | None:
        """Wait for the next invocation; None at the end."""
        return self._waiting.get()

    def answered(self, request_id: str, kind: str, answer: bytes) -> None:
        """Take what the client posted."""
        invocation = self._running.pop(request_id)
        invocation.kind, invocation.answer = kind, answer
        invocation.done.set()

    def failed_to_start(self, reason: bytes) -> None:
        """Take what the client posted when the handler could not be imported."""
        while self._running:
            self.answered(next(iter(self._running)), "error", reason)


class _Handler(BaseHTTPRequestHandler):
    """Answers the client's requests."""

    api: ClassVar[RuntimeApi]
    protocol_version = "HTTP/1.1"
    wbufsize = -1
    disable_nagle_algorithm = True

    def log_message(self, format: str, *values: Any) -> None:  # noqa: A002  (the base class's name)
        """Say nothing."""

    def do_GET(self) -> None:
        """Hand over the next invocation."""
        invocation = self.api.next()
        if invocation is None:
            self.close_connection = True
            return
        self.send_response(200)
        self.send_header("Lambda-Runtime-Aws-Request-Id", invocation.request_id)
        self.send_header("Lambda-Runtime-Deadline-Ms", str(invocation.deadline_ms))
        self.send_header("Lambda-Runtime-Invoked-Function-Arn", FUNCTION_ARN)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(invocation.event)))
        self.end_headers()
        self.wfile.write(invocation.event)

    def do_POST(self) -> None:
        """Take an answer: `…/invocation/<id>/response`, `…/invocation/<id>/error` or `…/init/error`."""
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        *_, place, kind = self.path.split("/")
        if place == "init":
            self.api.failed_to_start(body)
        else:
            self.api.answered(place, kind, body)
        self.send_response(202)
        self.send_header("Content-Length", "0")
        self.end_headers()


def _handler_for(api: RuntimeApi) -> type[_Handler]:
    return type("Handler", (_Handler,), {"api": api})
