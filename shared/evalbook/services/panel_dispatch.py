"""Dispatching judge batches: every case becomes an execution of its own, or gets its result at once."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from evalbook.contracts.score_batch import CaseValue, ReadBatch, read_batch
from evalbook.errors import Unreadable
from evalbook.outcome import Grade
from evalbook.result import CaseIdentity, Run
from evalbook.services.batch_job import identified
from evalbook.services.panel_launch import PanelLauncher, PanelRun
from evalbook.services.ports import Bodies, DeadLetters, Message, Queue
from evalbook.services.rest import rest_of
from evalbook.services.score_messages import (
    SECONDS_A_MESSAGE,
    Summary,
    cases_of,
    one_by_one,
    outcome_of,
    put_back,
    send_results,
)
from evalbook.services.version_lookup import FoundVersion, VersionLookup

STARTED = "started"
"""Stands among a summary's outcomes for cases that a judge is being asked about."""

_SECONDS_A_CASE = 3.0


@dataclass(frozen=True, slots=True)
class DispatchPanels:
    """Starts one execution a case, whose name is the case's result id: the same case never runs twice."""

    versions: VersionLookup
    bodies: Bodies
    launcher: PanelLauncher
    results: Queue
    queue: Queue

    def handle(self, messages: Sequence[Message], dead: DeadLetters, seconds_left: Callable[[], float]) -> Summary:
        """Dispatch *messages* one after the other; those in `Summary.failed` are to be delivered again."""
        return one_by_one(messages, lambda message, summary: self._one(message, dead, seconds_left, summary))

    def _one(self, message: Message, dead: DeadLetters, seconds_left: Callable[[], float], summary: Summary) -> None:
        if seconds_left() < SECONDS_A_MESSAGE:
            put_back(self.queue, message, message.body, summary)
            return
        try:
            read = read_batch(message.body)
            cases = cases_of(message, read, self.bodies)
        except Unreadable as error:
            dead.send(message, error.reason)
            summary.unreadable += 1
            return
        found = self.versions.find(read.head)
        done, results = 0, list[bytes]()
        for identity, value in identified(cases):
            if seconds_left() < _SECONDS_A_CASE:
                break
            results += self._case(read, found, identity, value)
            done += 1
        send_results(self.results, message, read.head, results)
        if done < cases.end - cases.begin:
            put_back(self.queue, message, rest_of(read, done) if done else message.body, summary)
        summary.outcomes.update(map(outcome_of, results))
        summary.outcomes.update({STARTED: done - len(results)})

    def _case(self, read: ReadBatch, found: FoundVersion, identity: CaseIdentity, value: CaseValue) -> Iterator[bytes]:
        """Start the case's panel, or yield the result that it gets instead."""
        panels = _panels(read, found)
        started = self.launcher.start(panels, identity, value)
        if isinstance(started, Grade):
            yield panels.writer().encode(identity, started)


def _panels(read: ReadBatch, found: FoundVersion) -> PanelRun:
    batch = read.head
    return PanelRun(
        run=Run(batch.organization_id, batch.project_id, batch.run_id),
        scorer=found.scorer,
        purpose=batch.purpose,
        batch_id=batch.batch_id,
        budget_id=batch.budget_id,
        refusal=found.refusal,
    )
