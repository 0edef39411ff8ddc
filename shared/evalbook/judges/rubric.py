"""Rubrics: what a judge, or a person, scores against."""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Annotated, Final

from pydantic import Field, StringConstraints

from evalbook.domain.errors import Problem
from evalbook.domain.parameters import Number, Parameters
from evalbook.jsonio.pointer import format_pointer
from evalbook.jsonio.values import Json
from evalbook.judges.parameter_types import Key, ShortText, array, is_list, plain, repeated

_MAX_CRITERIA: Final = 50
_MAX_LEVELS: Final = 20

Prose = Annotated[str, StringConstraints(min_length=1, max_length=2_000)]


class Level(Parameters):
    """One anchor of a criterion's scale: a score value and what it stands for."""

    score: Number
    label: Prose


class Criterion(Parameters):
    """One thing to look at, with its weight among the others and its anchored levels."""

    key: Key
    title: ShortText
    weight: Annotated[Number, Field(ge=0, json_schema_extra={"minimum": 0, "default": 1})] = Decimal(1)
    required: bool = False
    levels: Annotated[tuple[Level, ...], array(most=_MAX_LEVELS)] = ()


class Rubric(Parameters):
    """Instructions and 1 to 50 criteria; made by `read_rubric`, which also refuses repeated keys and levels."""

    instructions: Annotated[str, StringConstraints(min_length=1, max_length=20_000)]
    criteria: Annotated[tuple[Criterion, ...], array(least=1, most=_MAX_CRITERIA)]

    @classmethod
    def problems(cls, raw: Mapping[str, Json]) -> Iterable[Problem]:
        """Name repeated keys and levels and an empty list of criteria; *raw* may hold anything at all."""
        return _criteria_problems(raw.get("criteria"))

    def text(self) -> str:
        """Give the rubric as a judge or a person reads it: instructions, then numbered criteria with their levels."""
        criteria = (_criterion_text(number, criterion) for number, criterion in enumerate(self.criteria, start=1))
        return "\n".join([self.instructions, "", "Criteria:", *criteria])


def read_rubric(raw: Json) -> Rubric:
    """Read a rubric, or raise `ParametersRefused` with every problem of it."""
    return Rubric.read(raw)


def _criteria_problems(criteria: Json) -> Iterator[Problem]:
    if not is_list(criteria):
        return
    if not criteria:
        yield Problem("/criteria", "must hold at least one criterion")
    for index in _repeated_members(criteria, "key"):
        yield Problem(format_pointer(("criteria", index, "key")), "repeats the key of an earlier criterion")
    for index, criterion in enumerate(criteria):
        levels = criterion.get("levels") if isinstance(criterion, Mapping) else None
        for level in _repeated_members(levels, "score"):
            at = format_pointer(("criteria", index, "levels", level, "score"))
            yield Problem(at, "repeats the score of an earlier level")


def _repeated_members(items: Json, name: str) -> Iterator[int]:
    objects = enumerate(items) if is_list(items) else ()
    named = [(index, item[name]) for index, item in objects if isinstance(item, Mapping) and name in item]
    for position in repeated(value for _, value in named):
        yield named[position][0]


def _criterion_text(number: int, criterion: Criterion) -> str:
    needed = "required" if criterion.required else "optional"
    head = f"{number}. {criterion.title} (key {criterion.key}, weight {plain(criterion.weight)}, {needed})"
    return "\n".join([head, *(f"   - {plain(level.score)}: {level.label}" for level in criterion.levels)])
