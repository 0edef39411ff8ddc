"""The budget ledger's store on DynamoDB: one table, every commit one transaction."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import SystemRandom
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from botocore.exceptions import ClientError

from evalbook.adapters.aws_clients import AWS_ERRORS, error_code
from evalbook.adapters.dynamodb.budget_items import (
    CALL_SHARDS,
    Item,
    budget_item_key,
    call_item_key,
    due_shard,
    number,
    read_call,
    record,
    text,
)
from evalbook.adapters.dynamodb.budget_writes import action
from evalbook.budgets.calls import Call
from evalbook.budgets.model import Budget, BudgetKey, EpochMs
from evalbook.budgets.store import Record, Rejected, Write
from evalbook.domain.errors import StoreUnavailable

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

DUE_INDEX: Final = "due"

_ATTEMPTS: Final = 8
_BASE_SECONDS: Final = 0.025
_CAP_SECONDS: Final = 1.0
_PASSING: Final = frozenset({"TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"})
_CONDITION_FAILED: Final = "ConditionalCheckFailed"
_CANCELLED: Final = "TransactionCanceledException"
_IN_PROGRESS: Final = "TransactionInProgressException"

_random = SystemRandom()


def full_jitter(attempt: int) -> None:
    """Sleep for a random part of an exponentially growing time, at most a second."""
    time.sleep(_random.uniform(0, min(_CAP_SECONDS, _BASE_SECONDS * 2**attempt)))


class DynamoDbLedger:
    """A `LedgerStore`. *pause* is called with 0, 1, … between attempts that collided with others."""

    def __init__(self, client: "DynamoDBClient", table: str, pause: Callable[[int], None] = full_jitter) -> None:
        self._client = client
        self._table = table
        self._pause = pause

    def budget(self, key: BudgetKey) -> Budget | None:
        """The budget as it is now, or None."""
        found = self._read(budget_item_key(key))
        return found if isinstance(found, Budget) else None

    def calls(self, request_ids: Sequence[str]) -> Mapping[str, Call]:
        """Those of the calls that exist, as they are now, by logical id; at most 100 are asked for."""
        keys = [call_item_key(request_id) for request_id in request_ids]
        found = map(read_call, self._read_all(keys))
        return {call.request.request_id: call for call in found}

    def commit(self, writes: Sequence[Write]) -> Sequence[Rejected]:
        """Make all writes at once where every condition holds, and none otherwise; the writes that stood in the way.

        The token makes the transaction safe to repeat where its answer was lost. It is drawn anew for each commit: two
        workers that write the same must not both be told that they have.
        """
        now = int(time.time() * 1000)
        actions: list[Any] = [action(write, self._table, now) for write in writes]
        token = str(uuid4())
        for attempt in range(_ATTEMPTS):
            try:
                self._client.transact_write_items(TransactItems=actions, ClientRequestToken=token)
            except AWS_ERRORS as error:
                rejected = _rejections(writes, error)
                if rejected:
                    return rejected
                if not _passes(error):
                    raise _unavailable(error) from error
                self._pause(attempt)
            else:
                return ()
        raise StoreUnavailable("the ledger's transactions kept colliding")

    def overdue_calls(self, before: EpochMs, limit: int) -> Sequence[str]:
        """At most *limit* calls that hold money and whose owner's time was up before that instant; perhaps outdated.

        Every run starts at another shard, so that a full one does not keep the others waiting.
        """
        found: list[str] = []
        first = _random.randrange(CALL_SHARDS)
        for shard in (*range(first, CALL_SHARDS), *range(first)):
            if len(found) >= limit:
                break
            found += self._overdue_in(due_shard(shard), before, limit - len(found))
        return found

    def _overdue_in(self, shard: str, before: EpochMs, limit: int) -> list[str]:
        try:
            answer = self._client.query(
                TableName=self._table,
                IndexName=DUE_INDEX,
                KeyConditionExpression="due_shard = :shard AND due_at < :before",
                ExpressionAttributeValues={":shard": text(shard), ":before": number(before)},
                Limit=limit,
            )
        except AWS_ERRORS as error:
            raise _unavailable(error) from error
        return [item["pk"]["S"].partition("#")[2] for item in answer["Items"]]

    def _read(self, key: Item) -> Record | None:
        try:
            answer = self._client.get_item(TableName=self._table, Key=key, ConsistentRead=True)
        except AWS_ERRORS as error:
            raise _unavailable(error) from error
        return record(answer["Item"]) if "Item" in answer else None

    def _read_all(self, keys: Sequence[Item]) -> Iterator[Item]:
        wanted: Any = {self._table: {"Keys": keys, "ConsistentRead": True}}
        for attempt in range(_ATTEMPTS):
            try:
                answer = self._client.batch_get_item(RequestItems=wanted)
            except AWS_ERRORS as error:
                raise _unavailable(error) from error
            yield from answer["Responses"].get(self._table, [])
            wanted = answer.get("UnprocessedKeys")
            if not wanted:
                return
            self._pause(attempt)
        raise StoreUnavailable("the ledger's reads were throttled")


def _reasons(error: Exception) -> list[dict[str, Any]]:
    if not isinstance(error, ClientError) or error_code(error) != _CANCELLED:
        return []
    answer: Mapping[str, Any] = error.response
    return list(answer.get("CancellationReasons", ()))


def _rejections(writes: Sequence[Write], error: Exception) -> list[Rejected]:
    """The writes whose condition failed; reasons stand in the order of the writes."""
    return [
        Rejected(write, record(reason["Item"]) if reason.get("Item") else None)
        for write, reason in zip(writes, _reasons(error), strict=False)
        if reason.get("Code") == _CONDITION_FAILED
    ]


def _passes(error: Exception) -> bool:
    """Whether trying again can help: every reason is a collision or throttling."""
    codes = {reason.get("Code", "None") for reason in _reasons(error)} - {"None"}
    return error_code(error) == _IN_PROGRESS or (bool(codes) and codes <= _PASSING)


def _unavailable(error: Exception) -> StoreUnavailable:
    return StoreUnavailable(f"the ledger answered {error_code(error)}")
