from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from evalbook.domain.outcome import Grade
from evalbook.services.scoring.consumer import Summary
from evalbook.services.scoring.ports import Message
from evalbook.services.scoring.retries_exhausted import RETRIES_EXHAUSTED, RetriesExhausted
from evalbook.services.scoring.score_batches import ScoreMessages
from evalbook.services.scoring.version_lookup import VersionLookup
from evalbook.services.scoring.worker import Worker
from tests.fakes.batches import results_of, version
from tests.fakes.stores import MemoryBodies, MemoryDeadLetters, MemoryQueue, MemoryVersions
from tests.fakes.worker import InProcessWorker


def an_hour() -> float:
    return 3_600.0


@dataclass
class House:
    """The use cases over stores in memory; the family is `text`."""

    versions: MemoryVersions = field(default_factory=MemoryVersions)
    worker: Worker = field(default_factory=InProcessWorker)
    bodies: MemoryBodies = field(default_factory=MemoryBodies)
    results_queue: MemoryQueue = field(default_factory=MemoryQueue)
    queue: MemoryQueue = field(default_factory=MemoryQueue)
    dead: MemoryDeadLetters = field(default_factory=MemoryDeadLetters)

    def use_case(self, *, family: str | None = "text", verdict: Grade | None = None) -> ScoreMessages:
        return ScoreMessages(
            versions=VersionLookup(self.versions, family),
            worker=self.worker,
            bodies=self.bodies,
            results=self.results_queue,
            queue=None if verdict else self.queue,
            verdict=verdict,
        )

    def score(self, *messages: Message, seconds_left: Callable[[], float] = an_hour, **options: Any) -> Summary:
        return self.use_case(**options).handle(messages, self.dead, seconds_left)

    def give_up(self, *messages: Message, seconds_left: Callable[[], float] = an_hour) -> Summary:
        return RetriesExhausted(self.use_case(family=None, verdict=RETRIES_EXHAUSTED)).handle(
            messages, self.dead, seconds_left
        )

    @property
    def results(self) -> list[dict[str, Any]]:
        return results_of(self.results_queue.bodies)

    @property
    def outcomes(self) -> list[str]:
        return [result["outcome"] for result in self.results]

    @property
    def codes(self) -> list[str | None]:
        return [result["code"] for result in self.results]

    @property
    def result_ids(self) -> Sequence[str]:
        return [result["result_id"] for result in self.results]


@pytest.fixture
def house() -> House:
    house = House()
    house.versions.put(version())
    return house
