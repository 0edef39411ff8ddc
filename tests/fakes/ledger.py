"""Ledger stores for tests: one in memory, one that compares two, one with accidents; and the table for the real one."""

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from evalbook.adapters.dynamodb.budgets import DUE_INDEX
from evalbook.budgets.calls import HOLDING, Call
from evalbook.budgets.model import Budget, BudgetKey
from evalbook.budgets.store import (
    CloseBudget,
    LedgerStore,
    MoveBudget,
    OpenBudget,
    Record,
    Rejected,
    Write,
    WriteCall,
    applied,
    holds,
)
from evalbook.domain.errors import StoreUnavailable

TABLE = "budgets"

RecordKey = BudgetKey | tuple[str, str]


def record_key(write: Write) -> RecordKey:
    """The record that a write is for."""
    match write:
        case OpenBudget(budget):
            return budget.key
        case CloseBudget(key) | MoveBudget(key):
            return key
        case WriteCall(_, after):
            return ("call", after.request.request_id)


class MemoryLedger:
    """A `LedgerStore`: the rules of `evalbook.budgets.store` over a dict."""

    def __init__(self) -> None:
        self.records: dict[RecordKey, Record] = {}
        self._lock = threading.Lock()

    def budget(self, key: BudgetKey) -> Budget | None:
        found = self.records.get(key)
        return found if isinstance(found, Budget) else None

    def calls(self, request_ids: Sequence[str]) -> Mapping[str, Call]:
        found = {request_id: self.records.get(("call", request_id)) for request_id in request_ids}
        return {request_id: call for request_id, call in found.items() if isinstance(call, Call)}

    def commit(self, writes: Sequence[Write]) -> Sequence[Rejected]:
        with self._lock:
            found = {record_key(write): self.records.get(record_key(write)) for write in writes}
            assert len(found) == len(writes) > 0, "a transaction writes something, and no record twice"
            rejected = [Rejected(write, found[record_key(write)]) for write in writes]
            rejected = [one for one in rejected if not holds(one.write, one.record)]
            if not rejected:
                self.records |= {record_key(write): applied(write, found[record_key(write)]) for write in writes}
            return rejected

    def overdue_calls(self, before: int, limit: int) -> Sequence[str]:
        due = [call for call in self.all_calls() if call.state in HOLDING and call.ownership.until < before]
        return [call.request.request_id for call in due][:limit]

    def all_calls(self) -> list[Call]:
        return [record for record in self.records.values() if isinstance(record, Call)]


class TwinLedger(MemoryLedger):
    """The store in memory, and another one that has to say the same to everything."""

    def __init__(self, other: LedgerStore) -> None:
        super().__init__()
        self.other = other

    def budget(self, key: BudgetKey) -> Budget | None:
        return _same(super().budget(key), self.other.budget(key))

    def calls(self, request_ids: Sequence[str]) -> Mapping[str, Call]:
        return _same(super().calls(request_ids), self.other.calls(request_ids))

    def commit(self, writes: Sequence[Write]) -> Sequence[Rejected]:
        return _same(super().commit(writes), list(self.other.commit(writes)))

    def overdue_calls(self, before: int, limit: int) -> Sequence[str]:
        every = super().overdue_calls(before, 100)
        _same(set(every), set(self.other.overdue_calls(before, 100)))
        return every[:limit]


class UnreliableLedger:
    """A `LedgerStore` before another one; what happens around each commit may do anything, or raise."""

    def __init__(self, store: LedgerStore) -> None:
        self._store = store
        self.before_commit: Callable[[], None] = nothing
        self.after_commit: Callable[[], None] = nothing

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def commit(self, writes: Sequence[Write]) -> Sequence[Rejected]:
        self.before_commit()
        rejected = self._store.commit(writes)
        self.after_commit()
        return rejected


def nothing() -> None:
    """All is well."""


def unavailable() -> None:
    """The store does not answer."""
    raise StoreUnavailable("the store is down")


def make_budgets_table(client: Any, name: str = TABLE) -> str:
    """The table as the template makes it."""
    client.create_table(
        TableName=name,
        BillingMode="PAY_PER_REQUEST",
        KeySchema=_keys("pk", "sk"),
        AttributeDefinitions=[_attribute("pk"), _attribute("sk"), _attribute("due_shard"), _attribute("due_at", "N")],
        GlobalSecondaryIndexes=[
            {
                "IndexName": DUE_INDEX,
                "KeySchema": _keys("due_shard", "due_at"),
                "Projection": {"ProjectionType": "KEYS_ONLY"},
            }
        ],
    )
    return name


def _same(ours: Any, theirs: Any) -> Any:
    assert ours == theirs
    return ours


def _keys(partition: str, sort: str) -> list[dict[str, str]]:
    return [{"AttributeName": partition, "KeyType": "HASH"}, {"AttributeName": sort, "KeyType": "RANGE"}]


def _attribute(name: str, kind: str = "S") -> dict[str, str]:
    return {"AttributeName": name, "AttributeType": kind}
