"""`evalbook score --scorers SUITE CASES`: several scorers over a file of cases, with a table, reports and gates."""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from evalbook.cli.case_files import read_cases
from evalbook.cli.streams import GATE_FAILED, UNUSABLE
from evalbook.domain.errors import Problem, Refused

if TYPE_CHECKING:
    from evalbook.services.suites.case_rows import CaseRow
    from evalbook.services.suites.suite import SuiteScorer
    from evalbook.services.suites.summary import Gates, ScorerSummary

_LINES_A_JOB = 200
_UNLIMITED_SECONDS = 1e9


def add_arguments(score: argparse.ArgumentParser) -> None:
    """Add the options of suites to the command `score`."""
    suite = score.add_argument_group("suites")
    suite.add_argument(
        "--scorers", metavar="FILE", help="a suite: JSON or YAML with {scorers: [{name, implementation, ...}]}"
    )
    suite.add_argument("--format", choices=["auto", "jsonl", "json", "csv", "parquet"], default="auto")
    suite.add_argument("--map", action="append", default=[], metavar="MEMBER[:json]=COLUMN", help="for CSV and Parquet")
    suite.add_argument("--results", metavar="FILE", help="write the results as JSON Lines; - for the standard output")
    suite.add_argument("--junit", metavar="FILE", help="write the results as JUnit XML")
    suite.add_argument(
        "--otel", metavar="FILE", help="write the results as OpenTelemetry evaluation events (OTLP JSON)"
    )
    suite.add_argument("--html", metavar="PAGE", help="write the results as one page")
    suite.add_argument(
        "--with-bodies", action="store_true", help="show outputs, expected values and traces on the page"
    )
    suite.add_argument(
        "--fail-under",
        action="append",
        default=[],
        metavar="[NAME=]RATE",
        help="the least pass rate, 0 to 1; repeatable",
    )
    suite.add_argument(
        "--fail-on", default="", metavar="OUTCOME,...", help="outcomes that must not occur, such as error"
    )


def score_suite(options: argparse.Namespace) -> Iterator[bytes]:
    """Score the cases of `options.file` with every scorer of the suite; yield what stands on the standard output."""
    from evalbook.domain.outcome import Code
    from evalbook.services.suites.suite import read_suite
    from evalbook.services.suites.summary import ScorerSummary, table

    scorers = read_suite(_document(options.scorers))
    gates = _gates(options, scorers)
    summaries = {scorer.name: ScorerSummary(scorer.name) for scorer in scorers}
    kept: list[tuple[CaseRow, list[dict[str, Any]]]] = []
    with ExitStack() as stack:
        sink = _sink(options.results, stack)
        for row, results in _scored(options, scorers):
            for result in results:
                if result["code"] == Code.CASE_INVALID:
                    options.status = UNUSABLE
                summaries[result["scorer"]].add(result["outcome"], result["code"])
                if sink is not None:
                    sink.write(_encoded(result) + b"\n")
            if options.junit or options.html or options.otel:
                kept.append((row, results))
    _write_reports(options, list(summaries.values()), kept)
    lines = table(list(summaries.values()))
    failures = list(gates.failures(summaries.values()))
    told = [*lines, *(f"gate failed: {failure}" for failure in failures)]
    if failures and options.status != UNUSABLE:
        options.status = GATE_FAILED
    if options.results == "-":
        print("\n".join(told), file=sys.stderr)
        return
    yield from (line.encode() for line in told)


def _scored(
    options: argparse.Namespace, scorers: Iterable["SuiteScorer"]
) -> Iterator[tuple["CaseRow", list[dict[str, Any]]]]:
    """Yield each case with one result a scorer; say on standard error which rows are none."""
    from contextlib import closing

    from tqdm import tqdm

    from evalbook.adapters.process.forked_worker import ForkedWorker
    from evalbook.services.suites.case_rows import RowUnreadable
    from evalbook.services.suites.run import scored_rows

    with closing(ForkedWorker()) as worker, tqdm(unit=" cases", disable=None, file=sys.stderr) as progress:
        worker.start()

        def run(lines: tuple[bytes, ...]) -> list[bytes]:
            from evalbook.services.scoring.lines_job import LinesJob

            job = LinesJob(lines)
            return [answer for _, answer in worker.run(job, seconds_left=_UNLIMITED_SECONDS, survive_crashes=True)]

        for row, results in scored_rows(read_cases(options), tuple(scorers), run, _LINES_A_JOB):
            progress.update()
            if isinstance(row, RowUnreadable):
                options.status = UNUSABLE
                print(f"evalbook: {options.file}, row {row.number} {row.reason}", file=sys.stderr)
            else:
                yield row, results


