"""The ledger under every interleaving that hypothesis can think of."""

from contextlib import suppress
from functools import partial

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule, run_state_machine_as_test

from evalbook.budget import Exhausted
from evalbook.budget_calls import HOLDING
from evalbook.budget_panels import Admitted
from evalbook.errors import StoreUnavailable
from tests.unit.budget.ledger_world import KEY, OWNED, PANELS, Reply, World

STEPS = 20_000

worlds = st.tuples(st.sampled_from([15, 40, 60, 200]), st.booleans(), st.booleans())
accidents = st.sampled_from(["none", "none", "store down", "answer lost", "other worker", "sweeper"])


class LedgerMachine(RuleBasedStateMachine):
    """Deliveries, workers that stop anywhere, a store that fails before or after a write, a sweeper, a clock."""

    steps = 0

    @initialize(world=worlds)
    def start(self, world):
        limit, replays, leases = world
        self.world = World(limit, replays=replays, leases=leases)
        self.workers = []
        self.deliveries = 0

    @rule(panel=st.integers(0, len(PANELS) - 1), environment=st.integers(0, 2), same_owner=st.booleans())
    def deliver(self, panel, environment, same_owner):
        self.deliveries += 1
        owner = f"panel-{panel}" if same_owner else f"delivery-{self.deliveries}"
        self.workers.append((environment, self.world.worker(environment, panel, owner)))

    @precondition(lambda self: self.workers)
    @rule(at=st.integers(0, 30), reply=st.sampled_from(Reply), accident=accidents)
    def work(self, at, reply, accident):
        self.world.reply = reply
        index = at % len(self.workers)
        self.plan_accident(accident, self.workers[index][0])
        self.advance(index)
        self.plan_accident("none", 0)

    @precondition(lambda self: self.workers)
    @rule(at=st.integers(0, 30))
    def kill_a_worker(self, at):
        self.workers.pop(at % len(self.workers))

    @rule(environment=st.integers(0, 2))
    def lose_an_environment(self, environment):
        self.world.environments[environment] = self.world.new_ledger()
        self.workers = [worker for worker in self.workers if worker[0] != environment]

    @rule(environment=st.integers(0, 2))
    def give_back(self, environment):
        self.world.environments[environment].give_back()

    @rule(milliseconds=st.sampled_from([1, 10, OWNED, 2 * OWNED]))
    def wait(self, milliseconds):
        self.world.now += milliseconds

    @rule()
    def sweep(self):
        self.world.sweeper.run()

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
        while any(world.sweeper.run().__getstate__()):
            pass

        world.check()
        assert world.store.budget(KEY).reserved == 0
        assert not [call for call in world.store.all_calls() if call.state in HOLDING]
        for panel in range(len(PANELS)):
            answer = world.new_ledger().reserve(world.order(panel, "last"))
            assert isinstance(answer, Admitted | Exhausted), "nothing is left that could free up, and nobody works"
            world.now += 10 * OWNED
            while any(world.sweeper.run().__getstate__()):
                pass

    def advance(self, index):
        environment, worker = self.workers.pop(index)
        with suppress(StopIteration, StoreUnavailable):
            next(worker)
            self.workers.append((environment, worker))

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
        others = [index for index, worker in enumerate(self.workers) if worker[0] != environment]
        if others:
            self.advance(others[0])

    def interrupt_by_sweeper(self):
        self.world.store.before_commit = nothing
        self.world.sweeper.run()


def nothing():
    pass


def unavailable():
    raise StoreUnavailable("the store is down")


def test_the_books_balance_after_each_of_twenty_thousand_steps():
    LedgerMachine.steps = 0

    run_state_machine_as_test(
        LedgerMachine,
        settings=settings(
            max_examples=450,
            stateful_step_count=60,
            deadline=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        ),
    )

    assert LedgerMachine.steps >= STEPS
