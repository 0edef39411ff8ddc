"""The demo: real model outputs, scored by the real template on the local stack, as one table."""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from devstack.demo_sets import DemoSet, default_sets
from devstack.scoring_client import ScoredSet, ScoringClient
from devstack.stack import Stack

_HEADINGS = ("scorer", "implementation", "cases", "pass", "fail", "other", "cases/s", "agrees with label")
_WIDTHS = (47, 18, 6, 6, 6, 6, 8, 18)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the demo; 0 when every case came back."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="a folder with more data sets")
    options = parser.parse_args(arguments)
    sets = default_sets()
    if options.data:
        from devstack.demo_real import real_sets  # noqa: PLC0415  (only where asked for)

        sets += real_sets(options.data)
    started = time.monotonic()
    with Stack() as stack:
        print(f"The stack is up after {time.monotonic() - started:.1f} s.\n")
        print(_row(_HEADINGS))
        client = ScoringClient(stack)
        missing = sum(_scored(client, one) for one in sets)
    print(
        f"\n{sum(len(one.cases) for one in sets)} cases, {missing} missing, {time.monotonic() - started:.1f} s in all."
    )
    return 1 if missing else 0


def _scored(client: ScoringClient, one: DemoSet) -> int:
    """Score one set and print its row; how many cases did not come back."""
    scored = client.score(one)
    print(_row(_figures(one, scored)), flush=True)
    return len(one.cases) - len(scored.results)


def _figures(one: DemoSet, scored: ScoredSet) -> tuple[str, ...]:
    outcomes = [result["outcome"] for result in scored.results.values()]
    passed, failed = outcomes.count("pass"), outcomes.count("fail")
    labelled = [case for case in one.cases if case.label is not None]
    agreeing = sum(
        scored.results.get(case.case["case_id"], {}).get("outcome") == ("pass" if case.label else "fail")
        for case in labelled
    )
    agreement = f"{agreeing} of {len(labelled)} ({agreeing / len(labelled):.1%})" if labelled else "no labels"
    other = len(outcomes) - passed - failed
    counts = (len(one.cases), passed, failed, other, round(len(outcomes) / scored.seconds))
    return (one.title, one.implementation, *map(str, counts), agreement)


def _row(cells: Sequence[str]) -> str:
    left, right = 2, len(cells) - 1
    return "  ".join(
        cell.rjust(width) if left <= index < right else cell.ljust(width)
        for index, (cell, width) in enumerate(zip(cells, _WIDTHS, strict=True))
    ).rstrip()


if __name__ == "__main__":
    sys.exit(main())
