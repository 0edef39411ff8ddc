"""Small cases that scorers elsewhere got wrong, each with the outcomes that are right.

`cases.jsonl` holds lines of the command `evalbook score`, with the right outcomes under `want` (`refused`: no version
with these parameters may be created). Credentials stand there in parts, joined by `{"$join": [...]}` or `{"$concat":
[...]}`; `{"$repeat": [text, n]}` repeats a text.
"""

import json
from collections import Counter
from pathlib import Path

import pytest

from evalbook.services.scoring import catalog
from evalbook.services.scoring.lines_job import LinesJob

CASES = [json.loads(line) for line in Path(__file__).with_name("cases.jsonl").read_text(encoding="utf-8").splitlines()]
KNOWN = catalog.families()
SENT = ("id", "implementation", "parameters", "case", "time_limit_ms")


def expanded(value):
    """The value with its markers replaced by the texts that they stand for."""
    if isinstance(value, list):
        return [expanded(element) for element in value]
    if not isinstance(value, dict):
        return value
    match value:
        case {"$repeat": [text, count]}:
            return text * count
        case {"$concat": parts} | {"$join": parts}:
            return "".join(map(expanded, parts))
    return {name: expanded(member) for name, member in value.items()}


@pytest.mark.parametrize("row", [pytest.param(row, id=row["id"]) for row in CASES if row["implementation"] in KNOWN])
def test_a_recorded_case_has_a_right_outcome(row):
    line = json.dumps({name: expanded(row[name]) for name in SENT if name in row}).encode()

    (_, answer), *others = LinesJob((line,)).results(0, {}, lambda _index, _limit: None)

    answer = json.loads(answer)
    assert others == []
    assert answer["id"] == row["id"]
    assert ("refused" if "refused" in answer else answer["outcome"]) in row["want"]


def test_no_two_recorded_cases_have_the_same_id():
    assert [name for name, count in Counter(row["id"] for row in CASES).items() if count > 1] == []
