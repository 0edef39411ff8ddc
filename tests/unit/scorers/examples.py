"""The examples of all implementations: what each test module `test_<implementation>.py` shows of its scorer.

The convention: such a module lies somewhere under this folder and defines

    EXAMPLES = [(parameters, case, outcome), ...]

with the parameters of a version, the members of a case (without `case_id`) and the outcome that it must get, both as
they are sent: 0.1 stands for the literal 0.1. At least one example passes and one fails. Where a rule below changes an
example, it takes the first that passes, so that one should read its output (and expected value) whole, without
`output_path` and `expected_path`, and carry in its case every part that the scorer needs. A module whose scorer takes
an output of any type also says

    TAKES_ANY_OUTPUT = True

and one whose expected value may be of any type `TAKES_ANY_EXPECTED = True`. It also defines `hostile_inputs()`, which
yields 200 or more inputs built to be slow or large (`tests/unit/scorers/hostile.py`):
`tests/integration/test_hostile_inputs.py` runs them in the real worker.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

from evalbook.jsonio.values import Json
from evalbook.services.scoring import catalog

_HERE = Path(__file__).parent


@dataclass(frozen=True)
class Example:
    """One example of an implementation."""

    implementation: str
    number: int
    parameters: Mapping[str, Json]
    case: Mapping[str, Json]
    outcome: str

    def __str__(self) -> str:
        """Name the example in the names of tests."""
        return f"{self.implementation}-{self.number}"


@cache
def module_of(implementation: str) -> ModuleType | None:
    """The test module of an implementation; None where there is none, which one test of them all reports."""
    paths = list(_HERE.rglob(f"test_{implementation}.py"))
    if len(paths) != 1:
        return None
    parts = paths[0].relative_to(_HERE).with_suffix("").parts
    return import_module(".".join(("tests.unit.scorers", *parts)))


@cache
def examples_of(implementation: str) -> tuple[Example, ...]:
    """The examples of an implementation."""
    shown = enumerate(getattr(module_of(implementation), "EXAMPLES", ()))
    return tuple(Example(implementation, number, *example) for number, example in shown)


def every_example() -> Iterator[Example]:
    """The examples of all implementations."""
    for implementation in catalog.families():
        yield from examples_of(implementation)


def passing(implementation: str) -> Example:
    """The first example of an implementation that passes."""
    return next(example for example in examples_of(implementation) if example.outcome == "pass")
