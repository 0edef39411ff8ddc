"""The cases of a suite's run: JSON Lines, a JSON array, or rows of columns with a mapping to a case's members."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Final, NamedTuple

from evalbook.domain.errors import Problem, Refused
from evalbook.jsonio.canonical import plain_json
from evalbook.jsonio.reader import NotStrictJson, read_json, split_array, split_object
from evalbook.jsonio.values import Json

CASE_MEMBERS: Final = ("case_id", "example_id", "input", "output", "expected", "subject", "trace", "refs")
_CLOSE: Final = 0.75


class CaseRow(NamedTuple):
    """One case to score: its id, its JSON text, and what else its row holds, for slices."""

    number: int
    case_id: str
    text: bytes
    fields: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class RowUnreadable(Exception):
    """A row that is no case at all: its number in the file, from 1, and why, without payload."""

    number: int
    reason: str


class Column(NamedTuple):
    """Where a case's member comes from: a column, whose cells are texts, or JSON where the mapping says so."""

    member: str
    name: str
    is_json: bool


def read_mapping(pairs: Iterable[str]) -> tuple[Column, ...]:
    """Return the columns of mappings such as `output=answer` and `expected:json=label`.

    Raises:
        Refused: A mapping has another form, or names no member of a case.
    """
    columns, problems = [], []
    for pair in pairs:
        left, _, name = pair.partition("=")
        member, _, form = left.partition(":")
        if member not in CASE_MEMBERS or form not in ("", "json") or not name:
            message = f"must be MEMBER=COLUMN or MEMBER:json=COLUMN, with one of {', '.join(CASE_MEMBERS)}"
            problems.append(Problem("--map", message))
        columns.append(Column(member, name, form == "json"))
    if problems:
        raise Refused(problems)
    return tuple(columns)


def rows_of_lines(lines: Iterable[tuple[int, bytes]]) -> Iterator[CaseRow | RowUnreadable]:
    """Yield the cases of JSON Lines, numbered as their lines are."""
    return (row_of_json(number, text) for number, text in lines)


def rows_of_array(text: bytes) -> Iterator[CaseRow | RowUnreadable]:
    """Yield the cases of a JSON array; raise Refused where it is none."""
    try:
        elements = split_array(text)
    except NotStrictJson as error:
        raise Refused([Problem("", f"must be a JSON array of cases: {error}")]) from None
    return (row_of_json(number, element) for number, element in enumerate(elements, 1))


def row_of_json(number: int, text: bytes) -> CaseRow | RowUnreadable:
    """Return the case in a JSON object; a case without an id is called by its number."""
    try:
        members = split_object(text)
    except NotStrictJson as error:
        return RowUnreadable(number, f"is no JSON object: {error}")
    others = [(name, part) for name, part in members if name not in CASE_MEMBERS]
    if misspelt := [name for name, _ in others if get_close_matches(name, CASE_MEMBERS, 1, _CLOSE)]:
        close = get_close_matches(misspelt[0], CASE_MEMBERS, 1, _CLOSE)[0]
        return RowUnreadable(number, f"has a member that is spelt almost like {close}; rename it")
    kept = [(name, part) for name, part in members if name in CASE_MEMBERS]
    case_id = next((_read(part) for name, part in kept if name == "case_id"), None)
    if case_id is None:
        case_id, kept = str(number), [("case_id", plain_json(str(number))), *kept]
    body = b",".join(plain_json(name) + b":" + part for name, part in kept)
    return CaseRow(number, str(case_id), b"{%s}" % body, {name: _read(part) for name, part in others})


def rows_of_columns(rows: Iterable[Mapping[str, Any]], mapping: Iterable[Column]) -> Iterator[CaseRow | RowUnreadable]:
    """Yield the cases of rows of columns; columns of a member's own name need no mapping."""
    columns = list(mapping)
    mapped = {column.member for column in columns}
    for number, row in enumerate(rows, 1):
        plain = [Column(name, name, is_json=False) for name in row if name in CASE_MEMBERS and name not in mapped]
        chosen = [*columns, *plain]
        try:
            case = {column.member: _cell(row, column) for column in chosen}
        except (KeyError, NotStrictJson) as error:
            reason = "has no such column" if isinstance(error, KeyError) else f"holds no strict JSON: {error}"
            yield RowUnreadable(number, f"a mapped column {reason}")
            continue
        used = {column.name for column in chosen}
        case.setdefault("case_id", str(number))
        fields = {name: value for name, value in row.items() if name not in used}
        yield CaseRow(number, str(case["case_id"]), plain_json(case), fields)


def _cell(row: Mapping[str, Any], column: Column) -> Json:
    value = row[column.name]
    return read_json(str(value).encode()) if column.is_json and isinstance(value, str) else value


def _read(part: bytes) -> Json:
    try:
        return read_json(part)
    except NotStrictJson:
        return None
