"""What differs between two judges: in what a calibration measures, and in the conditions that it was measured under."""

import difflib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from evalbook.jsonio.values import Json
from evalbook.judges.version import JudgeParameters, conditions, material

_TEMPLATE: Final = "prompt_template"
# Beyond it difflib takes seconds for texts that were written to slow it down.
_MAX_COMPARED_LINES: Final = 1_000


@dataclass(frozen=True, slots=True)
class JudgeChange:
    """One field of a judge that differs, as it was and as it is; a text also as a unified diff."""

    field: str
    old: Json
    new: Json
    diff: str | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """What differs between two judges, by field in alphabetical order.

    `material` makes them different judges. `conditions` decide no verdict, and yet change how often there is one.
    """

    material: tuple[JudgeChange, ...] = ()
    conditions: tuple[JudgeChange, ...] = ()


def compare(old: JudgeParameters | None, new: JudgeParameters | None) -> Comparison:
    """Compare two judges; with None for one of them, every field of the other differs from null."""
    return Comparison(
        changes_between(material(old) if old else {}, material(new) if new else {}),
        changes_between(conditions(old) if old else {}, conditions(new) if new else {}),
    )


def changes_between(old: Mapping[str, Json], new: Mapping[str, Json]) -> tuple[JudgeChange, ...]:
    """Name each field that differs, or is in one of them only, in alphabetical order."""
    names = sorted(old.keys() | new.keys())
    return tuple(_change(name, old.get(name), new.get(name)) for name in names if _differ(name, old, new))


def text_diff(old: str, new: str) -> str:
    """Give the unified diff of two texts, `old` and `new`, with three lines around each change.

    Texts of more than 1,000 lines stand as a whole, all lines of the old one before all lines of the new one.
    """
    before, after = old.split("\n"), new.split("\n")
    if max(len(before), len(after)) > _MAX_COMPARED_LINES:
        return "\n".join(_whole(before, after))
    return "\n".join(difflib.unified_diff(before, after, "old", "new", lineterm=""))


def _differ(name: str, old: Mapping[str, Json], new: Mapping[str, Json]) -> bool:
    return (name in old) != (name in new) or old[name] != new[name]


def _change(name: str, old: Json, new: Json) -> JudgeChange:
    both = name == _TEMPLATE and isinstance(old, str) and isinstance(new, str)
    return JudgeChange(name, old, new, text_diff(old, new) if both else None)


def _whole(before: Iterable[str], after: Iterable[str]) -> Iterator[str]:
    removed, added = list(before), list(after)
    yield from ("--- old", "+++ new", f"@@ -1,{len(removed)} +1,{len(added)} @@")
    yield from (f"-{line}" for line in removed)
    yield from (f"+{line}" for line in added)
