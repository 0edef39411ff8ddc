"""Calls that fail: one in ten, drawn from a seed, in every way that a call can fail."""

import io
from collections.abc import Iterator
from random import Random
from typing import Any

from botocore.awsrequest import AWSRequest, AWSResponse
from botocore.exceptions import EndpointConnectionError, ReadTimeoutError

_SHARE = 0.1
_URL = "https://aws.invalid"


class Faults:
    """Makes a client's calls fail before they are sent, or lose the answer after they were carried out."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._lost = False
        self.injected = 0

    def into(self, client: Any) -> None:
        client.meta.events.register_first("before-send", self._before)
        client.meta.events.register("before-parse", self._after)
        client.meta.events.register("after-call.sqs.SendMessageBatch", self._part)

    def _before(self, request: AWSRequest, **_: Any) -> AWSResponse | None:
        self._lost = False
        if self._random.random() >= _SHARE:
            return None
        self.injected += 1
        kind = self._random.choice(["refused", "error", "lost"])
        if kind == "refused":
            raise EndpointConnectionError(endpoint_url=_URL)
        if kind == "error":
            return AWSResponse(request.url, 500, {}, _Raw(b"{}"))
        self._lost = True
        return None

    def _after(self, **_: Any) -> None:
        if self._lost:
            raise ReadTimeoutError(endpoint_url=_URL)

    def _part(self, parsed: dict[str, Any], **_: Any) -> None:
        """One message of a request is said not to have been taken, though it was."""
        if self._random.random() < _SHARE and parsed.get("Successful"):
            self.injected += 1
            entry = parsed["Successful"].pop()
            parsed.setdefault("Failed", []).append({"Id": entry["Id"], "Code": "InternalError", "SenderFault": False})


class _Raw(io.BytesIO):
    def stream(self, **_: Any) -> Iterator[bytes]:
        yield self.read()
