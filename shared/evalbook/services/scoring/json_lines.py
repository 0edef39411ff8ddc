"""Reading lines of JSON Lines so that a member that is not strict JSON does not spoil the others."""

from collections import Counter
from collections.abc import Collection, Mapping

from evalbook.domain.errors import CaseInvalid, Problem
from evalbook.domain.limits import LINE_DEPTH
from evalbook.jsonio.pointer import format_pointer
from evalbook.jsonio.reader import BYTE_ORDER_MARK, NotStrictJson, read_json, split_object
from evalbook.jsonio.values import Json

# The line and the case stand above a case's own values, which may nest a hundred deep.
_REPEATED = NotStrictJson("a key is repeated", 0)


def read_line(text: bytes) -> dict[str, Json]:
    """Return the line's members; one that is not strict JSON stands as the `NotStrictJson` that says why.

    A byte order mark in front is passed over: files put together from several have one within.

    Raises:
        CaseInvalid: The line is no JSON object.
    """
    text = text.removeprefix(BYTE_ORDER_MARK)
    try:
        line = read_json(text, max_depth=LINE_DEPTH)
    except NotStrictJson:
        line = _read_by_parts(text)
    if type(line) is not dict:
        raise CaseInvalid("The line is no JSON object.")
    return line


def unknown_members(line: Mapping[str, Json], known: Collection[str]) -> list[Problem]:
    """Name the members of *line* that are none of *known*: what is not understood would be left out of the verdict."""
    names = sorted(name for name in line if name not in known)
    return [Problem(format_pointer((name,)), f"is not known here; a line has {', '.join(known)}") for name in names]


def id_of(line: Mapping[str, Json]) -> Json:
    """Return the line's id as it was written, null where it cannot be read."""
    line_id = line.get("id")
    return None if isinstance(line_id, NotStrictJson) else line_id


def case_of(line: Mapping[str, Json]) -> Json:
    """Return the value of the line's case.

    Raises:
        CaseInvalid: There is none, or it is not strict JSON.
    """
    if "case" not in line:
        raise CaseInvalid("The line has no case.")
    value = line["case"]
    if isinstance(value, NotStrictJson):
        raise CaseInvalid(f"The case is not strict JSON: {value}.")
    return value


def _read_by_parts(text: bytes) -> dict[str, Json]:
    try:
        members = split_object(text)
    except NotStrictJson as error:
        raise CaseInvalid(f"The line is no JSON object: {error}.") from None
    names = Counter(name for name, _ in members)
    return {name: _read_part(part) if names[name] == 1 else _REPEATED for name, part in members}


def _read_part(text: bytes) -> Json:
    try:
        return read_json(text, max_depth=LINE_DEPTH - 1)
    except NotStrictJson as error:
        return error
