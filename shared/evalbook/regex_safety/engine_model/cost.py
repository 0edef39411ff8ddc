"""What matching a text costs in the modelled engine: the one way into this package."""

from typing import Final, Protocol

from evalbook.regex_safety.automaton.alphabet import Alphabet
from evalbook.regex_safety.automaton.steps import Steps
from evalbook.regex_safety.engine_model.lowering import lower
from evalbook.regex_safety.engine_model.machine import Machine, TooCostly
from evalbook.regex_safety.syntax.syntax import Part

UNITS_PER_MILLISECOND: Final = 500_000
"""How many units of cost the reference machine gets through in a millisecond."""


class CostOf(Protocol):
    """Tells what matching a text costs."""

    def __call__(self, text: str, steps: Steps, *, limit: int) -> int | None:
        """Return the cost in units, None if it is more than *limit*; raise `OutOfSteps` when *steps* are used up."""


def modelled(part: Part, alphabet: Alphabet, *, whole: bool) -> CostOf:
    """Return what tells the cost of matching *part*, all of the text if *whole*; the same on every machine."""
    program = lower(part, alphabet)

    def cost_of(text: str, steps: Steps, *, limit: int) -> int | None:
        machine = Machine(program, text, whole=whole, limit=limit)
        try:
            return machine.match() + 1
        except TooCostly:
            return None
        finally:
            steps.take(machine.cost + len(text))

    return cost_of
