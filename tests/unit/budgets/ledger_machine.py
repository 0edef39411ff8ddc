"""The ledger under every interleaving that hypothesis can think of, as a machine that tests run."""

from functools import partial

from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from evalbook.budgets.calls import HOLDING
from evalbook.budgets.model import BudgetExhausted
from evalbook.budgets.reservations import Admitted
from evalbook.domain.errors import StoreUnavailable
from tests.fakes.ledger import MemoryLedger, nothing, unavailable
from tests.unit.budgets.ledger_world import GRACE, KEY, OWNED, PANELS, Reply, World

worlds = st.tuples(st.sampled_from([15, 30, 60, 200]), st.booleans())
replies = st.lists(st.sampled_from(Reply), min_size=3, max_size=3)
accidents = st.sampled_from(["store down", "answer lost", "other worker", "sweeper"])
positions = st.integers(0, 30)


class LedgerMachine(RuleBasedStateMachine):
    """Deliveries, workers that stop anywhere, a store that fails before or after a write, a sweeper, a clock."""

    steps = 0
    make_store = MemoryLedger

    @initialize(world=worlds)
    def start(self, world):
        limit, replays = world
        self.world = World(self.make_store(), limit, replays=replays)
        self.workers = []
        self.deliveries = 0

    @rule(
        judge_run=st.integers(0, len(PANELS) - 1),
        environment=st.integers(0, 1),
        same_owner=st.booleans(),
        late=st.booleans(),
    )
    def deliver(self, judge_run, environment, same_owner, late):
        self.world.now += OWNED if late else 0
        self.deliveries += 1
        owner = f"panel-{judge_run}" if same_owner else f"delivery-{self.deliveries}"
        self.workers.append((environment, self.world.worker(environment, judge_run, owner)))

    @precondition(lambda self: self.workers)
    @rule(at=positions, replies=replies, steps=st.integers(1, 9))
    def work(self, at, replies, steps):
        self.world.replies = list(replies)
        worker = self.workers[at % len(self.workers)]
        for _ in range(steps):
            self.advance(worker)

    @precondition(lambda self: self.workers)
    @rule(replies=replies, steps=st.integers(1, 5))
    def work_on_the_oldest(self, replies, steps):
        self.work(0, replies, steps)

    @precondition(lambda self: self.workers)
    @rule(replies=replies, steps=st.integers(1, 5))
    def work_on_the_newest(self, replies, steps):
        self.work(len(self.workers) - 1, replies, steps)

    @precondition(lambda self: self.workers)
    @rule(at=positions, replies=replies, accident=accidents)
    def work_with_an_accident(self, at, replies, accident):
        self.world.replies = list(replies)
        worker = self.workers[at % len(self.workers)]
        self.plan_accident(accident, worker[0])
        self.advance(worker)
        self.plan_accident("none", 0)

    @rule(milliseconds=st.sampled_from([1, 5, 20, OWNED // 2, OWNED, OWNED + GRACE + 1]))
    def wait(self, milliseconds):
        self.world.now += milliseconds

    @rule(at=positions, what=st.sampled_from(["sweep", "late sweep", "kill", "lose an environment"]))
    def disturb(self, at, what):
        environment = at % len(self.world.environments)
        match what:
            case "sweep":
                self.world.sweeper.run()
            case "late sweep":
                self.world.now += OWNED + GRACE + 1
                self.world.sweep_until_nothing_is_left()
            case "kill" if self.workers:
                self.workers.pop(at % len(self.workers))
            case "lose an environment":
                self.world.environments[environment] = self.world.new_ledger()
                self.workers = [worker for worker in self.workers if worker[0] != environment]

    @invariant()
    def the_books_balance(self):
        type(self).steps += 1
        self.world.check()

    def teardown(self):
        if hasattr(self, "world"):
            self.settle_everything()

    def settle_everything(self):
        world = self.world
        world.now += 10 * OWNED
        world.sweep_until_nothing_is_left()

        world.check()
        assert world.store.budget(KEY).reserved == 0
        assert not [call for call in world.memory.all_calls() if call.state in HOLDING]
        for judge_run in range(len(PANELS)):
            answer = world.new_ledger().reserve(world.order(judge_run, "last"))
            assert isinstance(answer, Admitted | BudgetExhausted), "nothing is left that could free up"
            world.now += 10 * OWNED
            world.sweep_until_nothing_is_left()

    def advance(self, worker):
        """One step of a worker that is still there; one that has ended or lost its store is gone."""
        if worker not in self.workers:
            return
        try:
            next(worker[1])
        except (StopIteration, StoreUnavailable):
            self.workers.remove(worker)

    def plan_accident(self, accident, environment):
        store = self.world.store
        store.before_commit, store.after_commit = {
            "none": (nothing, nothing),
            "store down": (unavailable, nothing),
            "answer lost": (nothing, unavailable),
            "other worker": (partial(self.interrupt, environment), nothing),
            "sweeper": (self.interrupt_by_sweeper, nothing),
        }[accident]

    def interrupt(self, environment):
        """Let a worker of another environment go first, once."""
        self.world.store.before_commit = nothing
        others = [worker for worker in self.workers if worker[0] != environment]
        if others:
            self.advance(others[0])

    def interrupt_by_sweeper(self):
        self.world.store.before_commit = nothing
        self.world.sweeper.run()
