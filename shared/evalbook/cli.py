"""The command `evalbook`: JSON Lines in and out on the standard streams."""

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import BinaryIO

_LINES_A_JOB = 200
_UNLIMITED_SECONDS = 1e9


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 0 unless the input cannot be read."""
    options = _parser().parse_args(arguments)
    run: Callable[[argparse.Namespace], Iterable[bytes]] = options.run
    try:
        for line in run(options):
            sys.stdout.buffer.write(line + b"\n")
        sys.stdout.flush()
    except BrokenPipeError:
        # Who reads has read enough. The interpreter flushes once more at its end: that must not fail either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        print(f"evalbook: cannot read {error.filename or 'the input'}: {error.strerror}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="evalbook", description="Score recorded outputs and traces.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    listing = commands.add_parser("implementations", help="print the implementations and their parameters")
    listing.set_defaults(run=_implementations)
    score = commands.add_parser("score", help="score lines of {id, implementation, parameters, case}")
    score.add_argument("file", nargs="?", default="-", help="JSON Lines; the standard input without it or with -")
    score.set_defaults(run=_score)
    return parser


def _implementations(_: argparse.Namespace) -> Iterator[bytes]:
    from pydantic_core import to_json

    from evalbook import catalog

    for name, entry in catalog.implementations().items():
        yield to_json(
            {
                "name": name,
                "family": entry.family,
                "summary": entry.summary,
                "needs": [need.value for need in entry.needs],
                "parameters": entry.parameters_schema(),
            }
        )


def _score(options: argparse.Namespace) -> Iterator[bytes]:
    from contextlib import closing

    from tqdm import tqdm

    from evalbook.adapters.forked_worker import ForkedWorker
    from evalbook.services.lines_job import LinesJob

    # `disable=None` shows the bar on a terminal only.
    with (
        closing(ForkedWorker()) as worker,
        tqdm(unit=" cases", disable=None, file=sys.stderr) as progress,
        _open(options.file) as stream,
    ):
        worker.start()
        lines = (line for line in stream if line.strip())
        while chunk := tuple(islice(lines, _LINES_A_JOB)):
            for _, answer in worker.run(LinesJob(chunk), seconds_left=_UNLIMITED_SECONDS, survive_crashes=True):
                progress.update()
                yield answer


def _open(path: str) -> BinaryIO:
    return sys.stdin.buffer if path == "-" else open(path, "rb")  # noqa: PTH123  (closed by the caller)


if __name__ == "__main__":
    sys.exit(main())
