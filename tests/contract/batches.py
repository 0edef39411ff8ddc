"""Score batches as they are sent."""

import json
from typing import Any

from evalbook.contracts.score_batch import ReadBatch, read_batch

HEAD: dict[str, Any] = {
    "schema_version": 1,
    "organization_id": "org-1",
    "project_id": "project-1",
    "run_id": "run-1",
    "batch_id": "batch-1",
    "purpose": "evaluation",
    "scorer": {"name": "same", "version": 3},
}


def message(cases: str | bytes | None = "[]", **head: Any) -> bytes:
    """A message's body with the text of its cases; a member that is None is left out."""
    members = {name: member for name, member in {**HEAD, **head}.items() if member is not None}
    body = json.dumps(members).encode()
    text = cases.encode() if isinstance(cases, str) else cases
    return body if text is None else body[:-1] + b',"cases":' + text + b"}"


def batch_of(cases: str | bytes) -> ReadBatch:
    """The batch as it is read."""
    return read_batch(message(cases))
