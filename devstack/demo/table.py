"""The demo's table: one row a set, its columns aligned."""

from collections.abc import Sequence
from typing import Final

from devstack.clients.scoring import ScoredSet
from devstack.demo.data import DemoSet

_COLUMNS: Final = (
    ("scored", 47),
    ("implementation", 19),
    ("cases", 5),
    ("pass", 5),
    ("fail", 5),
    ("other", 5),
    ("cases/s", 7),
    ("agrees with label", 21),
)
_FIRST_RIGHT: Final = 2


def heading() -> str:
    """Return the line above the rows."""
    return _line([name for name, _ in _COLUMNS])


def row(one: DemoSet, scored: ScoredSet) -> str:
    """Return the line that says what became of the cases of *one*."""
    outcomes = [result["outcome"] for result in scored.results.values()]
    passed, failed = outcomes.count("pass"), outcomes.count("fail")
    other, speed = len(outcomes) - passed - failed, round(len(outcomes) / scored.seconds)
    counts = map(str, (len(one.cases), passed, failed, other, speed))
    return _line([one.title, one.implementation, *counts, agreement(one, scored)])


def agreement(one: DemoSet, scored: ScoredSet) -> str:
    """Say how many of the labelled cases came back with what their label says."""
    labelled = [case for case in one.cases if case.label is not None]
    if not labelled:
        return "no labels"
    agreeing = sum(case.agrees(scored.results.get(case.case_id)) for case in labelled)
    return f"{agreeing} of {len(labelled)} ({agreeing / len(labelled):.1%})"


def _line(cells: Sequence[str]) -> str:
    fitted = (_fitted(cell, width, index) for index, (cell, (_, width)) in enumerate(zip(cells, _COLUMNS, strict=True)))
    return "  ".join(fitted).rstrip()


def _fitted(cell: str, width: int, index: int) -> str:
    shown = cell if len(cell) <= width else cell[: width - 1] + "…"
    return shown.rjust(width) if _FIRST_RIGHT <= index < len(_COLUMNS) - 1 else shown.ljust(width)
