"""One set of facts for every ledger store: the one in memory, which the model tests use, and DynamoDB's (on moto)."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count

import boto3
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test
from moto import mock_aws

from evalbook.adapters.dynamodb import budget_items, budgets
from evalbook.adapters.dynamodb.budgets import DynamoDbLedger
from evalbook.budgets.calls import Basis, Call, CallRequest, CallState, Charge, Ownership, Settlement
from evalbook.budgets.model import Admission, Budget, BudgetKey, doubted, held
from evalbook.budgets.store import (
    CloseBudget,
    LedgerStore,
    MoveBudget,
    OpenBudget,
    Rejected,
    WriteCall,
)
from tests.fakes.ledger import MemoryLedger, TwinLedger, make_budgets_table
from tests.unit.budgets.ledger_machine import LedgerMachine

NOW = 1_000
KEY = BudgetKey("org", "project", "budget")
OTHER = replace(KEY, budget_id="other")
BUDGET = Budget.opened(KEY, 100, "evaluation", expires_at=5_000)
CALL = Call(CallRequest("call", "digest", 30), KEY, Ownership("worker", until=2_000))


@pytest.fixture(scope="module")
def new_store() -> Iterator[Callable[[], DynamoDbLedger]]:
    names = (f"budgets-{number}" for number in count())
    with mock_aws():
        client = boto3.client("dynamodb", "eu-west-1")
        yield lambda: DynamoDbLedger(client, make_budgets_table(client, next(names)))


@pytest.fixture(params=["memory", "dynamodb"])
def store(request: pytest.FixtureRequest) -> LedgerStore:
    store = MemoryLedger() if request.param == "memory" else request.getfixturevalue("new_store")()
    store.commit([OpenBudget(BUDGET)])
    return store


def test_what_is_not_there_is_none(store):
    assert store.budget(BudgetKey("org", "project", "other")) is None
    assert store.calls(["other"]) == {}


def test_a_budget_is_read_as_it_was_opened(store):
    assert store.budget(KEY) == BUDGET


@pytest.mark.parametrize("key", [replace(KEY, organization_id="org-2"), replace(KEY, project_id="project-2")])
def test_a_budget_belongs_to_its_project(store, key):
    assert store.budget(key) is None


def test_a_budget_is_opened_once(store):
    rejected = store.commit([OpenBudget(replace(BUDGET, limit=200))])

    assert [one.record for one in rejected] == [BUDGET]


def test_a_call_and_its_money_are_written_together(store):
    rejected = store.commit([WriteCall(None, CALL), MoveBudget(KEY, held(30), Admission(30, NOW))])

    assert not rejected
    assert store.calls(["call"]) == {"call": CALL}
    assert store.budget(KEY) == replace(BUDGET, available=70, reserved=30)


def test_nothing_is_written_where_one_condition_fails(store):
    writes = [WriteCall(None, CALL), MoveBudget(KEY, held(101), Admission(101, NOW))]

    rejected = store.commit(writes)

    assert list(rejected) == [Rejected(writes[1], BUDGET)]
    assert store.calls(["call"]) == {}


def test_every_write_that_stands_in_the_way_is_named_with_its_record(store):
    store.commit([WriteCall(None, CALL)])
    writes = [WriteCall(None, CALL), MoveBudget(KEY, held(101), Admission(101, NOW))]

    rejected = store.commit(writes)

    assert list(rejected) == [Rejected(writes[0], CALL), Rejected(writes[1], BUDGET)]


def test_an_estimate_of_all_that_is_available_is_admitted(store):
    assert not store.commit([MoveBudget(KEY, held(100), Admission(100, NOW))])


@pytest.mark.parametrize("now", [5_000, 5_001])
def test_a_budget_that_has_expired_admits_nothing(store, now):
    assert store.commit([MoveBudget(KEY, held(1), Admission(1, now))])


def test_a_closed_budget_admits_nothing_and_still_takes_money_back(store):
    store.commit([MoveBudget(KEY, held(30), Admission(30, NOW))])
    store.commit([CloseBudget(KEY)])

    assert store.commit([MoveBudget(KEY, held(1), Admission(1, NOW))])
    assert not store.commit([MoveBudget(KEY, doubted(30))])
    assert store.budget(KEY) == replace(BUDGET, available=70, spent=30).closed()


@pytest.mark.parametrize("write", [CloseBudget(OTHER), MoveBudget(OTHER, doubted(1))])
def test_what_does_not_exist_is_not_written(store, write):
    assert list(store.commit([write])) == [Rejected(write, None)]


def test_a_call_is_replaced_in_the_revision_that_was_seen(store):
    sent = replace(CALL, state=CallState.SENT, revision=2, sends=1, sent_at=NOW)
    store.commit([WriteCall(None, CALL)])

    assert not store.commit([WriteCall(CALL, sent)])
    assert [one.record for one in store.commit([WriteCall(CALL, sent)])] == [sent]


def test_every_part_of_a_call_is_kept(store):
    call = replace(
        CALL,
        state=CallState.SETTLED,
        revision=7,
        attempt=3,
        sends=2,
        sent_at=NOW,
        uncertain=True,
        settlement=Settlement(Charge(12, Basis.USAGE), "results/1"),
    )

    store.commit([WriteCall(None, call)])

    assert store.calls(["call"]) == {"call": call}


@pytest.mark.parametrize(("state", "due"), [(state, state in {"RESERVED", "SENT"}) for state in CallState])
def test_calls_that_hold_money_are_overdue_after_their_owners_time(store, state, due):
    store.commit([WriteCall(None, replace(CALL, state=state))])

    assert list(store.overdue_calls(2_001, 10)) == ["call"] * due
    assert list(store.overdue_calls(2_000, 10)) == []


def test_no_more_is_overdue_than_is_asked_for(store):
    for name in "abcde":
        store.commit([WriteCall(None, replace(CALL, request=CallRequest(name, "digest", 1)))])

    overdue = store.overdue_calls(9_000, 3)

    assert len(set(overdue)) == 3


def test_dynamodb_and_memory_say_the_same_under_random_schedules(new_store, monkeypatch):
    class Twins(LedgerMachine):
        def make_store(self):
            return TwinLedger(new_store())

    # A sweep asks every shard, which is slow on moto.
    monkeypatch.setattr(budgets, "CALL_SHARDS", 2)
    monkeypatch.setattr(budget_items, "CALL_SHARDS", 2)

    run_state_machine_as_test(
        Twins,
        settings=settings(
            max_examples=8,
            stateful_step_count=25,
            deadline=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        ),
    )

    assert Twins.steps > 100
