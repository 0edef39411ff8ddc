"""Timing: CPU seconds of this process, the median of several rounds, everything in one run."""

import time
from collections.abc import Callable, Iterable, Sequence
from statistics import median
from typing import Any

ROUNDS = 5


def calls_a_second(function: Callable[[Any], Any], items: Sequence[Any], rounds: int = ROUNDS) -> float:
    """How often *function* ran a CPU second over *items*, the median of *rounds*."""
    rates = []
    for _ in range(rounds):
        started = time.process_time()
        for item in items:
            function(item)
        rates.append(len(items) / max(time.process_time() - started, 1e-9))
    return median(rates)


def shown(rate: float) -> str:
    """A rate in three digits: 14.1M, 565k, 83."""
    for size, unit in ((1e6, "M"), (1e3, "k")):
        if rate >= size:
            return f"{rate / size:.3g}{unit}"
    return f"{rate:.3g}"


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
