from collections.abc import Iterator

import pytest

from evalbook.adapters.process.forked_worker import ForkedWorker


@pytest.fixture
def worker() -> Iterator[ForkedWorker]:
    worker = ForkedWorker(memory_mb=256)
    yield worker
    worker.close()
