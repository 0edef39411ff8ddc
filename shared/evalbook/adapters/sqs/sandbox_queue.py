"""The queue of groups of cases that sandbox runs leave to invocations to come."""

from collections.abc import Iterator, Sequence
from typing import Any

from evalbook.adapters.sqs.messages import SqsQueue
from evalbook.domain.errors import StoreUnavailable
from evalbook.domain.records import Project
from evalbook.jsonio.canonical import plain_json
from evalbook.jsonio.reader import read_json
from evalbook.services.sandbox.ports import CaseGroup, RunKey
from evalbook.services.scoring.ports import Outgoing


class SandboxQueue:
    """A `WorkQueue`."""

    def __init__(self, queue: SqsQueue) -> None:
        self._queue = queue

    def send(self, groups: Sequence[CaseGroup]) -> None:
        """Send them all."""
        failed = self._queue.send([Outgoing(group.key.run_id, _message(group)) for group in groups])
        if failed:
            raise StoreUnavailable(f"the sandbox queue answered {next(iter(failed.values()))}")


def groups_of(event: dict[str, Any]) -> Iterator[tuple[str, CaseGroup]]:
    """The groups that an SQS event delivers, each with its message's id."""
    for record in event.get("Records", []):
        named = read_json(record["body"].encode())
        key = RunKey(Project(named["organization_id"], named["project_id"]), named["run_id"])
        yield record["messageId"], CaseGroup(key, named["begin"], named["end"])


def _message(group: CaseGroup) -> bytes:
    project = group.key.project
    return plain_json(
        {
            "organization_id": project.organization_id,
            "project_id": project.project_id,
            "run_id": group.key.run_id,
            "begin": group.begin,
            "end": group.end,
        }
    )
