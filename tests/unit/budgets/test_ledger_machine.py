"""The ledger's invariants, after every step of random schedules."""

from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.unit.budgets.ledger_machine import LedgerMachine

STEPS = 20_000


def test_the_books_balance_after_each_of_twenty_thousand_steps():
    LedgerMachine.steps = 0

    run_state_machine_as_test(
        LedgerMachine,
        settings=settings(
            max_examples=255,
            stateful_step_count=100,
            deadline=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        ),
    )

    assert LedgerMachine.steps >= STEPS
