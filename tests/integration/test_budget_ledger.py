"""The ledger on DynamoDB when DynamoDB is in trouble."""

from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError, ReadTimeoutError
from moto import mock_aws

from evalbook.adapters.dynamodb.budgets import DynamoDbLedger, full_jitter
from evalbook.budgets.calls import Basis, CallRequest, CallState, Charge, Ownership, Settled, Settlement
from evalbook.budgets.model import Budget, BudgetKey
from evalbook.budgets.reservations import Admitted, Order
from evalbook.domain.errors import StoreUnavailable
from evalbook.services.budgets.ledger import BudgetLedger, LedgerSettings
from tests.fakes.ledger import make_budgets_table

KEY = BudgetKey("org", "project", "budget")
NOW = 1_000
ORDER = Order(KEY, (CallRequest("call", "digest", 30),), Ownership("worker", 2_000))


class Troubled:
    """A DynamoDB client whose next calls end as they are told to."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self.trouble: list[Any] = []
        self.tokens: list[str] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.client, name)

    def transact_write_items(self, **request: Any) -> Any:
        self.tokens.append(request["ClientRequestToken"])
        if self.trouble:
            raise self.trouble.pop(0)
        return self.client.transact_write_items(**request)

    def batch_get_item(self, **request: Any) -> Any:
        if self.trouble:
            trouble = self.trouble.pop(0)
            if isinstance(trouble, Exception):
                raise trouble
            return {"Responses": {}, "UnprocessedKeys": request["RequestItems"]}
        return self.client.batch_get_item(**request)


@pytest.fixture
def client() -> Iterator[Troubled]:
    with mock_aws():
        client = Troubled(boto3.client("dynamodb", "eu-west-1"))
        make_budgets_table(client)
        yield client


@pytest.fixture
def pauses() -> list[int]:
    return []


@pytest.fixture
def ledger(client: Troubled, pauses: list[int]) -> BudgetLedger:
    store = DynamoDbLedger(client, "budgets", pauses.append)
    ledger = BudgetLedger(store, LedgerSettings(False, lambda: NOW, lambda: 5))
    ledger.create_budget(Budget.opened(KEY, 100, "evaluation", expires_at=10**12))
    return ledger


def error(code: str, *reasons: str) -> ClientError:
    answer: Any = {"Error": {"Code": code}, "CancellationReasons": [{"Code": reason} for reason in reasons]}
    return ClientError(answer, "TransactWriteItems")


def cancelled(*reasons: str) -> ClientError:
    return error("TransactionCanceledException", *reasons)


@pytest.mark.parametrize(
    "passing",
    [
        cancelled("TransactionConflict", "None"),
        cancelled("None", "ThrottlingError"),
        cancelled("TransactionConflict", "ProvisionedThroughputExceeded"),
        error("TransactionInProgressException"),
    ],
)
def test_collisions_are_tried_again_with_growing_pauses_and_the_same_token(client, ledger, pauses, passing):
    client.trouble, client.tokens = [passing, passing], []

    assert isinstance(ledger.reserve(ORDER), Admitted)
    assert pauses == [0, 1]
    assert len(client.tokens) == 3
    assert len(set(client.tokens)) == 1


@pytest.mark.parametrize(
    "trouble",
    [
        error("ThrottlingException"),
        error("AccessDeniedException"),
        cancelled("ValidationError", "None"),
        cancelled("TransactionConflict", "ValidationError"),
        cancelled(),
        ReadTimeoutError(endpoint_url="dynamodb"),
    ],
)
def test_other_trouble_is_not_tried_again_and_nothing_leaves(client, ledger, pauses, trouble):
    client.trouble = [trouble]

    with pytest.raises(StoreUnavailable):
        ledger.reserve(ORDER)

    assert not pauses
    assert ledger.call("call") is None


def test_transactions_that_keep_colliding_end_as_unavailable(client, ledger, pauses):
    client.trouble = [cancelled("TransactionConflict")] * 8

    with pytest.raises(StoreUnavailable, match="colliding"):
        ledger.reserve(ORDER)

    assert pauses == list(range(8))


def test_two_commits_never_share_a_token(client, ledger):
    client.tokens = []

    ledger.reserve(ORDER)
    ledger.close_budget(KEY)

    assert len(set(client.tokens)) == 2


def test_keys_that_were_not_processed_are_asked_for_again(client, ledger, pauses):
    ledger.reserve(ORDER)
    client.trouble = ["unprocessed", "unprocessed"]

    assert ledger.call("call").state is CallState.RESERVED
    assert pauses == [0, 1]


def test_reads_that_stay_throttled_end_as_unavailable(client, ledger):
    client.trouble = ["unprocessed"] * 8

    with pytest.raises(StoreUnavailable, match="throttled"):
        ledger.call("call")


@pytest.mark.parametrize("read", ["budget", "calls", "overdue_calls"])
def test_a_table_that_is_not_there_is_unavailable(client, read):
    store = DynamoDbLedger(client, "no-such-table")
    arguments = {"budget": (KEY,), "calls": (["call"],)}.get(read, (1, 1))

    with pytest.raises(StoreUnavailable, match="ResourceNotFoundException"):
        getattr(store, read)(*arguments)


def test_a_call_is_kept_from_its_reservation_to_its_answer(ledger):
    (held,) = ledger.reserve(ORDER).calls
    sent = ledger.mark_sent(held.claim, 2_000)

    settled = ledger.settle("call", Settlement(Charge(12, Basis.STATED), "results/1"))

    assert isinstance(settled, Settled)
    assert ledger.call("call") == settled.call
    assert (sent.call.sends, ledger.budget(KEY).spent, ledger.budget(KEY).available) == (1, 12, 88)


def test_only_what_holds_money_stands_in_the_index_and_only_the_rest_is_ever_deleted(client, ledger):
    (held,) = ledger.reserve(ORDER).calls
    key = {"pk": {"S": "CALL#call"}, "sk": {"S": "CALL"}}
    reserved = client.get_item(TableName="budgets", Key=key)["Item"]

    ledger.release(held.claim)

    released = client.get_item(TableName="budgets", Key=key)["Item"]
    assert ("due_shard" in reserved, "due_at" in reserved, "delete_after" in reserved) == (True, True, False)
    assert ("due_shard" in released, "due_at" in released, "delete_after" in released) == (False, False, True)


def test_a_pause_is_a_random_part_of_a_growing_time(monkeypatch):
    slept: list[float] = []
    monkeypatch.setattr("time.sleep", slept.append)

    for attempt in [0] * 50 + [20] * 50:
        full_jitter(attempt)

    assert max(slept[:50]) <= 0.025
    assert max(slept[50:]) <= 1
    assert len(set(slept)) > 50
