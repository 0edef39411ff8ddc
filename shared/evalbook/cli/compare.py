"""`evalbook compare OLD NEW`: two files of results, case by case."""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from evalbook.cli.streams import GATE_FAILED, content_lines, open_input
from evalbook.domain.errors import Problem, Refused
from evalbook.domain.outcome import Outcome

if TYPE_CHECKING:
    from evalbook.services.suites.comparison import ScoredCase

_OUTCOMES = frozenset(outcome.value for outcome in Outcome)


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `compare` to *commands*."""
    comparing = commands.add_parser("compare", help="compare two runs' results, such as a baseline and a candidate")
    comparing.add_argument("old", help="results of `evalbook score --scorers SUITE CASES --results FILE`: the baseline")
    comparing.add_argument("new", help="results of the run that is compared with it")
    comparing.add_argument("--json", action="store_true", help="print one JSON object a scorer instead of a table")
    comparing.add_argument("--html", metavar="PAGE", help="also write the comparison as one page")
    comparing.add_argument("--fail-on", choices=["regression"], help="end with 1 where a case got worse")
    comparing.set_defaults(run=_compare)


def _compare(options: argparse.Namespace) -> Iterator[bytes]:
    from evalbook.jsonio.values import encode_json
    from evalbook.services.suites.comparison import collect, compare, table

    found = list(compare(collect(_results(options.old)), collect(_results(options.new))))
    if options.html:
        from evalbook.reports.comparison_page import comparison_page

        Path(options.html).write_text(comparison_page([each.as_json() for each in found]), encoding="utf-8")
    if options.fail_on and any(each.has_regressed for each in found):
        options.status = GATE_FAILED
    if options.json:
        yield from (encode_json(each.as_json()) for each in found)
    else:
        yield from (line.encode() for line in table(found))


def _results(path: str) -> Iterator[tuple[str, str, "ScoredCase"]]:
    """Yield scorer, case id and what was said, of each line of results; raise Refused at the first that is none."""
    from evalbook.jsonio.reader import NotStrictJson, read_json
    from evalbook.services.suites.comparison import ScoredCase

    with open_input(path) as stream:
        for number, text in content_lines(stream):
            try:
                line = read_json(text)
                said = ScoredCase(line["outcome"], line["code"])
                name, case_id = line["scorer"], line["case_id"]
            except (NotStrictJson, LookupError, TypeError):
                name = case_id = said = None
            if (
                said is None
                or said.outcome not in _OUTCOMES
                or not isinstance(name, str)
                or not isinstance(case_id, str)
            ):
                message = f"line {number} of {path} is no result: it has case_id, scorer, outcome and code"
                raise Refused([Problem("", message)])
            yield name, case_id, said
