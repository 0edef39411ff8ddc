"""exact_match (S-01): the output equals the expected value, as text or as JSON."""

from collections.abc import Iterable, Mapping
from typing import Literal

from pydantic import Field

from evalbook.domain.case import Case
from evalbook.domain.errors import Problem
from evalbook.domain.implementation import Need, ScoreFunction, scorer
from evalbook.domain.outcome import Grade, failed, passed
from evalbook.domain.parameters import ReadsExpected
from evalbook.jsonio.equality import first_difference as first_json_difference
from evalbook.jsonio.pointer import format_pointer
from evalbook.jsonio.values import Json
from evalbook.scorer_kit.reading import ANYTHING, STRING, expected_problems, expected_reader, output_reader
from evalbook.scorer_kit.text_options import TextOptions, excerpt, first_difference, normalizer

_EQUAL = passed("The output equals the expected value.")


class ExactMatchParameters(ReadsExpected, TextOptions):
    """How the output and the expected value are compared."""

    compare: Literal["text", "json"] = Field("text", description="As texts, or as JSON values (RFC 8785 equality).")

    @classmethod
    def problems(cls, raw: Mapping[str, Json]) -> Iterable[Problem]:
        """Refuse an expected value that cannot be compared."""
        return expected_problems(raw, ANYTHING if raw.get("compare") == "json" else STRING)


@scorer(parameters=ExactMatchParameters, needs=(Need.OUTPUT, Need.EXPECTED))
def exact_match(parameters: ExactMatchParameters) -> ScoreFunction:
    """Passes when the output equals the expected value, as text or as JSON."""
    return _as_json(parameters) if parameters.compare == "json" else _as_text(parameters)


def _as_text(parameters: ExactMatchParameters) -> ScoreFunction:
    output_of, expected_of = output_reader(parameters, STRING), expected_reader(parameters, STRING)
    normalized = normalizer(parameters)

    def score(case: Case) -> Grade:
        expected = normalized(expected_of(case))
        output = normalized(output_of(case))
        return _EQUAL if output == expected else _differing_texts(output, expected)

    return score


def _differing_texts(output: str, expected: str) -> Grade:
    at = first_difference(output, expected)
    return failed(
        f"The texts differ, first at character {at}; the output has {len(output)}, the expected text {len(expected)}.",
        details={"output": excerpt(output, at), "expected": excerpt(expected, at)},
    )


def _as_json(parameters: ExactMatchParameters) -> ScoreFunction:
    output_of, expected_of = output_reader(parameters, ANYTHING), expected_reader(parameters, ANYTHING)

    def score(case: Case) -> Grade:
        expected, output = expected_of(case), output_of(case)
        difference = first_json_difference(output, expected)
        if difference is None:
            return _EQUAL
        place, what = difference
        depth = f"{len(place)} levels down" if place else "at the top"
        return failed(f"The values differ, first {depth}: {what}.", details={"pointer": format_pointer(place)})

    return score
