"""A worker in this process: no time limit and no protection, and orders about what is to go wrong."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from evalbook.domain.errors import WorkerDied
from evalbook.domain.outcome import Code, errored
from evalbook.services.scoring.worker import Job

_CRASHED = errored(Code.SCORING_FAILED, "Scoring the case ended the scoring process.")


class OutOfTime(Exception):
    pass


def enough() -> int:
    return 10**9


@dataclass
class InProcessWorker:
    """A `Worker` that starts as many items a run as `room` says, and dies at the items in `deadly`."""

    room: Callable[[], int] = enough
    deadly: frozenset[int] = frozenset()

    def run(self, job: Job, *, seconds_left: float, survive_crashes: bool) -> Iterator[tuple[int, bytes]]:
        room = self.room() if seconds_left > 0 else -1

        def mark(index: int, limit_ms: int) -> None:
            if index >= room:
                raise OutOfTime

        decided = dict.fromkeys(self.deadly, _CRASHED) if survive_crashes else {}
        try:
            for index, encoded in job.results(0, decided, mark):
                if index in self.deadly and not survive_crashes:
                    raise WorkerDied("the scoring process ended in the middle of a batch")
                yield index, encoded
        except OutOfTime:
            return
