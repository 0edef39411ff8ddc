"""The ledger of requirements: every id once, every test that it names exists, and a row without a test says so."""

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NOT_BUILT = "not built yet"
COUNTS = {
    "G": 13,
    "S": 14,
    "R": 4,
    "T": 4,
    "K": 3,
    "F": 2,
    "V": 7,
    "B": 3,
    "P": 3,
    "Y": 3,
    "A": 7,
    "U": 5,
    "C": 3,
    "I": 6,
    "E": 6,
    "N": 6,
    "M": 5,
    "L": 6,
    "X": 19,
}
NOT_GIVEN = {"X-08", "X-09"}
IDS = [f"{letter}-{number:02d}" for letter, count in COUNTS.items() for number in range(1, count + 1)]
IDS = [each for each in IDS if each not in NOT_GIVEN]

_ROW = re.compile(r"^\| ([A-Z]-\d\d) \| (.+?) \| (.*?) ?\| (.+?) \|$", re.MULTILINE)
ROWS = _ROW.findall((ROOT / "docs" / "requirements.md").read_text("utf-8"))
NAMED = sorted({name for _, _, tests, _ in ROWS for name in re.findall(r"`([^`]+)`", tests)})


@cache
def functions_of(path):
    """The test functions that a file defines, in classes too."""
    return set(re.findall(r"^ *def (test_\w+)\(", (ROOT / path).read_text("utf-8"), re.MULTILINE))


def test_every_requirement_has_one_row():
    assert [row[0] for row in ROWS] == IDS


@pytest.mark.parametrize("name", NAMED)
def test_a_test_that_the_ledger_names_exists(name):
    path, _, function = name.partition("::")

    assert (ROOT / path).is_file()
    assert function in functions_of(path)


def test_a_row_names_nothing_but_tests():
    cells = {
        requirement: re.sub(r"`tests/[a-z0-9_/]+\.py::test_\w+`|<br>", "", tests) for requirement, _, tests, _ in ROWS
    }

    assert {requirement: rest for requirement, rest in cells.items() if rest} == {}


def test_a_row_says_that_it_is_not_built_where_it_names_no_test_and_nowhere_else():
    assert [row[0] for row in ROWS if (row[3] == NOT_BUILT) != (row[2] == "")] == []


def test_every_other_row_is_shown_or_says_what_is_missing():
    states = {state for _, _, _, state in ROWS}

    assert {
        state for state in states if state not in {"shown", NOT_BUILT} and not state.startswith("in part: ")
    } == set()
