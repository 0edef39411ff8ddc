"""Jobs: what the scoring process works on, one numbered item after the other."""

from collections.abc import Iterator, Mapping
from typing import Protocol

from evalbook.domain.outcome import Grade

PREPARE_LIMIT_MS = 10_000


def preparing(index: int) -> int:
    """Return the number that stands for preparing the version of item *index*, beside *index* for scoring it."""
    return ~index


class Mark(Protocol):
    """Tells the watching process that work on a numbered item starts now, and how long it may take."""

    def __call__(self, index: int, limit_ms: int) -> None:
        """Note the start; it raises to end the job where the time left cannot hold the limit."""


class Job(Protocol):
    """A picklable piece of work with one encoded result an item."""

    @property
    def size(self) -> int:
        """How many items there are, numbered from 0."""

    def results(self, begin: int, decided: Mapping[int, Grade], mark: Mark) -> Iterator[tuple[int, bytes]]:
        """Yield each item's number and encoded result, from item *begin* on.

        *decided* holds the grades of items (and, under `preparing(index)`, of preparations) that are not to be tried
        again, because they ran out of time or ended the process.
        """


class Worker(Protocol):
    """Runs jobs in a process of its own, so that nothing a case holds can stop or kill the caller."""

    def run(self, job: Job, *, seconds_left: float, survive_crashes: bool) -> Iterator[tuple[int, bytes]]:
        """Yield the results in order; those not yielded were not started, because the time left could not hold them.

        Raises:
            WorkerDied: The process ended in the middle of an item and *survive_crashes* is false. With true the item's
                grade is SCORING_FAILED instead.
        """
