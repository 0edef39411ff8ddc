"""What the parameters of judges and of rubrics share."""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Annotated, Any, TypeGuard

from pydantic import Field, StringConstraints

from evalbook.jsonio.canonical import exact
from evalbook.jsonio.values import Json, is_number

# Model providers take these characters, and no more of them, as property names of a reply schema.
Key = Annotated[str, StringConstraints(pattern=r"\A[A-Za-z0-9_.-]{1,64}\z")]
ShortText = Annotated[str, StringConstraints(min_length=1, max_length=200)]


def array(*, least: int = 0, most: int) -> Any:
    """Let a tuple field take a JSON array of at most *most* items and publish that it holds *least*.

    The lower bound is for the model's own rules to check: pydantic counts valid items only, and would call a list with
    one bad item too short.
    """
    return Field(strict=False, max_length=most, json_schema_extra={"minItems": least} if least else None)


def is_list(value: Json) -> TypeGuard[Sequence[Json]]:
    """Whether *value* is an array, as JSON or as a caller in Python writes it."""
    return isinstance(value, list | tuple)


def number_or_none(value: Json) -> Decimal | None:
    """Give *value* as an exact number, or None where it is no finite one."""
    number = exact(value) if is_number(value) else Decimal("NaN")
    return number if number.is_finite() else None


def is_whole(number: Decimal) -> bool:
    """Whether *number* has no fraction; 5.0 has none."""
    return number == number.to_integral_value()


def plain(number: int | Decimal) -> int | Decimal:
    """Give *number* as an int where it is whole, so that 5.0 and 5 are one value, and -0 is 0."""
    value = Decimal(number)
    return int(value) if is_whole(value) else value


def repeated(values: Iterable[Json]) -> list[int]:
    """Find the indexes at which a value of *values* stands for the second time or later, in order."""
    seen: list[Json] = []
    again = []
    for index, value in enumerate(values):
        if value in seen:
            again.append(index)
        seen.append(value)
    return again
