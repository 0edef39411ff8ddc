"""Ledgers over a store in memory, with a clock that stands until it is moved."""

from dataclasses import dataclass, field

from evalbook.budgets.calls import Basis, CallRequest, Charge, Ownership, Settlement
from evalbook.budgets.model import Budget, BudgetKey
from evalbook.budgets.reservations import Admitted, Order
from evalbook.services.budgets.ledger import BudgetLedger, LedgerSettings
from evalbook.services.budgets.sweeper import Sweeper, SweepRules
from tests.fakes.ledger import MemoryLedger, UnreliableLedger

KEY = BudgetKey("org", "project", "budget")
OWNED = 600
GRACE = 60
HOLD = 2


@dataclass
class Clock:
    now: int = 10_000

    def __call__(self):
        return self.now


@dataclass
class Bench:
    """A budget of *limit* micro-dollars and any number of workers."""

    limit: int = 100
    replays: bool = False
    clock: Clock = field(default_factory=Clock)
    memory: MemoryLedger = field(default_factory=MemoryLedger)

    def __post_init__(self):
        self.store = UnreliableLedger(self.memory)
        self.sweeper = Sweeper(self.store, SweepRules(self.clock, GRACE, limit=100))
        self.ledger = self.worker()
        self.ledger.create_budget(Budget.opened(KEY, self.limit, "evaluation", expires_at=10**9))

    def worker(self):
        return BudgetLedger(self.store, LedgerSettings(self.replays, self.clock, lambda: HOLD))

    def order(self, *calls, owner="worker"):
        """Each call is its name, or its name and estimate (30 where it says none)."""
        requests = [
            CallRequest(*((call, "digest", 30) if isinstance(call, str) else (call[0], "digest", call[1])))
            for call in calls
        ]
        return Order(KEY, tuple(requests), Ownership(owner, self.clock.now + OWNED))

    def reserved(self, *calls, owner="worker", ledger=None):
        """The claims of calls that have just been reserved."""
        answer = (ledger or self.ledger).reserve(self.order(*calls, owner=owner))
        assert isinstance(answer, Admitted)
        return [held.claim for held in answer.calls]

    def sent(self, call="a", owner="worker"):
        """The claim of a call whose request has just left."""
        (claim,) = self.reserved(call, owner=owner)
        return self.ledger.mark_sent(claim, self.clock.now + OWNED).claim

    def pass_owners_time(self):
        self.clock.now += OWNED + 1

    def sweep_late(self):
        self.clock.now += OWNED + GRACE + 1
        return self.sweeper.run()

    @property
    def counters(self):
        budget = self.memory.records[KEY]
        return budget.available, budget.reserved, budget.spent


def cost(amount, result_ref="results/1"):
    return Settlement(Charge(amount, Basis.STATED), result_ref)
