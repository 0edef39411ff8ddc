"""numeric_tolerance (S-06): the output number is within a tolerance of the expected number."""

from collections.abc import Iterable, Mapping

from evalbook.domain.errors import Problem
from evalbook.domain.implementation import Need, ScoreFunction, scorer
from evalbook.jsonio.values import Json
from evalbook.scorer_kit.accepted import AcceptsAny, accepted_problems, scored_against, unprepared
from evalbook.scorer_kit.reading import NUMBER, output_reader
from evalbook.scorers.structured._near import Tolerances, tolerance_problems, within_tolerance


class NumericToleranceParameters(AcceptsAny, Tolerances):
    """How far the output may be from the expected number; where both are given, either suffices."""

    @classmethod
    def problems(cls, raw: Mapping[str, Json]) -> Iterable[Problem]:
        """Refuse a version without any tolerance, or with an expected value that is no number."""
        yield from accepted_problems(raw, NUMBER)
        yield from tolerance_problems(raw)


@scorer(parameters=NumericToleranceParameters, needs=(Need.OUTPUT, Need.EXPECTED))
def numeric_tolerance(parameters: NumericToleranceParameters) -> ScoreFunction:
    """Passes when the output number is within an absolute or relative tolerance of the expected number."""
    near = within_tolerance(parameters.absolute, parameters.relative)
    return scored_against(parameters, NUMBER, output_reader(parameters, NUMBER), near, unprepared)
