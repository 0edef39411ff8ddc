"""Score batches, versions and results as the tests write and read them."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from evalbook.domain.versions import ScorerKey, ScorerVersion, VersionState, version_digest
from evalbook.jsonio.reader import read_json
from evalbook.services.scoring.ports import Message

ORGANIZATION = "org-1"
PROJECT = "project-1"
SCORER = ScorerKey(ORGANIZATION, PROJECT, "greeting")


def version(
    number: int = 1,
    *,
    implementation: str = "contains",
    parameters: Mapping[str, Any] | None = None,
    state: VersionState = VersionState.ACTIVE,
    time_limit_ms: int = 2_000,
    scorer: ScorerKey = SCORER,
) -> ScorerVersion:
    text = json.dumps({"texts": ["hello"]} if parameters is None else parameters)
    digest = version_digest(implementation, read_json(text.encode()), time_limit_ms)
    return ScorerVersion(scorer, number, implementation, text, time_limit_ms, digest, state)


def cases(*outputs: Any) -> list[dict[str, Any]]:
    return [{"case_id": f"case-{number}", "output": output} for number, output in enumerate(outputs)]


def head(**changes: Any) -> dict[str, Any]:
    return {
        "schema_version": 1,
        "organization_id": ORGANIZATION,
        "project_id": PROJECT,
        "run_id": "run-1",
        "batch_id": "batch-1",
        "purpose": "evaluation",
        "scorer": {"name": SCORER.name, "version": 1},
        **changes,
    }


def batch(cases: Sequence[Any], **changes: Any) -> bytes:
    return json.dumps(head(cases=list(cases), **changes)).encode()


def batch_of_texts(cases: Iterable[bytes], **changes: Any) -> bytes:
    """A batch whose cases are texts, which need not be JSON."""
    return json.dumps(head(**changes)).encode()[:-1] + b', "cases": [' + b", ".join(cases) + b"]}"


def message(body: bytes, message_id: str = "message-1", receive_count: int = 1) -> Message:
    return Message(message_id, body, receive_count)


def results_of(bodies: Iterable[bytes | str]) -> list[dict[str, Any]]:
    return [result for body in bodies for result in json.loads(body)["results"]]
