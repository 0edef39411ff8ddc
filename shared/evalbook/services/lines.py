"""Reading lines of JSON Lines so that a member that is not strict JSON does not spoil the others."""

from evalbook.errors import CaseInvalid
from evalbook.jsonvalue import Json
from evalbook.strict_json import NotStrictJson, read_json, split_object

# The line and the case stand above a case's own values, which may nest a hundred deep.
_LINE_DEPTH = 102


def read_line(text: bytes) -> dict[str, Json]:
    """The line's members; one that is not strict JSON stands as the `NotStrictJson` that says why.

    Raises:
        CaseInvalid: The line is no JSON object.
    """
    try:
        line = read_json(text, max_depth=_LINE_DEPTH)
    except NotStrictJson:
        line = _read_by_parts(text)
    if type(line) is not dict:
        raise CaseInvalid("The line is no JSON object.")
    return line


def _read_by_parts(text: bytes) -> dict[str, Json]:
    try:
        return {name: _read_part(part) for name, part in split_object(text).items()}
    except NotStrictJson as error:
        raise CaseInvalid(f"The line is no JSON object: {error}.") from None


def _read_part(text: bytes) -> Json:
    try:
        return read_json(text, max_depth=_LINE_DEPTH - 1)
    except NotStrictJson as error:
        return error
