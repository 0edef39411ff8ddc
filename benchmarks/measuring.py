"""Timing: CPU seconds of this process, the best of several rounds, everything in one run."""

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

ROUNDS = 12


def best_rates(measured: Sequence[tuple[Callable[[Any], Any], Sequence[Any]]], rounds: int = ROUNDS) -> list[float]:
    """How often each function ran a CPU second over its items, in its best round: other load only ever slows one down.

    The functions take turns, so that a slow phase of the machine meets all of them.
    """
    best = [0.0] * len(measured)
    for _ in range(rounds):
        for number, (function, items) in enumerate(measured):
            started = time.process_time()
            for item in items:
                function(item)
            best[number] = max(best[number], len(items) / max(time.process_time() - started, 1e-9))
    return best


def calls_a_second(function: Callable[[Any], Any], items: Sequence[Any], rounds: int = ROUNDS) -> float:
    """How often *function* ran a CPU second over *items*, in its best round."""
    return best_rates([(function, items)], rounds)[0]


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