def _document(path: str) -> Any:
    from evalbook.jsonio.reader import BYTE_ORDER_MARK, NotStrictJson, read_json

    text = Path(path).read_bytes().removeprefix(BYTE_ORDER_MARK)
    if Path(path).suffix in (".yaml", ".yml"):
        from evalbook.cli.yaml_documents import read_yaml

        return read_yaml(text)
    try:
        return read_json(text)
    except NotStrictJson as error:
        raise Refused([Problem("", f"the suite is not strict JSON: {error}")]) from None


def _gates(options: argparse.Namespace, scorers: Iterable["SuiteScorer"]) -> "Gates":
    from evalbook.domain.outcome import Outcome
    from evalbook.services.suites.summary import Gates

    by_name = {scorer.name: scorer.threshold for scorer in scorers if scorer.threshold is not None}
    names, least = {scorer.name for scorer in scorers}, None
    for given in options.fail_under:
        name, _, rate = given.rpartition("=")
        if name and name not in names:
            raise Refused(
                [Problem("--fail-under", f"names no scorer of the suite; they are {', '.join(sorted(names))}")]
            )
        if name:
            by_name[name] = _rate(rate)
        else:
            least = _rate(rate)
    outcomes = frozenset(filter(None, options.fail_on.split(",")))
    if unknown := outcomes - {outcome.value for outcome in Outcome}:
        raise Refused([Problem("--fail-on", f"{len(unknown)} of them are none of {', '.join(Outcome)}")])
    return Gates(least, by_name, outcomes)


def _rate(text: str) -> Decimal:
    try:
        rate = Decimal(text)
    except InvalidOperation:
        rate = Decimal(-1)
    if not (rate.is_finite() and 0 <= rate <= 1):
        raise Refused([Problem("--fail-under", "must be a pass rate from 0 to 1, such as 0.9 or NAME=0.9")])
    return rate


def _sink(path: str | None, stack: ExitStack) -> BinaryIO | None:
    if path is None:
        return None
    return sys.stdout.buffer if path == "-" else stack.enter_context(Path(path).open("wb"))


def _encoded(result: dict[str, Any]) -> bytes:
    return json.dumps(result, ensure_ascii=False, separators=(",", ":")).encode()


def _write_reports(
    options: argparse.Namespace, summaries: list["ScorerSummary"], kept: list[tuple["CaseRow", list[dict[str, Any]]]]
) -> None:
    if options.junit:
        from evalbook.reports.junit import junit_xml

        by_scorer: dict[str, list[dict[str, Any]]] = {summary.name: [] for summary in summaries}
        for _, results in kept:
            for result in results:
                by_scorer[result["scorer"]].append(result)
        Path(options.junit).write_text(junit_xml(by_scorer), encoding="utf-8")
    if options.otel:
        Path(options.otel).write_bytes(_events(kept))
    if options.html:
        from evalbook.reports.results_page import results_page

        page = results_page([each.as_json() for each in summaries], kept, with_bodies=options.with_bodies)
        Path(options.html).write_text(page, encoding="utf-8")


def _events(kept: list[tuple["CaseRow", list[dict[str, Any]]]]) -> bytes:
    import time

    from evalbook.jsonio.reader import NotStrictJson, read_json
    from evalbook.jsonio.values import encode_json
    from evalbook.reports.otel_events import Evaluated, evaluated, otel_events

    def about(row: "CaseRow") -> Evaluated:
        try:
            return evaluated(read_json(row.text).get("trace"))
        except NotStrictJson:
            return Evaluated()

    results = ((result, parent) for row, found in kept for parent in [about(row)] for result in found)
    return encode_json(otel_events(results, time.time_ns()))
