"""What one budget sustains, with a write per reservation: a simulation with the ledger's own rules.

Assumptions, none of them measured here: an item takes 1,000 write units a second with a second's burst, a transactional
write costs 2 and keeps its item for 4 ms, in which another transaction is cancelled (TransactionConflict, paid for as
well). A round trip takes 5 ms, a model call 3 s, and it costs 60% of its estimate. A worker makes one reservation at a
time and believes a refusal for 1 to 5 s. Calls are asked for during 12 s and may wait for 18 s more; the budget pays
for half of them, so the last ones wait for others to be settled: that is the 99th percentile.
"""

import heapq
import random
from collections import Counter
from collections.abc import Callable, Generator
from dataclasses import dataclass, field

from benchmarks.measuring import shown, table
from evalbook.budgets.model import Admission, Budget, BudgetExhausted, BudgetKey, charged, held, refusal

SEED = 20
RATES = (100, 1_000, 10_000)
SECONDS, END = 12.0, 30.0
WRITE_UNITS = 1_000.0
TRANSACTION = 2.0
BUSY = 0.004
ROUND_TRIP = 0.005
CALL_SECONDS = 3.0
ESTIMATE, ACTUAL = 1_000, 600
ATTEMPTS, BASE, CAP = 8, 0.025, 1.0
KEY = BudgetKey("org", "project", "budget")

Process = Generator[float, None, object]
"""Yields the seconds that it waits."""


@dataclass
class Item:
    """The budget's item: a bucket of write units, and one transaction at a time."""

    units: float = WRITE_UNITS
    filled: float = 0.0
    busy_until: float = 0.0
    counts: Counter = field(default_factory=Counter)

    def begin(self, now: float) -> bool:
        """Whether a transaction gets hold of the item."""
        self.units = min(WRITE_UNITS, self.units + (now - self.filled) * WRITE_UNITS)
        self.filled = now
        if self.units < TRANSACTION:
            self.counts["throttled"] += 1
            return False
        self.units -= TRANSACTION
        self.counts["written"] += 1
        if now < self.busy_until:
            self.counts["conflicts"] += 1
            return False
        self.busy_until = now + BUSY
        return True


@dataclass
class World:
    """One run: a budget, its item, workers and a clock that jumps from event to event."""

    rate: int
    workers: int
    chance: random.Random = field(default_factory=lambda: random.Random(SEED))
    item: Item = field(default_factory=Item)
    now: float = 0.0
    waits: list[float] = field(default_factory=list)
    outcomes: Counter = field(default_factory=Counter)

    def __post_init__(self) -> None:
        """Open the budget."""
        limit = int(self.rate * SECONDS / 2) * ACTUAL
        self.budget = Budget.opened(KEY, limit, "benchmark", 10**12)
        self.events: list[tuple[float, int, Process]] = []
        self.started = 0

    def start(self, process: Process, at: float) -> None:
        self.started += 1
        heapq.heappush(self.events, (at, self.started, process))

    def run(self) -> None:
        arrivals: list[list[float]] = [[] for _ in range(self.workers)]
        at = 0.0
        while at < SECONDS:
            arrivals[self.chance.randrange(self.workers)].append(at)
            at += self.chance.expovariate(self.rate)
        for times in arrivals:
            self.start(Worker(self).work(times), 0.0)
        while self.events and self.now < END:
            self.now, _, process = heapq.heappop(self.events)
            wait = next(process, None)
            if wait is not None:
                self.start(process, self.now + wait)

    def transact(self, change: Callable[[], object]) -> Process:
        """The change's answer, or None where the item could not be had."""
        for attempt in range(ATTEMPTS):
            yield ROUND_TRIP / 2
            if self.item.begin(self.now):
                yield BUSY
                answer = change()
                yield ROUND_TRIP / 2
                return answer
            yield self.chance.uniform(0, min(CAP, BASE * 2**attempt))
        return None


class Worker:
    """Takes one reservation after the other from the budget."""

    def __init__(self, world: World) -> None:
        self.world = world

    def work(self, arrivals: list[float]) -> Process:
        world = self.world
        for asked_at in arrivals:
            yield max(0.0, asked_at - world.now)
            while (answer := (yield from world.transact(self.reserve))) is not True:
                if isinstance(answer, BudgetExhausted):
                    return
                world.outcomes["put off"] += answer is None
                yield world.chance.uniform(1, 5)
            world.waits.append(world.now - asked_at)
            world.start(self.make_the_call(), world.now)

    def make_the_call(self) -> Process:
        yield CALL_SECONDS
        while (yield from self.world.transact(self.settle)) is None:
            yield CAP

    def reserve(self) -> object:
        refused = refusal(self.world.budget, Admission(ESTIMATE, 0))
        if refused is None:
            self.world.budget = self.world.budget.moved(held(ESTIMATE))
        return refused or True

    def settle(self) -> object:
        self.world.budget = self.world.budget.moved(charged(ESTIMATE, ACTUAL))
        return True


def row(rate: int) -> list[str]:
    world = World(rate, workers=max(4, rate // 20))
    world.run()
    counts, waits = world.item.counts, sorted(world.waits)
    payable = world.budget.limit // ACTUAL
    return [
        shown(rate),
        f"{100 * len(waits) / payable:.1f}%",
        str(max(0, len(waits) - payable)),
        str(world.outcomes["put off"]),
        shown(counts["written"] / END),
        shown((counts["throttled"] + counts["conflicts"]) / END),
        f"{1_000 * waits[len(waits) // 2]:.0f}",
        f"{1_000 * waits[int(0.99 * len(waits))]:.0f}",
    ]


def main() -> None:
    print(f"{__doc__}\nSeed {SEED}; one worker for every 20 reservations a second, four at least.\n")
    headings = [
        *("asked/s", "payable calls made", "calls too many", "put off", "budget writes/s"),
        *("collisions/s", "p50 ms", "p99 ms"),
    ]
    print(table(headings, map(row, RATES)))


if __name__ == "__main__":
    main()
