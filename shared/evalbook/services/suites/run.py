"""Scoring the rows of a file with every scorer of a suite, some rows at a time."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

import orjson

from evalbook.services.suites.case_rows import CaseRow, RowUnreadable
from evalbook.services.suites.suite import SuiteScorer

RunLines = Callable[[tuple[bytes, ...]], Sequence[bytes]]
_UNPREPARED = "The version could not be prepared within its bound."

Results = list[dict[str, Any]]


def scored_rows(
    rows: Iterable[CaseRow | RowUnreadable], scorers: Sequence[SuiteScorer], run: RunLines, lines_a_job: int
) -> Iterator[tuple[CaseRow | RowUnreadable, Results]]:
    """Yield each row with its results, one a scorer in the suite's order; none for a row that is no case.

    *run* answers lines of `evalbook score`; it is given up to about *lines_a_job* at a time.
    """
    stream, many = iter(rows), max(1, lines_a_job // len(scorers))
    while chunk := list(islice(stream, many)):
        cases = [row for row in chunk if isinstance(row, CaseRow)]
        answers = iter(run(tuple(scorer.line(0, row.text) for row in cases for scorer in scorers)))
        for row in chunk:
            yield row, [] if isinstance(row, RowUnreadable) else [_result(row, each, next(answers)) for each in scorers]


def _result(row: CaseRow, scorer: SuiteScorer, answer: bytes) -> dict[str, Any]:
    said = orjson.loads(answer)
    said.pop("id")
    if "refused" in said:
        said = {"outcome": "error", "code": "SCORING_FAILED", "score": None, "explanation": _UNPREPARED, "body": None}
    return {"case_id": row.case_id, "scorer": scorer.name, **said}
