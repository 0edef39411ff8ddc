"""The command `evalbook`: JSON Lines in and out on the standard streams."""

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Literal

from evalbook.cli import registry, spans
from evalbook.domain.errors import EvalBookError

if TYPE_CHECKING:
    from evalbook.domain.errors import Refused
    from evalbook.jsonio.values import Json

_LINES_A_JOB = 200
_UNLIMITED_SECONDS = 1e9
_BOUNDARY_BYTES = 16


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
    except EvalBookError as error:
        print(f"evalbook: {error}", file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="evalbook", description="Score recorded outputs and traces.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    listing = commands.add_parser("implementations", help="print the implementations and their parameters")
    listing.set_defaults(run=_implementations)
    score = commands.add_parser("score", help="score lines of {id, implementation, parameters, case}")
    score.add_argument("file", nargs="?", default="-", help="JSON Lines; the standard input without it or with -")
    score.set_defaults(run=_score)
    spans.add_command(commands)
    check = commands.add_parser("check-pattern", help="say whether a regular expression is safe")
    check.add_argument("pattern")
    check.add_argument(
        "--flag", action="append", default=[], choices=["ignore_case", "multiline", "dot_all", "verbose"]
    )
    check.add_argument("--full-match", action="store_true", help="as in mode full_match; otherwise found anywhere")
    check.set_defaults(run=_check_pattern)
    judge = commands.add_parser("judge", help="replay recorded replies of lines {id, judge, case, replies}")
    judge.add_argument("file", nargs="?", default="-", help="JSON Lines; the standard input without it or with -")
    judge.set_defaults(run=_judge)
    prompt = commands.add_parser("prompt", help="show the messages for lines {id, judge, case, rubric}, without asking")
    prompt.add_argument("file", nargs="?", default="-", help="JSON Lines; the standard input without it or with -")
    prompt.set_defaults(run=_prompt)
    calibrate = commands.add_parser("calibrate", help="compare a judge's outcomes with human labels")
    calibrate.add_argument("file", nargs="?", default="-", help="JSON Lines; the standard input without it or with -")
    calibrate.add_argument("--threshold", type=float, help="the score from which a scored judge passes a case")
    calibrate.add_argument("--pass-category", action="append", default=[], help="a category that passes; repeatable")
    calibrate.add_argument(
        "--report", metavar="FILE", help="take the report in FILE, an answer of GET /calibrations/{id}"
    )
    calibrate.add_argument("--html", metavar="PAGE", help="also write the report as one page")
    calibrate.set_defaults(run=_calibrate)
    registry.add_commands(commands)
    return parser


def _implementations(_: argparse.Namespace) -> Iterator[bytes]:
    from pydantic_core import to_json

    from evalbook.services.scoring import catalog

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

    from evalbook.adapters.process.forked_worker import ForkedWorker
    from evalbook.services.scoring.lines_job import LinesJob

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


def _judge(options: argparse.Namespace) -> Iterator[bytes]:
    from evalbook.judges.replay import replay
    from evalbook.services.scoring.json_lines import id_of

    return _answers(options.file, lambda line: replay({**line, "id": id_of(line)}))


def _prompt(options: argparse.Namespace) -> Iterator[bytes]:
    import secrets

    from evalbook.services.registry.prompt_lines import prompt

    return _answers(options.file, lambda line: prompt(line, lambda: secrets.token_hex(_BOUNDARY_BYTES)))


def _answers(file: str, answer: Callable[[dict[str, "Json"]], "Json"]) -> Iterator[bytes]:
    from evalbook.domain.errors import CaseInvalid
    from evalbook.jsonio.values import encode_json
    from evalbook.services.scoring.json_lines import read_line

    with _open(file) as stream:
        for text in filter(bytes.strip, stream):
            try:
                yield encode_json(answer(read_line(text)))
            except CaseInvalid as error:
                yield encode_json({"id": None, "refused": [{"pointer": "", "message": str(error)}]})


def _check_pattern(options: argparse.Namespace) -> Iterator[bytes]:
    from dataclasses import asdict

    from evalbook.jsonio.values import encode_json
    from evalbook.regex_safety.checker import check_pattern

    mode: Literal["search", "fullmatch"] = "fullmatch" if options.full_match else "search"
    found = check_pattern(options.pattern, flags=frozenset(options.flag), mode=mode)
    problem = found.refusal or found.warning
    answer = {"pattern": options.pattern, "verdict": "refused" if found.refusal else "safe"}
    yield encode_json(answer | (asdict(problem) if problem else {}))


def _problems(refused: "Refused") -> list[dict[str, str]]:
    return [{"pointer": problem.pointer, "message": problem.message} for problem in refused.problems]


def _calibrate(options: argparse.Namespace) -> Iterator[bytes]:
    from evalbook.domain.errors import Refused
    from evalbook.jsonio.values import encode_json
    from evalbook.reports.calibration_page import render_html

    try:
        report, differing = _stored_report(options.report) if options.report else _computed_report(options)
    except Refused as refused:
        yield encode_json({"refused": _problems(refused)})
        return
    if options.html:
        page = render_html({**report, "disagreements": differing})
        Path(options.html).write_text(page, encoding="utf-8")
    yield encode_json(report)


def _computed_report(options: argparse.Namespace) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    from evalbook.calibration.cases import disagreements
    from evalbook.calibration.report import calibrate
    from evalbook.calibration.rows import read_rows

    terms = {"threshold": options.threshold, "pass_categories": options.pass_category}
    with _open(options.file) as stream:
        rows = read_rows(stream)
    return calibrate(rows, **terms), disagreements(rows, **terms)


def _stored_report(path: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The report of a calibration as the API answers it, and the disagreements among its rows, where it has any."""
    import json

    from evalbook.domain.errors import Problem, Refused

    with _open(path) as stream:
        try:
            answer = json.loads(stream.read())
            return {**answer["report"]}, [row for row in answer.get("rows") or [] if row["agrees"] is False]
        except (ValueError, LookupError, TypeError, AttributeError):
            raise Refused([Problem("", "must be an answer of GET /calibrations/{id} with a report")]) from None


def _open(path: str) -> BinaryIO:
    return sys.stdin.buffer if path == "-" else open(path, "rb")  # noqa: PTH123  (closed by the caller)
