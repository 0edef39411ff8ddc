"""numeric_tolerance (S-06): the output number is within a tolerance of the expected number."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Annotated, Final

from pydantic import Field, WithJsonSchema

from evalbook.domain.case import Case
from evalbook.domain.errors import Problem
from evalbook.domain.implementation import Need, ScoreFunction, scorer
from evalbook.domain.outcome import Grade, failed, passed
from evalbook.domain.parameters import Number, ReadsExpected
from evalbook.jsonio.canonical import EXACT, exact
from evalbook.jsonio.values import Json
from evalbook.scorer_kit.reading import NUMBER, expected_problems, expected_reader, output_reader

Tolerance = Annotated[Number, Field(ge=0), WithJsonSchema({"type": "number", "minimum": 0})]

_EQUAL = passed("The numbers are equal.")
_WITHIN: Final[Mapping[tuple[bool, bool], str]] = {
    (True, False): "The difference is within the absolute tolerance.",
    (False, True): "The difference is within the relative tolerance.",
    (True, True): "The difference is within the absolute and the relative tolerance.",
}


class NumericToleranceParameters(ReadsExpected):
    """How far the output may be from the expected number; where both are given, either suffices."""

    absolute: Tolerance | None = Field(None, description="The largest difference that passes.")
    relative: Tolerance | None = Field(None, description="The largest difference as a share of the expected number.")

    @classmethod
    def problems(cls, raw: Mapping[str, Json]) -> Iterable[Problem]:
        """Refuse a version without any tolerance, or with an expected value that is no number."""
        yield from expected_problems(raw, NUMBER)
        if "absolute" not in raw and "relative" not in raw:
            yield Problem("", "one of absolute and relative is required")
        for name in ("absolute", "relative"):
            if name in raw and raw[name] is None:
                yield Problem(f"/{name}", "must be a number, not null")


@scorer(parameters=NumericToleranceParameters, needs=(Need.OUTPUT, Need.EXPECTED))
def numeric_tolerance(parameters: NumericToleranceParameters) -> ScoreFunction:
    """Passes when the output number is within an absolute or relative tolerance of the expected number."""
    output_of, expected_of = output_reader(parameters, NUMBER), expected_reader(parameters, NUMBER)
    absolute, relative = parameters.absolute, parameters.relative

    def score(case: Case) -> Grade:
        expected, output = expected_of(case), output_of(case)
        if output == expected:
            return _EQUAL
        difference, shown = _difference(output, expected)
        within = (
            absolute is not None and difference <= absolute,
            relative is not None and difference <= EXACT.abs(EXACT.multiply(relative, exact(expected))),
        )
        details = {"difference": shown}
        if explanation := _WITHIN.get(within):
            return passed(explanation, details=details)
        return failed("The difference is outside the tolerance.", details=details)

    return score


def _difference(output: int | Decimal, expected: int | Decimal) -> tuple[int | Decimal, str]:
    """How far the numbers are apart, and that in plain digits."""
    if type(output) is int and type(expected) is int:
        apart = abs(output - expected)
        return apart, str(apart)
    difference = EXACT.abs(EXACT.subtract(exact(output), exact(expected)))
    return difference, f"{difference.normalize(EXACT):f}"
