"""The whole handling of an SQS event, 10 messages of 100 cases, against reading and writing the same bytes as JSON."""

import json
import random
import time
from collections.abc import Sequence

from benchmarks._cases import text
from benchmarks.measuring import shown, table
from evalbook.adapters.process.forked_worker import ForkedWorker
from evalbook.adapters.sqs.event import messages_of
from evalbook.domain.versions import ScorerKey, ScorerVersion, VersionState, version_digest
from evalbook.services.scoring.ports import Message, Outgoing
from evalbook.services.scoring.score_batches import ScoreMessages
from evalbook.services.scoring.version_lookup import VersionLookup

MESSAGES, CASES, ROUNDS = 10, 100, 100


class Versions:
    """One active version."""

    def __init__(self, implementation: str, parameters: dict) -> None:
        digest = version_digest(implementation, parameters, 2_000)
        key = ScorerKey("o", "p", "s")
        self.version = ScorerVersion(key, 1, implementation, json.dumps(parameters), 2_000, digest, VersionState.ACTIVE)

    def get(self, scorer: ScorerKey, number: int) -> ScorerVersion:
        return self.version

    def active(self, scorer: ScorerKey) -> int:
        return 1

    def pin(self, scorer: ScorerKey, run_id: str, number: int | None) -> int:
        return 1


class Sink:
    """A queue that takes everything and keeps nothing, and a bucket and dead letters that are never asked."""

    def send(self, messages: Sequence[Outgoing], reason: str = "") -> dict[str, str]:
        return {}

    def read(self, key: str, sha256: str) -> bytes:
        return b"[]"


def event(cases: list[dict]) -> dict:
    body = {
        "schema_version": 1,
        "organization_id": "o",
        "project_id": "p",
        "run_id": "r",
        "batch_id": "b",
        "purpose": "evaluation",
        "scorer": {"name": "s", "version": 1},
        "cases": cases,
    }
    record = {"body": json.dumps(body), "attributes": {"ApproximateReceiveCount": "1"}}
    return {"Records": [{**record, "messageId": str(number)} for number in range(MESSAGES)]}


def texts() -> list[dict]:
    generator = random.Random(3)
    expected = [text(generator, 150) for _ in range(CASES)]
    return [
        {"case_id": f"case-{n}", "output": value if n % 2 else value + "#", "expected": value}
        for n, value in enumerate(expected)
    ]


def objects() -> list[dict]:
    generator = random.Random(4)
    expected = [{f"field_{i}": text(generator, 40) for i in range(18)} for _ in range(CASES)]
    return [{"case_id": f"case-{n}", "output": value, "expected": value} for n, value in enumerate(expected)]


def seconds(function: object) -> float:
    times = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        function()
        times.append(time.perf_counter() - started)
    # Other load only ever slows a round down, and this one needs two processes to get their turns.
    return min(times)


def row(title: str, implementation: str, parameters: dict, cases: list[dict]) -> list[str]:
    incoming = event(cases)
    bodies = [record["body"] for record in incoming["Records"]]
    worker = ForkedWorker()
    worker.start()
    use_case = ScoreMessages(VersionLookup(Versions(implementation, parameters), None), worker, Sink(), Sink(), Sink())

    def handle() -> None:
        messages: list[Message] = messages_of(incoming)
        summary = use_case.handle(messages, Sink(), lambda: 80.0)
        if summary.failed or summary.outcomes.total() != MESSAGES * CASES:
            raise AssertionError(summary)

    def copy() -> None:
        for body in bodies:
            json.dumps(json.loads(body))

    handle()
    ours, floor = seconds(handle), seconds(copy)
    worker.close()
    rate = MESSAGES * CASES / ours
    return [title, f"{floor * 1e3:.1f}", f"{ours * 1e3:.1f}", f"{ours / floor:.1f}", shown(rate)]


def main() -> None:
    print("Milliseconds of wall time an event, the best of", ROUNDS, "rounds.\n")
    rows = [
        row("texts of 150 characters, exact_match", "exact_match", {}, texts()),
        row("objects of 1 KB, exact_match as JSON", "exact_match", {"compare": "json"}, objects()),
    ]
    print(table(("event of 10 x 100 cases", "json.loads + json.dumps", "handler", "ratio", "cases a second"), rows))


if __name__ == "__main__":
    main()
