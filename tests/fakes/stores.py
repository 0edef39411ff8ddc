"""Stores and queues in memory that answer like the real ones; tests/contract/test_ports.py holds them to it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256 as hash_sha256

from evalbook.adapters.s3 import bodies
from evalbook.domain.errors import StoreUnavailable, Unreadable
from evalbook.domain.versions import ScorerKey, ScorerVersion, VersionState
from evalbook.services.scoring.ports import Message, Outgoing


@dataclass
class MemoryVersions:
    """A `VersionStore`; `down` makes every call fail."""

    versions: dict[tuple[ScorerKey, int], ScorerVersion] = field(default_factory=dict)
    pins: dict[tuple[ScorerKey, str], int] = field(default_factory=dict)
    actives: dict[ScorerKey, int] = field(default_factory=dict)
    reads: int = 0
    down: bool = False

    def put(self, version: ScorerVersion) -> None:
        self.versions.setdefault((version.scorer, version.number), version)

    def activate(self, scorer: ScorerKey, number: int) -> None:
        self.versions[scorer, number] = replace(self.versions[scorer, number], state=VersionState.ACTIVE)
        self.actives[scorer] = number

    def get(self, scorer: ScorerKey, number: int) -> ScorerVersion | None:
        self._answer()
        return self.versions.get((scorer, number))

    def active(self, scorer: ScorerKey) -> int | None:
        self._answer()
        return self.actives.get(scorer)

    def pin(self, scorer: ScorerKey, run_id: str, number: int | None) -> int | None:
        self._answer()
        if number is not None:
            self.pins.setdefault((scorer, run_id), number)
        return self.pins.get((scorer, run_id))

    def _answer(self) -> None:
        self.reads += 1
        if self.down:
            raise StoreUnavailable("the registry is down")


def takes_all(_: Sequence[Outgoing]) -> bool:
    return True


@dataclass
class MemoryQueue:
    """A `Queue`; it takes what `takes` says, called once a send."""

    bodies: list[bytes] = field(default_factory=list)
    takes: Callable[[Sequence[Outgoing]], bool] = takes_all

    def send(self, messages: Sequence[Outgoing]) -> dict[str, str]:
        if not self.takes(messages):
            return {message.answers: "Refused" for message in messages}
        self.bodies += [message.body for message in messages]
        return {}


@dataclass
class MemoryDeadLetters:
    """`DeadLetters`; `down` makes every call fail."""

    kept: list[tuple[Message, str]] = field(default_factory=list)
    down: bool = False

    def send(self, message: Message, reason: str) -> None:
        if self.down:
            raise StoreUnavailable("the dead-letter queue is down")
        self.kept.append((message, reason))


@dataclass
class MemoryBodies:
    """`Bodies`; `down` makes every call fail."""

    objects: dict[str, bytes] = field(default_factory=dict)
    down: bool = False

    def read(self, key: str, sha256: str) -> bytes:
        if self.down:
            raise StoreUnavailable("the bucket is down")
        body = self.objects.get(key)
        if body is None:
            raise Unreadable("the object that cases_ref names does not exist")
        if len(body) > bodies.MAX_BYTES:
            raise Unreadable("the object that cases_ref names is larger than 8 MiB")
        if hash_sha256(body).hexdigest() != sha256:
            raise Unreadable("the object that cases_ref names has another digest")
        return body
