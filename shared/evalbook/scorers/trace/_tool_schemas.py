"""The tools' own schemas: as authors write them, or as definitions that model APIs take."""

from collections.abc import Iterator, Mapping
from typing import Any

from evalbook.domain.errors import Problem
from evalbook.jsonio.values import Json, kind_of

_FORMS = (
    '{"name", "schema"}, {"type": "function", "function": {"name", "parameters"}}, '
    '{"type": "function", "name", "parameters"} or {"name", "input_schema"}'
)


def definition(raw: Mapping[str, Json]) -> tuple[Json, Json, str, str] | None:
    """Return name and schema of the tool definition *raw* and their pointers within it; None for an unknown form.

    A function without `parameters` takes none: its schema is that of an empty object.
    """
    function = raw.get("function")
    if raw.get("type") == "function" and isinstance(function, dict):
        return _named(function, "parameters", "/function")
    if raw.get("type") == "function" and "name" in raw:
        return _named(raw, "parameters", "")
    return next((_named(raw, key, "") for key in ("schema", "input_schema", "inputSchema") if key in raw), None)


def _named(raw: Mapping[str, Json], key: str, within: str) -> tuple[Json, Json, str, str]:
    takes_nothing: dict[str, Any] = {"type": "object", "additionalProperties": False}
    return raw.get("name"), raw.get(key, takes_nothing), f"{within}/name", f"{within}/{key}"


def definitions(tools: Json) -> Iterator[tuple[int, tuple[Json, Json, str, str]]]:
    """Yield the definitions among *tools*, which may be anything at all, by index."""
    for index, each in enumerate(tools if isinstance(tools, list) else ()):
        found = definition(each) if isinstance(each, dict) else None
        if found is not None:
            yield index, found


def form_problems(tools: Json) -> Iterator[Problem]:
    """Name what is wrong with the forms and the names of *tools*, which may be anything at all."""
    seen: set[str] = set()
    for index, each in enumerate(tools if isinstance(tools, list) else ()):
        if not isinstance(each, dict):
            yield Problem(f"/tools/{index}", f"must be an object, not {kind_of(each)}")
        elif (found := definition(each)) is None:
            yield Problem(f"/tools/{index}", f"must have one of the forms {_FORMS}")
        else:
            yield from _member_problems(each, f"/tools/{index}")
            yield from _name_problems(found[0], f"/tools/{index}{found[2]}", seen)


def _member_problems(raw: Mapping[str, Json], place: str) -> Iterator[Problem]:
    """The author's own form has no other members; a model API's definition may."""
    for name in sorted(raw.keys() - {"name", "schema"}) if "schema" in raw else ():
        yield Problem(f"{place}/{name}", "is not a member of a tool; it has a name and a schema")


def _name_problems(name: Json, place: str, seen: set[str]) -> Iterator[Problem]:
    if not isinstance(name, str) or not name:
        yield Problem(place, "must be the tool's own name, a text of at least one character")
    elif name in seen:
        yield Problem(place, "is the name of an earlier tool")
    else:
        seen.add(name)
