"""A small world around the ledger: a clock, a gateway that charges, workers that can be stopped at every point."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum, auto

from evalbook.budgets.calls import (
    HOLDING,
    Basis,
    Call,
    CallRequest,
    CallState,
    CallStatus,
    Charge,
    Held,
    Ownership,
    Settled,
    Settlement,
)
from evalbook.budgets.model import Budget, BudgetExhausted, BudgetKey
from evalbook.budgets.reservations import Admitted, Order
from evalbook.domain.errors import StoreUnavailable
from evalbook.services.budgets.ledger import BudgetLedger, LedgerSettings
from evalbook.services.budgets.sweeper import Sweeper, SweepRules, Swept
from tests.fakes.ledger import MemoryLedger, UnreliableLedger

KEY = BudgetKey("org", "project", "budget")
FOREVER = 10**12
OWNED = 100
GRACE = 20
PANELS = [
    [("a0", 7), ("a1", 7)],
    [("b0", 20)],
    [("c0", 11)],
    [("d0", 0)],
]


class Reply(Enum):
    """What the gateway does with a request."""

    ANSWER = auto()
    DEAR_ANSWER = auto()
    RATE_LIMITED = auto()
    REFUSED = auto()
    LOST_AFTER_CHARGING = auto()
    LOST_BEFORE_CHARGING = auto()


@dataclass
class Gateway:
    """Charges requests; with *replays*, a logical call once, answered from memory afterwards."""

    replays: bool
    charges: dict[str, int] = field(default_factory=dict)
    times_charged: Counter = field(default_factory=Counter)
    unsettled: dict[str, int] = field(default_factory=dict)

    def request(self, call: Call, reply: Reply) -> tuple[Reply, int]:
        request_id, estimate = call.request.request_id, call.request.estimate
        assert self.replays or not self.unsettled.get(request_id), "sent again after an uncertain outcome"
        self.unsettled[request_id] = self.unsettled.get(request_id, 0) + 1
        if reply in {Reply.ANSWER, Reply.DEAR_ANSWER, Reply.LOST_AFTER_CHARGING} and not (
            self.replays and request_id in self.charges
        ):
            self.charges[request_id] = estimate + 5 if reply is Reply.DEAR_ANSWER else estimate // 2
            self.times_charged[request_id] += 1
        return reply, self.charges.get(request_id, 0)

    def is_certain(self, call: Call) -> None:
        """The sender has learnt that its request was not charged."""
        self.unsettled[call.request.request_id] -= 1


class World:
    """Everything that a step of the machine can act on."""

    def __init__(self, store: MemoryLedger, limit: int, *, replays: bool) -> None:
        self.now = 1_000
        self.memory = store
        self.store = UnreliableLedger(store)
        self.gateway = Gateway(replays)
        self.replies = [Reply.ANSWER]
        self.limit = limit
        self.environments = [self.new_ledger() for _ in range(2)]
        self.sweeper = Sweeper(self.store, SweepRules(lambda: self.now, GRACE, limit=3))
        self.environments[0].create_budget(Budget.opened(KEY, limit, "test", FOREVER))

    def new_ledger(self) -> BudgetLedger:
        settings = LedgerSettings(replays=self.gateway.replays, clock=lambda: self.now, refusal_hold=lambda: 5)
        return BudgetLedger(self.store, settings)

    def order(self, judge_run: int, owner: str) -> Order:
        calls = tuple(CallRequest(request_id, "digest", estimate) for request_id, estimate in PANELS[judge_run])
        return Order(KEY, calls, Ownership(owner, self.now + OWNED))

    def worker(self, environment: int, judge_run: int, owner: str) -> Iterator[None]:
        """Deliver a judge run; a yield is a point where the worker may be stopped for a while or for good."""
        ledger = self.environments[environment]
        order = self.order(judge_run, owner)
        answer = ledger.reserve(order)
        if isinstance(answer, BudgetExhausted):
            self.check_exhausted(order)
        yield
        for held in answer.calls if isinstance(answer, Admitted) else ():
            if isinstance(held, Held):
                yield from self.ask(ledger, held)

    def ask(self, ledger: BudgetLedger, held: Held) -> Iterator[None]:
        """Send until there is an answer, three times at most; callers that ask for too much are part of the world."""
        claim, lost = held.claim, False
        gives_up_at_once = Reply.REFUSED in {self.replies[0], self.replies[-1]}
        for _ in range(0 if gives_up_at_once else 3):
            sent = ledger.mark_sent(claim, self.now + OWNED)
            yield
            if not isinstance(sent, Held):
                return
            reply, cost = self.gateway.request(sent.call, self.next_reply())
            yield
            claim = sent.claim
            match reply:
                case Reply.ANSWER | Reply.DEAR_ANSWER:
                    settlement = Settlement(Charge(cost, Basis.STATED), "result")
                    settled = yield from retried(ledger.settle, claim.request_id, settlement)
                    assert isinstance(settled, Settled)
                    return
                case Reply.REFUSED:
                    self.gateway.is_certain(sent.call)
                    break
                case Reply.RATE_LIMITED:
                    self.gateway.is_certain(sent.call)
                    back = yield from retried(ledger.put_back, claim)
                    if not isinstance(back, Held):
                        return
                    claim = back.claim
                case _:
                    lost = True
            yield
        give_up = ledger.doubt if lost else ledger.release
        yield from retried(give_up, claim)

    def next_reply(self) -> Reply:
        return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]

    def sweep_until_nothing_is_left(self) -> None:
        while self.sweeper.run() != Swept():
            pass

    def check_exhausted(self, order: Order) -> None:
        calls = self.memory.all_calls()
        spent = sum(call.cost for call in calls)
        taking = {call.request.request_id for call in calls if call.state is not CallState.RELEASED}
        needs = sum(call.estimate for call in order.calls if call.request_id not in taking)
        assert spent + needs > self.limit, "refused although unsettled reservations could pay"

    def check(self) -> None:
        calls = self.memory.all_calls()
        check_money(self.memory.records[KEY], calls)
        for call in calls:
            self.check_charge(call)

    def check_charge(self, call: Call) -> None:
        request_id = call.request.request_id
        charge = self.gateway.charges.get(request_id)
        assert self.gateway.times_charged[request_id] <= 1, "charged twice"
        if charge is None:
            return
        assert call.state not in {CallState.RESERVED, CallState.RELEASED}, "charged, and the ledger holds nothing"
        if call.state is CallState.SETTLED:
            assert call.settlement.charge.amount == charge


def retried(operation: Callable[..., CallStatus], *given) -> Iterator[None]:
    """Do it again, perhaps much later, when it is not known whether it was done."""
    try:
        return operation(*given)
    except StoreUnavailable:
        yield
        return operation(*given)


def check_money(budget: Budget, calls: list[Call]) -> None:
    """The counters are what the calls add up to."""
    assert budget.available == budget.limit - budget.reserved - budget.spent
    assert budget.reserved >= 0
    assert budget.spent >= 0
    assert budget.reserved + budget.spent <= budget.limit + budget.overrun
    assert budget.reserved == estimates([call for call in calls if call.state in HOLDING])
    assert budget.spent == sum(call.cost for call in calls)
    assert budget.overrun == sum(excess(call) for call in calls)


def estimates(calls: list[Call]) -> int:
    return sum(call.request.estimate for call in calls)


def excess(call: Call) -> int:
    return max(0, call.cost - call.request.estimate)
