"""Packing results into messages: at most 100 results and 200 KB each."""

from collections.abc import Iterable, Iterator

import orjson

from evalbook.contracts.score_batch import ScoreBatch

MAX_RESULTS = 100
MAX_BYTES = 200_000


def pack(batch: ScoreBatch, results: Iterable[bytes]) -> Iterator[bytes]:
    """Yield result batches, each a message's body, from encoded results in their order."""
    start = _start(batch)
    held: list[bytes] = []
    size = len(start) + 2
    for result in results:
        if held and (len(held) == MAX_RESULTS or size + len(result) + 1 > MAX_BYTES):
            yield start + b",".join(held) + b"]}"
            held, size = [], len(start) + 2
        held.append(result)
        size += len(result) + 1
    if held:
        yield start + b",".join(held) + b"]}"


def empty(batch: ScoreBatch) -> bytes:
    """Return the result batch that answers a batch without cases."""
    return _start(batch) + b"]}"


def _start(batch: ScoreBatch) -> bytes:
    head = {
        "schema_version": 1,
        "organization_id": batch.organization_id,
        "project_id": batch.project_id,
        "run_id": batch.run_id,
        "batch_id": batch.batch_id,
    }
    return orjson.dumps(head)[:-1] + b',"results":['
