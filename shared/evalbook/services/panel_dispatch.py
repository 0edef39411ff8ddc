"""Dispatching judge batches: every case becomes an execution of its own, or gets its result at once."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from evalbook.canonical import plain_json
from evalbook.contracts.case import read_case
from evalbook.contracts.score_batch import CaseValue, ReadBatch, read_batch
from evalbook.errors import CaseInvalid, Unreadable
from evalbook.jsonvalue import encode_json
from evalbook.outcome import Assurance, Code, Grade, errored
from evalbook.result import CaseIdentity, ResultWriter, Run
from evalbook.services.batch_job import identified, unscorable
from evalbook.services.panel_ports import Executions, PanelBodies
from evalbook.services.panel_records import PanelJob, StoredScorer
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

MAX_CASE_BYTES = 8 * 2**20
_SECONDS_A_CASE = 3.0
_NO_BUDGET = errored(Code.BUDGET_EXHAUSTED, "The batch names no AI budget, so no judge can be asked.")
_TOO_LARGE = errored(Code.INPUT_TOO_LONG, "The case is larger than a judge can be asked about.")


@dataclass(frozen=True, slots=True)
class DispatchPanels:
    """Starts one execution a case, whose name is the case's result id: the same case never runs twice."""

    versions: VersionLookup
    bodies: Bodies
    panel_bodies: PanelBodies
    executions: Executions
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
        batch = read.head
        writer = ResultWriter(
            Run(batch.organization_id, batch.project_id, batch.run_id), found.scorer, Assurance.REPORTED
        )
        job = _job(read, found, identity, value)
        if isinstance(job, Grade):
            yield writer.encode(identity, job)
            return
        panel_id = writer.result_id(identity)
        ref = self.panel_bodies.put(panel_id, job.model_dump_json().encode())
        self.executions.start(panel_id, encode_json(entry(panel_id, ref.key, ref.sha256)).decode())


def entry(panel_id: str, key: str, sha256: str) -> dict[str, object]:
    """What an execution starts with: references only."""
    return {"panel_id": panel_id, "job": {"key": key, "sha256": sha256}, "prepared": {"attempt": 0}}


def _job(read: ReadBatch, found: FoundVersion, identity: CaseIdentity, value: CaseValue) -> PanelJob | Grade:
    """The case's job, or the grade that it gets without any judge."""
    batch, scorer = read.head, found.scorer
    refused = unscorable(identity, value)
    if refused is not None:
        return refused
    try:
        case = read_case(value)
    except CaseInvalid as error:
        return errored(Code.CASE_INVALID, str(error))
    text = plain_json(value)
    refused = found.refusal or _refusal(batch.budget_id, text)
    if refused is not None:
        return refused
    return PanelJob(
        organization_id=batch.organization_id,
        project_id=batch.project_id,
        run_id=batch.run_id,
        batch_id=batch.batch_id,
        purpose=batch.purpose,
        budget_id=batch.budget_id,
        scorer=StoredScorer(
            name=scorer.name,
            version=scorer.version or 0,
            digest=scorer.digest or "",
            implementation=scorer.implementation or "",
        ),
        case_id=case.case_id,
        example_id=case.example_id,
        case_digest=identity.digest,
        case=text.decode("utf-8", "surrogatepass"),
    )


def _refusal(budget_id: str | None, case: bytes) -> Grade | None:
    if budget_id is None:
        return _NO_BUDGET
    return _TOO_LARGE if len(case) > MAX_CASE_BYTES else None
