"""Start and stop the emulator: loopback only, in a session of its own, leaving no process behind."""

import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Self

from devstack.emulator.environment import emulator_python
from devstack.errors import StackError

HOST: Final = "127.0.0.1"
REGION: Final = "us-east-1"
_SERVER: Final = Path(__file__).with_name("server.py")
_START_SECONDS: Final = 30.0
_POLL_SECONDS: Final = 0.05


class Emulator:
    """A running emulator, or the error that kept it from running; a context manager that ends all it started."""

    def __init__(self, root: Path, port: int | None = None) -> None:
        self.port = port or _free_port()
        self.endpoint = f"http://{HOST}:{self.port}"
        self._root = root
        self._directory = Path()
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        """Start it and wait until it answers.

        Raises:
            StackError: it could not be installed or did not start.
        """
        python = emulator_python(self._root)
        self._directory = Path(tempfile.mkdtemp(prefix="evalbook-devstack-"))
        try:
            self._process = self._started(python)
            self._wait_until_healthy(self._process)
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """Stop it."""
        self.stop()

    @property
    def directory(self) -> Path:
        """The folder of its files, while it runs."""
        return self._directory

    @property
    def log(self) -> Path:
        """The file that the emulator logs to, while it runs."""
        return self._directory / "emulator.log"

    def trouble(self, order: Mapping[str, object]) -> Mapping[str, int]:
        """Let requests of functions to tables fail from now on; how many of each kind have failed so far.

        *order* has `tables` (their names), `throttle_every` and `collide_every`: every so manieth request is throttled,
        and every so manieth transaction collides with another; 0 is never.
        """
        counts: dict[str, int] = self._asked("trouble", json.dumps(order).encode())
        return counts

    def permissions(self) -> Sequence[Mapping[str, str]]:
        """Tell which `action` each `role` (its name) took by which statement, `sid`, which is empty where denied."""
        decided: list[dict[str, str]] = self._asked("permissions")
        return decided

    def _asked(self, name: str, body: bytes | None = None) -> Any:
        with urllib.request.urlopen(f"{self.endpoint}/_devstack/{name}", body, timeout=5) as answer:  # noqa: S310  (ours)
            return json.load(answer)

    @property
    def process_group(self) -> int | None:
        """The group that holds the emulator and every function's process; none before the start."""
        return self._process.pid if self._process else None

    def stop(self) -> None:
        """End the emulator and the functions' processes, and delete its files."""
        if self._process:
            _end_group(self._process)
            shutil.rmtree(self._directory, ignore_errors=True)
            self._process = None  # its number may soon be another process's

    def is_running(self) -> bool:
        """Tell whether the emulator's process is alive."""
        return self._process is not None and self._process.poll() is None

    def _started(self, python: Path) -> subprocess.Popen[bytes]:
        with self.log.open("wb") as log:
            return subprocess.Popen(
                [str(python), str(_SERVER)],
                cwd=self._directory,
                env=self._environment(),
                stdin=subprocess.PIPE,  # the emulator ends when we do: see emulator_server
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def _environment(self) -> dict[str, str]:
        """Nothing of the caller's environment but PATH: no credentials, no Docker daemon, no Python settings."""
        return {
            "PATH": os.environ.get("PATH", os.defpath),
            "TMPDIR": str(self._directory),
            "BIND_HOST": HOST,
            "MINISTACK_HOST": HOST,
            "GATEWAY_PORT": str(self.port),
            "MINISTACK_REGION": REGION,
            "AUTH": "true",  # the functions run with the rights of their roles, no others
            "LAMBDA_EXECUTOR": "local",
            "DOCKER_HOST": f"unix://{self._directory}/no-docker",
            "AWS_ENDPOINT_URL": self.endpoint,
            "LOG_LEVEL": "WARNING",
        }

    def _wait_until_healthy(self, process: subprocess.Popen[bytes]) -> None:
        deadline = time.monotonic() + _START_SECONDS
        while not self._is_healthy():
            if process.poll() is not None or time.monotonic() > deadline:
                raise StackError(f"the emulator did not start on port {self.port}:\n{self.log_tail()}")
            time.sleep(_POLL_SECONDS)

    def _is_healthy(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.endpoint}/_ministack/health", timeout=1) as answer:  # noqa: S310  (ours)
                return bool(answer.status == 200)  # noqa: PLR2004  (HTTP OK)
        except (urllib.error.URLError, OSError):
            return False

    def log_tail(self, characters: int = 2000) -> str:
        """Return the end of the emulator's own log."""
        return self.log.read_text(errors="replace")[-characters:]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """End the whole group at once: an emulator ended alone would leave its functions' processes."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    if process.stdin:
        process.stdin.close()
