"""The ledger's invariants on the emulator: 32 threads, duplicate deliveries, crashes, owners who come too late."""

import random
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from uuid import uuid4

import boto3
import pytest
from botocore.config import Config

from devstack.emulator.emulator import REGION
from devstack.stack import CREDENTIAL
from evalbook.adapters.dynamodb.budget_items import record
from evalbook.adapters.dynamodb.budgets import DynamoDbLedger
from evalbook.budgets.calls import Basis, Call, CallRequest, CallState, Charge, Held, Ownership, Settlement
from evalbook.budgets.model import Budget, BudgetExhausted, BudgetKey
from evalbook.budgets.reservations import Admitted, Order
from evalbook.services.budgets.ledger import BudgetLedger, LedgerSettings
from evalbook.services.budgets.sweeper import Sweeper, SweepRules, Swept
from tests.fakes.ledger import make_budgets_table
from tests.unit.budgets.ledger_world import check_money

THREADS = 32
DELIVERIES = 128
CASES = 40
KEY = BudgetKey("org", "project", "budget")
FOREVER = 10**14
OWNED = 1_500
GRACE = 100


def now():
    return int(time.time() * 1000)


@pytest.fixture(scope="module")
def dynamodb(stack):
    session = boto3.Session(CREDENTIAL, CREDENTIAL, region_name=REGION)
    client = session.client(
        "dynamodb", endpoint_url=stack.endpoint, config=Config(max_pool_connections=2 * THREADS, read_timeout=60)
    )
    yield client
    client.close()


@dataclass
class Traffic:
    """Workers that deliver, crash and are late, and a gateway that counts what it charges."""

    client: object
    replays: bool
    limit: int
    charges: dict = field(default_factory=dict)
    times_charged: Counter = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self):
        self.table = make_budgets_table(self.client, f"budgets-{uuid4()}")
        self.store = DynamoDbLedger(self.client, self.table)
        self.ledger().create_budget(Budget.opened(KEY, self.limit, "test", FOREVER))

    def ledger(self):
        return BudgetLedger(self.store, LedgerSettings(self.replays, now, lambda: 50))

    def sweeper(self, clock=now):
        return Sweeper(self.store, SweepRules(clock, GRACE, limit=100))

    def deliver(self, number):
        """One delivery of one case, by a worker that may stop after each step."""
        chance = random.Random(number)
        ledger = self.ledger()
        case = chance.randrange(CASES)
        calls = tuple(CallRequest(f"case-{case}-{repeat}", "digest", 5 + case % 20) for repeat in range(1 + case % 3))
        answer = ledger.reserve(Order(KEY, calls, Ownership(f"delivery-{number}", now() + OWNED)))
        for held in answer.calls if isinstance(answer, Admitted) else ():
            if not isinstance(held, Held) or not self.ask(ledger, held, chance):
                return

    def ask(self, ledger, held, chance):
        """Whether the worker is still alive."""
        if chance.random() < 0.1:
            return False
        sent = ledger.mark_sent(held.claim, now() + OWNED)
        if not isinstance(sent, Held):
            return True
        time.sleep((OWNED + GRACE) / 800 if chance.random() < 0.08 else 0)  # its owner's time is up, the sweeper comes
        if chance.random() < 0.1:
            ledger.release(sent.claim)
            return True
        cost = self.charge(sent.call)
        if chance.random() < 0.1:
            return False
        ledger.settle(sent.claim.request_id, Settlement(Charge(cost, Basis.STATED), "result"))
        return True

    def charge(self, call):
        with self.lock:
            request_id = call.request.request_id
            if not (self.replays and request_id in self.charges):
                self.charges[request_id] = call.request.estimate // 2 + call.request.estimate % 2 * 3
                self.times_charged[request_id] += 1
            return self.charges[request_id]

    def sweep_for_good(self):
        sweeper = self.sweeper(lambda: now() + FOREVER // 10)
        while sweeper.run() != Swept():
            pass

    def records(self):
        pages = self.client.get_paginator("scan").paginate(TableName=self.table, ConsistentRead=True)
        return [record(item) for page in pages for item in page["Items"]]


def check(traffic):
    records = traffic.records()
    calls = [one for one in records if isinstance(one, Call)]
    check_money(next(one for one in records if isinstance(one, Budget)), calls)
    for call in calls:
        charge = traffic.charges.get(call.request.request_id)
        assert traffic.times_charged[call.request.request_id] <= 1
        if charge is not None:
            assert call.state not in {CallState.RESERVED, CallState.RELEASED}
        if call.state is CallState.SETTLED:
            assert call.settlement.charge.amount == charge
    return calls


@pytest.mark.parametrize("replays", [True, False])
def test_the_books_balance_after_32_threads_with_crashes_and_duplicates(dynamodb, replays):
    traffic = Traffic(dynamodb, replays, limit=700)
    over = threading.Event()

    def watch():
        seen = []
        while not over.is_set():
            traffic.sweeper().run()
            seen.append(traffic.store.budget(KEY))
            time.sleep(0.1)
        return seen

    with ThreadPoolExecutor(THREADS) as threads, ThreadPoolExecutor(1) as watcher:
        seen = watcher.submit(watch)
        list(threads.map(traffic.deliver, range(DELIVERIES)))
        over.set()

    assert all(one.available == one.limit - one.reserved - one.spent for one in seen.result())
    assert all(one.reserved >= 0 and one.reserved + one.spent <= one.limit + one.overrun for one in seen.result())
    check(traffic)
    traffic.sweep_for_good()
    calls = check(traffic)
    assert traffic.store.budget(KEY).reserved == 0
    assert {CallState.SETTLED, CallState.IN_DOUBT} <= {call.state for call in calls}


def test_as_many_calls_are_admitted_as_the_budget_pays_for(dynamodb):
    traffic = Traffic(dynamodb, replays=False, limit=17 * 30 + 29)

    def reserve(number):
        order = Order(KEY, (CallRequest(f"call-{number}", "digest", 30),), Ownership("worker", now() + 60_000))
        return traffic.ledger().reserve(order)

    with ThreadPoolExecutor(THREADS) as threads:
        answers = list(threads.map(reserve, range(3 * THREADS)))

    assert sum(isinstance(answer, Admitted) for answer in answers) == 17
    assert BudgetExhausted() not in answers, "the reserved calls could still free enough"
