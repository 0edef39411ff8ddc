"""A ledger store in memory: the rules of `evalbook.budget_store` over a dict, with room for accidents."""

import threading
from collections.abc import Callable, Sequence

from evalbook.budget import AccountState, Budget, BudgetKey
from evalbook.budget_calls import HOLDING, Call
from evalbook.budget_leases import Lease
from evalbook.budget_store import Record, RecordKey, Rejected, Write, applied, holds, record_key


class MemoryLedger:
    """A `LedgerStore`.

    `before_commit` and `after_commit` are called around each commit: they may run other work in between, or raise.
    """

    def __init__(self) -> None:
        self.records: dict[RecordKey, Record] = {}
        self.commits = 0
        self.before_commit: Callable[[], None] = lambda: None
        self.after_commit: Callable[[], None] = lambda: None
        self._lock = threading.Lock()

    def budget(self, key: BudgetKey) -> Budget | None:
        return self.records.get(key)

    def calls(self, request_ids: Sequence[str]) -> dict[str, Call]:
        found = {request_id: self.records.get(("call", request_id)) for request_id in request_ids}
        return {request_id: call for request_id, call in found.items() if call is not None}

    def lease(self, lease_id: str) -> Lease | None:
        return self.records.get(("lease", lease_id))

    def commit(self, writes: Sequence[Write]) -> Sequence[Rejected]:
        self.before_commit()
        with self._lock:
            rejected = self._commit(writes)
        self.after_commit()
        return rejected

    def _commit(self, writes: Sequence[Write]) -> Sequence[Rejected]:
        found = {record_key(write): self.records.get(record_key(write)) for write in writes}
        assert len(found) == len(writes), "two writes are for the same record"
        rejected = [Rejected(write, found[record_key(write)]) for write in writes]
        rejected = [one for one in rejected if not holds(one.write, one.record)]
        if not rejected:
            self.commits += 1
            self.records |= {record_key(write): applied(write, found[record_key(write)]) for write in writes}
        return rejected

    def overdue_calls(self, before: int, limit: int) -> Sequence[str]:
        due = [call for call in self.all_calls() if call.state in HOLDING and call.ownership.until < before]
        return [call.request.request_id for call in due][:limit]

    def overdue_leases(self, before: int, limit: int) -> Sequence[str]:
        due = [
            lease
            for lease in self.records.values()
            if isinstance(lease, Lease) and lease.state is AccountState.OPEN and lease.expires_at < before
        ]
        return [lease.lease_id for lease in due][:limit]

    def all_calls(self) -> list[Call]:
        return [record for record in self.records.values() if isinstance(record, Call)]

    def all_leases(self) -> list[Lease]:
        return [record for record in self.records.values() if isinstance(record, Lease)]
