"""How near two numbers are: an absolute and a relative tolerance, compared exactly."""

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import Final

from pydantic import Field

from evalbook.domain.errors import Problem
from evalbook.domain.outcome import Grade, failed, passed
from evalbook.domain.parameters import Parameters, Tolerance
from evalbook.jsonio.canonical import EXACT, exact
from evalbook.jsonio.values import Json

Number = int | Decimal

_EQUAL: Final = passed("The numbers are equal.")
_WITHIN: Final[Mapping[tuple[bool, bool], str]] = {
    (True, False): "The difference is within the absolute tolerance.",
    (False, True): "The difference is within the relative tolerance.",
    (True, True): "The difference is within the absolute and the relative tolerance.",
}


class Tolerances(Parameters):
    """How far a number may be from the expected one; where both are given, either suffices."""

    absolute: Tolerance | None = Field(None, description="The largest difference that passes.")
    relative: Tolerance | None = Field(None, description="The largest difference as a share of the expected number.")


def tolerance_problems(raw: Mapping[str, Json], pointer: str = "") -> Iterable[Problem]:
    """Name what is wrong with the tolerances among *raw* parameters, which stand at *pointer*."""
    if "absolute" not in raw and "relative" not in raw:
        yield Problem(pointer, "one of absolute and relative is required")
    for name in ("absolute", "relative"):
        if name in raw and raw[name] is None:
            yield Problem(f"{pointer}/{name}", "must be a number, not null")


def within_tolerance(absolute: Decimal | None, relative: Decimal | None) -> Callable[[Json, Json], Grade]:
    """Return a function that grades a number against the expected one."""

    def compare(output: Number, expected: Number) -> Grade:
        if output == expected:
            return _EQUAL
        difference, shown = _difference(output, expected)
        within = (
            absolute is not None and difference <= absolute,
            relative is not None and difference <= EXACT.multiply(relative, exact(expected)).copy_abs(),
        )
        details = {"difference": shown}
        if explanation := _WITHIN.get(within):
            return passed(explanation, details=details)
        return failed("The difference is outside the tolerance.", details=details)

    return compare


def _difference(output: Number, expected: Number) -> tuple[Number, str]:
    """Return how far the numbers are apart, and that in plain digits."""
    if type(output) is int and type(expected) is int:
        apart = abs(output - expected)
        return apart, str(apart)
    difference = EXACT.subtract(exact(output), exact(expected)).copy_abs()
    shown = f"{difference:f}"
    return difference, shown.rstrip("0").rstrip(".") if "." in shown else shown
