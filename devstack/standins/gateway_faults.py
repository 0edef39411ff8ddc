"""Faults of the SSO stand-in, set by tests and taken one by one by the calls that come."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, get_args

from devstack.standins.http_service import Response, error_response

Kind = Literal["status", "drop", "reset", "slow", "drip", "truncated", "malformed", "html", "wrong_model", "oversized"]
_PAGE: Final = b"<!doctype html><html><body><h1>502 Bad Gateway</h1></body></html>"
_OVERSIZED_BYTES: Final = 9 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Fault:
    """One way in which the next `times` calls go wrong: all, those of the logical request `key`, those about a text.

    `charged` says whether the call is charged first, as if the answer alone had been lost. `seconds` is how long a slow
    call takes, and how long a dripping one takes for each byte. `about` has to stand in what the user message says.
    """

    kind: Kind
    times: int = 1
    charged: bool = True
    key: str | None = None
    about: str = ""
    seconds: float = 0.0
    status: int = 503
    code: str = "unavailable"
    headers: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, members: Mapping[str, Any]) -> "Fault":
        """Read a fault from JSON members; a status is not charged unless it says so. Raises `ValueError`."""
        if members.get("kind") not in get_args(Kind):
            raise ValueError("kind must be one of " + ", ".join(get_args(Kind)))
        try:
            return cls(**{"charged": members["kind"] != "status", **members})
        except TypeError as error:
            raise ValueError("a fault has a member that no fault has") from error

    def about_text(self, text: str) -> "Fault":
        """Give the same fault, for calls about *text* only."""
        return replace(self, about=text)

    def spoil(self, response: Response) -> Response:
        """Give what is sent instead of *response*."""
        return _SPOILED[self.kind](self, response)


_SPOILED: Final[Mapping[Kind, Callable[[Fault, Response], Response]]] = {
    "status": lambda fault, _: replace(error_response(fault.status, fault.code), headers=fault.headers),
    "drop": lambda _, __: Response(dropped=True),
    "reset": lambda _, __: Response(dropped=True, reset=True),
    "slow": lambda _, response: response,
    "drip": lambda fault, response: replace(response, seconds_a_byte=fault.seconds),
    "truncated": lambda _, response: replace(response, sent_bytes=len(response.body) // 2),
    "malformed": lambda _, response: replace(response, body=response.body[:-2]),
    "html": lambda _, __: Response(200, _PAGE, {"Content-Type": "text/html"}),
    "wrong_model": lambda _, response: response,
    "oversized": lambda _, response: replace(response, body=response.body + b" " * _OVERSIZED_BYTES),
}


class Faults:
    """The faults that wait for a call."""

    def __init__(self) -> None:
        self._waiting: list[Fault] = []
        self._lock = threading.Lock()

    def add(self, *faults: Fault) -> None:
        """Let the next calls go wrong, in this order."""
        with self._lock:
            self._waiting += faults

    def clear(self) -> None:
        """Forget every fault."""
        with self._lock:
            self._waiting.clear()

    def __len__(self) -> int:
        """Count the faults that still wait."""
        with self._lock:
            return len(self._waiting)

    def take(self, key: str, text: str = "") -> Fault | None:
        """Take the first fault that waits for a call of the logical request *key* about *text*."""
        with self._lock:
            for place, fault in enumerate(self._waiting):
                if fault.key in (None, key) and fault.about in text:
                    rest = [replace(fault, times=fault.times - 1)] if fault.times > 1 else []
                    self._waiting[place : place + 1] = rest
                    return fault
        return None
