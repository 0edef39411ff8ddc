"""The command `evalbook`: JSON Lines in and out on the standard streams."""

import argparse
import errno
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from evalbook.cli import compare, registry, scoring, spans
from evalbook.cli.streams import DONE, UNUSABLE, content_lines, open_input, without_mark
from evalbook.domain.errors import EvalBookError

if TYPE_CHECKING:
    from evalbook.domain.errors import Refused
    from evalbook.jsonio.values import Json

_BOUNDARY_BYTES = 16
_STOPPED = 130
_JUDGE_MEMBERS = ("id", "judge", "case", "replies", "rubric")
_PROMPT_MEMBERS = ("id", "judge", "case", "rubric")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return 0 when done, 1 where a gate failed, 2 where a line or the input could not be used."""
    options = _parser().parse_args(arguments)
    options.status = DONE
    run: Callable[[argparse.Namespace], Iterable[bytes]] = options.run
    try:
        for line in run(options):
            sys.stdout.buffer.write(line + b"\n")
        sys.stdout.flush()
    except BrokenPipeError:
        # Who reads has read enough. The interpreter flushes once more at its end: that must not fail either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        print(f"evalbook: {_trouble(error)}", file=sys.stderr)
        return UNUSABLE
    except EvalBookError as error:
        print(f"evalbook: {error}", file=sys.stderr)
        return UNUSABLE
    except KeyboardInterrupt:
        print("evalbook: stopped", file=sys.stderr)
        return _STOPPED
    status: int = options.status
    return status


def _trouble(error: OSError) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"cannot write {error.filename or 'the answers'}: {error.strerror}"
    return f"cannot read {error.filename or 'the input'}: {error.strerror}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="evalbook", description="Score recorded outputs and traces.")
    parser.add_argument("--version", action="version", version=f"evalbook {_version()}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    listing = commands.add_parser("implementations", help="print the implementations and their parameters")
    listing.set_defaults(run=_implementations)
    scoring.add_commands(commands)
    compare.add_commands(commands)
    spans.add_command(commands)
    check = commands.add_parser("check-pattern", help="say whether a regular expression is safe")
    check.add_argument("pattern")
    check.add_argument(
        "--flag", action="append", default=[], choices=["ignore_case", "multiline", "dot_all", "verbose", "ascii"]
    )
    check.add_argument("--full-match", action="store_true", help="as in mode full_match; otherwise found anywhere")
    check.set_defaults(run=_check_pattern)
    for name, about in (("replay", "replay recorded replies of lines {id, judge, case, replies}"), ("judge", "replay")):
        replay = commands.add_parser(name, help=about if name == "replay" else "the old name of replay")
        replay.add_argument("file", nargs="?", default="-", help="JSON Lines; the standard input without it or with -")
        replay.set_defaults(run=_replay)
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


def _version() -> str:
    from importlib.metadata import version

    return version("evalbook-scorers")


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


def _replay(options: argparse.Namespace) -> Iterator[bytes]:
    from evalbook.judges.replay import replay
    from evalbook.services.scoring.json_lines import id_of

    return _answers(options, _JUDGE_MEMBERS, lambda line: replay({**line, "id": id_of(line)}))


def _prompt(options: argparse.Namespace) -> Iterator[bytes]:
    import secrets

    from evalbook.services.registry.prompt_lines import prompt

    return _answers(options, _PROMPT_MEMBERS, lambda line: prompt(line, lambda: secrets.token_hex(_BOUNDARY_BYTES)))


def _answers(
    options: argparse.Namespace, known: Sequence[str], answer: Callable[[dict[str, "Json"]], "Json"]
) -> Iterator[bytes]:
    from evalbook.domain.errors import CaseInvalid
    from evalbook.jsonio.values import encode_json
    from evalbook.services.scoring.json_lines import id_of, read_line, unknown_members

    with open_input(options.file) as stream:
        for number, text in content_lines(stream):
            try:
                line = read_line(text)
                unknown = [asdict(problem) for problem in unknown_members(line, known)]
                answered = {"id": id_of(line), "refused": unknown} if unknown else answer(line)
            except CaseInvalid as error:
                answered = {"id": None, "line": number, "refused": [{"pointer": "", "message": str(error)}]}
            if "refused" in answered:
                options.status = UNUSABLE
            yield encode_json(answered)


def _check_pattern(options: argparse.Namespace) -> Iterator[bytes]:
    from evalbook.jsonio.values import encode_json
    from evalbook.regex_safety.checker import check_pattern
    from evalbook.regex_safety.unicode_reach import unicode_reach

    mode: Literal["search", "fullmatch"] = "fullmatch" if options.full_match else "search"
    found = check_pattern(options.pattern, flags=frozenset(options.flag), mode=mode)
    problem = found.refusal or found.warning
    answer: dict[str, Any] = {"pattern": options.pattern, "verdict": "refused" if found.refusal else "safe"}
    wide = [] if found.refusal else unicode_reach(options.pattern, options.flag)
    told = {"warnings": [f"{', '.join(wide)} cover all of Unicode; --flag ascii keeps to ASCII"]} if wide else {}
    yield encode_json(answer | (asdict(problem) if problem else {}) | told)


def _problems(refused: "Refused") -> list[dict[str, str]]:
    return [asdict(problem) for problem in refused.problems]


def _calibrate(options: argparse.Namespace) -> Iterator[bytes]:
    from evalbook.domain.errors import Refused
    from evalbook.jsonio.values import encode_json
    from evalbook.reports.calibration_page import render_html

    try:
        report, differing = _stored_report(options.report) if options.report else _computed_report(options)
    except Refused as refused:
        options.status = UNUSABLE
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
    with open_input(options.file) as stream:
        rows = read_rows(text for text in without_mark(stream))
    return calibrate(rows, **terms), disagreements(rows, **terms)


def _stored_report(path: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The report of a calibration as the API answers it, and the disagreements among its rows, where it has any."""
    import json

    from evalbook.domain.errors import Problem, Refused

    with open_input(path) as stream:
        try:
            answer = json.loads(stream.read())
            return {**answer["report"]}, [row for row in answer.get("rows") or [] if row["agrees"] is False]
        except (ValueError, LookupError, TypeError, AttributeError):
            raise Refused([Problem("", "must be an answer of GET /calibrations/{id} with a report")]) from None
