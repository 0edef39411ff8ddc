"""`evalbook score`: lines that each name their version, or a suite of scorers over a file of cases."""

import argparse
import sys
from collections.abc import Iterator
from itertools import islice

from evalbook.cli import suites
from evalbook.cli.streams import UNUSABLE, content_lines, open_input

_LINES_A_JOB = 200
_UNLIMITED_SECONDS = 1e9


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `score` to *commands*."""
    score = commands.add_parser(
        "score", help="score lines of {id, implementation, parameters, case}, or cases with a suite"
    )
    score.add_argument(
        "file",
        nargs="?",
        default="-",
        help="JSON Lines, or the cases of a suite; the standard input without it or with -",
    )
    suites.add_arguments(score)
    score.set_defaults(run=_score)


def _score(options: argparse.Namespace) -> Iterator[bytes]:
    return suites.score_suite(options) if options.scorers else _score_lines(options)


def _score_lines(options: argparse.Namespace) -> Iterator[bytes]:
    from contextlib import closing

    from tqdm import tqdm

    from evalbook.adapters.process.forked_worker import ForkedWorker
    from evalbook.services.scoring.lines_job import LinesJob

    # `disable=None` shows the bar on a terminal only.
    with (
        closing(ForkedWorker()) as worker,
        tqdm(unit=" cases", disable=None, file=sys.stderr) as progress,
        open_input(options.file) as stream,
    ):
        worker.start()
        lines = (text for _, text in content_lines(stream))
        while chunk := tuple(islice(lines, _LINES_A_JOB)):
            for _, answer in worker.run(LinesJob(chunk), seconds_left=_UNLIMITED_SECONDS, survive_crashes=True):
                progress.update()
                if _is_unusable(answer):
                    options.status = UNUSABLE
                yield answer


def _is_unusable(answer: bytes) -> bool:
    import orjson

    from evalbook.domain.outcome import Code

    read = orjson.loads(answer)
    return "refused" in read or read["code"] == Code.CASE_INVALID
