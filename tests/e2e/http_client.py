"""The HTTP API of the running stack as one caller sees it."""

import time
from typing import Any, Final, Self

import httpx

EVERY_SCOPE: Final = (
    "scorer.read scorer.write scorer.approve sandbox.run budget.write calibration.run dataset.read_body"
)
PATIENCE: Final = 60.0


class Client:
    """Calls the API with a token of its own."""

    def __init__(self, stack, *, org="acme", projects="support", scope=EVERY_SCOPE, sub="ann"):
        self.org, self.project = org, projects.split(maxsplit=1)[0]
        token = stack.issuer.token({"sub": sub, "org": org, "projects": projects, "scope": scope})
        self.http = httpx.Client(base_url=stack.api_url, headers={"Authorization": f"Bearer {token}"}, timeout=40)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def __call__(self, method: str, path: str, body: Any = None, **more: Any) -> httpx.Response:
        sent = {"json": body} if body is not None else {}
        return self.http.request(method, path, **sent, **more)

    def polled(self, path: str, patience: float = PATIENCE) -> Any:
        """The run at *path* once it is no longer running."""
        deadline = time.monotonic() + patience
        while (run := self("GET", path).json())["status"] == "running" and time.monotonic() < deadline:
            time.sleep(0.2)
        return run
