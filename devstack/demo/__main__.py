"""The demo: a model's outputs and an agent's runs, scored by the real template on the local stack, as one table."""

import argparse
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Protocol

from tqdm import tqdm

from devstack.clients.authors import JudgeAuthors
from devstack.clients.judging import JudgingClient
from devstack.clients.scoring import ScoredSet, ScoringClient
from devstack.demo.calibrated import print_calibrated
from devstack.demo.data import DemoSet
from devstack.demo.judged import print_judged
from devstack.demo.real import real_sets
from devstack.demo.recorded_agent import agent_sets
from devstack.demo.sets import default_sets
from devstack.demo.table import heading, row
from devstack.errors import StackError
from devstack.stack import Stack
from devstack.standins.gateway import GatewayOptions
from devstack.standins.gateway_recorded import RecordedReplies

_MIN_CONCURRENCY: Final = 2  # what the template takes
_INTERRUPTED: Final = 130  # what shells report for Ctrl-C


class Scores(Protocol):
    """Who scores sets: the client of a running stack."""

    def score(self, one: DemoSet) -> ScoredSet:
        """Return what came back."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the demo; its exit code: 0 when every case came back and the judge was calibrated, 130 when interrupted."""
    parser = argparse.ArgumentParser(prog="python -m devstack.demo", description=__doc__)
    parser.add_argument("--data", type=Path, help="a folder with more data sets")
    folder = parser.parse_args(arguments).data
    if folder and not folder.is_dir():
        parser.error(f"{folder} is no folder")
    try:
        return _run([*default_sets(), *agent_sets(), *(real_sets(folder) if folder else [])])
    except KeyboardInterrupt:
        print("Stopped.")
        return _INTERRUPTED
    except StackError as error:
        print(error, file=sys.stderr)
        return 1


def _run(sets: Sequence[DemoSet]) -> int:
    started = time.monotonic()
    # More processes of a function than this machine has cores would take longer to start than the cases take to score.
    concurrency = max(_MIN_CONCURRENCY, os.cpu_count() or 1)
    sso = GatewayOptions(models=(RecordedReplies(),))
    chosen = {"MaximumConcurrency": str(concurrency), "CalibrationInFlight": "4", "CalibrationPollSeconds": "1"}
    with Stack(parameters=chosen, sso=sso) as stack:
        print(f"The stack is up after {time.monotonic() - started:.1f} s.\n", flush=True)
        missing = score_all(ScoringClient(stack), sets)
        authors = JudgeAuthors(stack)
        missing += print_judged(authors, JudgingClient(stack), stack.sso)
        calibrated = print_calibrated(authors)
    cases = sum(len(one.cases) for one in sets)
    print("\ncases/s: from the queue and back; the first set of a family waits until its function has started.")
    print(f"{cases} cases, {missing} missing, {time.monotonic() - started:.1f} s in all.")
    return 0 if calibrated and not missing else 1


def score_all(client: Scores, sets: Sequence[DemoSet]) -> int:
    """Score *sets*, print the table as they come back, and return how many cases did not."""
    print(heading(), flush=True)
    missing = 0
    with tqdm(sets, disable=None, leave=False, unit="set") as progress:
        for one in progress:
            progress.set_description(one.title)
            scored = client.score(one)
            missing += sum(case.case_id not in scored.results for case in one.cases)
            with tqdm.external_write_mode():
                print(row(one, scored), flush=True)
    return missing


if __name__ == "__main__":
    sys.exit(main())
