"""The calls of the SSO stand-in: which were charged, and the answers that are given again for the same key."""

import hashlib
import threading
from dataclasses import dataclass
from enum import Enum, auto

from devstack.standins.http_service import Response


@dataclass(frozen=True, slots=True)
class Arrival:
    """A call as it arrived, charged or not."""

    logical_id: str
    request_id: str
    organization_id: str
    budget_id: str
    body_sha256: str


@dataclass(frozen=True, slots=True)
class Charge:
    """One charged call, in whole micro-dollars; the tokens are estimated from the texts."""

    logical_id: str
    organization_id: str
    budget_id: str
    model: str
    input_tokens: int
    output_tokens: int
    micro_dollars: int


class CallStatus(Enum):
    """What is known of a key."""

    NEW = auto()
    IN_PROGRESS = auto()
    CONFLICT = auto()


class CallBook:
    """Every call and charge; answers are replayed by organization and key where *replays* is set."""

    def __init__(self, *, replays: bool) -> None:
        self.replays = replays
        self._arrivals: list[Arrival] = []
        self._charges: list[Charge] = []
        self._keys: dict[tuple[str, str], tuple[str, Response | None]] = {}
        self._lock = threading.Lock()

    @property
    def arrivals(self) -> tuple[Arrival, ...]:
        """The calls that arrived, in order."""
        with self._lock:
            return tuple(self._arrivals)

    @property
    def charges(self) -> tuple[Charge, ...]:
        """The charges, in order."""
        with self._lock:
            return tuple(self._charges)

    def note(self, arrival: Arrival) -> None:
        """Write down that a call arrived."""
        with self._lock:
            self._arrivals.append(arrival)

    def begin(self, arrival: Arrival) -> Response | CallStatus:
        """Give the stored answer to the same call, or say what is known of its key, which then is in progress."""
        if not self.replays:
            return CallStatus.NEW
        key = (arrival.organization_id, arrival.logical_id)
        with self._lock:
            if key not in self._keys:
                self._keys[key] = (arrival.body_sha256, None)
                return CallStatus.NEW
            digest, response = self._keys[key]
        if digest != arrival.body_sha256:
            return CallStatus.CONFLICT
        return CallStatus.IN_PROGRESS if response is None else response

    def finish(self, arrival: Arrival, charge: Charge, response: Response) -> None:
        """Charge a call and keep its answer, in one step."""
        with self._lock:
            self._charges.append(charge)
            self._keys[arrival.organization_id, arrival.logical_id] = (arrival.body_sha256, response)

    def give_up(self, arrival: Arrival) -> None:
        """Forget a call that ended before it was charged: its key is not used up."""
        with self._lock:
            self._keys.pop((arrival.organization_id, arrival.logical_id), None)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._arrivals.clear()
            self._charges.clear()
            self._keys.clear()


def sha256_hex(body: bytes) -> str:
    """Hash *body*; 64 hexadecimal digits."""
    return hashlib.sha256(body).hexdigest()
