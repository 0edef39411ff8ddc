"""Changing one place of a JSON value after the other, to see what a scorer does with cases that are nearly right."""

from collections.abc import Iterator
from typing import Any

from evalbook.jsonio.values import Json, is_number

Place = tuple[str | int, ...]

CANARY = "zqxcanaryqxz"
"""A text that no explanation holds by accident."""

CANARY_NUMBER = 918273645918
"""A number that no explanation holds by accident."""


def places_in(value: Json, place: Place = ()) -> Iterator[Place]:
    """The place of *value* and of everything inside it."""
    yield place
    if isinstance(value, dict):
        for name, member in value.items():
            yield from places_in(member, (*place, name))
    if isinstance(value, list):
        for index, element in enumerate(value):
            yield from places_in(element, (*place, index))


def at(value: Json, place: Place) -> Json:
    """The value at a place."""
    for step in place:
        value = value[step]
    return value


def replaced(value: Json, place: Place, new: Json) -> Json:
    """*value* with *new* at a place."""
    if not place:
        return new
    changed: Any = dict(value) if isinstance(value, dict) else list(value)
    changed[place[0]] = replaced(changed[place[0]], place[1:], new)
    return changed


def removed(value: Json, place: Place) -> Json:
    """*value* without what stands at a place below the top."""
    *parent, last = place
    changed: Any = at(value, tuple(parent)).copy()
    del changed[last]
    return replaced(value, tuple(parent), changed)


def with_canaries(value: Json) -> Iterator[Json]:
    """*value* with a canary in one place: as a text, at a text's end, as a member's name, as a number, as a member."""
    for place in places_in(value):
        here = at(value, place)
        yield replaced(value, place, CANARY)
        yield replaced(value, place, CANARY_NUMBER)
        if isinstance(here, str):
            yield replaced(value, place, f"{here} {CANARY}")
            yield replaced(value, place, f"{CANARY} {here}")
        if is_number(here):
            yield replaced(value, place, here + CANARY_NUMBER)
        if isinstance(here, dict):
            yield replaced(value, place, {**here, CANARY: CANARY})
            yield replaced(value, place, {f"{name}{CANARY}": member for name, member in here.items()})
        if isinstance(here, list):
            yield replaced(value, place, [*here, CANARY])
            yield replaced(value, place, [CANARY, *here])
