"""Equality of JSON values: same types, same members, numbers by their mathematical value."""

import orjson

from evalbook.jsonio.values import Json, is_number, kind_of

Tokens = tuple[str | int, ...]


def json_equal(left: Json, right: Json) -> bool:
    """Whether two JSON values are equal: 1 = 1.0, true is no 1, the order of members does not matter."""
    # Python's == decides everything but the booleans, which it takes for numbers, and at C speed.
    return bool(left == right) and (_spelt_alike(left, right) or same_booleans(left, right))


def _spelt_alike(left: Json, right: Json) -> bool:
    """Whether two values that Python calls equal are spelt with the same bytes: then no boolean stands for a number.

    A boolean is spelt `true` or `false`, a number in digits or, as a Decimal, as a text. False says nothing: members
    may be in another order, 1.0 be spelt otherwise than 1, or the library refuse a large integer.
    """
    if type(left) not in (dict, list):
        return (type(left) is bool) == (type(right) is bool)
    try:
        return orjson.dumps(left, str) == orjson.dumps(right, str)
    except TypeError:
        return False


def same_booleans(left: Json, right: Json) -> bool:
    """Whether two values that Python calls equal have their booleans in the same places, by looking at each."""
    if left is right:
        return True
    # A text equals nothing but a text, and most members are texts: a call for each costs more than all the rest.
    if type(left) is dict:
        return all(same_booleans(member, right[name]) for name, member in left.items() if type(member) is not str)
    if type(left) is list:
        return all(same_booleans(one, right[index]) for index, one in enumerate(left) if type(one) is not str)
    return (type(left) is bool) == (type(right) is bool)


def first_difference(left: Json, right: Json) -> tuple[Tokens, str] | None:
    """Where two JSON values first differ, and how, without payload; None where they are equal.

    Members come in the order of their names, so that the answer does not depend on the order they were sent in.
    """
    if json_equal(left, right):
        return None
    if type(left) is dict and type(right) is dict:
        return _first_in_objects(left, right)
    if type(left) is list and type(right) is list:
        return _first_in_arrays(left, right)
    if kind_of(left) != kind_of(right):
        return (), f"{kind_of(left)} where {kind_of(right)} is expected"
    what = "numbers" if is_number(left) else "strings" if type(left) is str else "booleans"
    return (), f"two {what} that differ"


def _first_in_objects(left: dict[str, Json], right: dict[str, Json]) -> tuple[Tokens, str]:
    for name in sorted(left):
        if name not in right:
            return (name,), "a member that is not expected"
        found = first_difference(left[name], right[name])
        if found:
            return (name, *found[0]), found[1]
    return (min(right.keys() - left.keys()),), "an expected member is missing"


def _first_in_arrays(left: list[Json], right: list[Json]) -> tuple[Tokens, str]:
    for index, (element, other) in enumerate(zip(left, right, strict=False)):
        found = first_difference(element, other)
        if found:
            return (index, *found[0]), found[1]
    return (min(len(left), len(right)),), f"{len(left)} elements where {len(right)} are expected"
