"""exact_match (S-01): the output equals the expected value, as text or as JSON."""

from collections.abc import Iterable, Mapping
from typing import Literal

from pydantic import Field

from evalbook.domain.errors import Problem
from evalbook.domain.implementation import Need, ScoreFunction, scorer
from evalbook.domain.outcome import Grade, failed, passed
from evalbook.jsonio.equality import first_difference as first_json_difference
from evalbook.jsonio.pointer import format_pointer
from evalbook.jsonio.values import Json
from evalbook.scorer_kit.accepted import AcceptsAny, accepted_problems, scored_against, unprepared
from evalbook.scorer_kit.parsing import ParsesOutput, parsed_output_reader
from evalbook.scorer_kit.reading import ANYTHING, STRING, output_reader
from evalbook.scorer_kit.text_options import TextOptions, excerpt, first_difference, normalizer

_EQUAL = passed("The output equals the expected value.")


class ExactMatchParameters(AcceptsAny, TextOptions, ParsesOutput):
    """How the output and the expected value are compared."""

    compare: Literal["text", "json"] = Field("text", description="As texts, or as JSON values (RFC 8785 equality).")

    @classmethod
    def problems(cls, raw: Mapping[str, Json]) -> Iterable[Problem]:
        """Refuse an expected value that cannot be compared, and parsing what is then compared as text."""
        as_json = raw.get("compare") == "json"
        yield from accepted_problems(raw, ANYTHING if as_json else STRING)
        if not as_json and raw.get("parse") in ("json", "json_block"):
            yield Problem("/parse", "is refused where texts are compared; write compare json to compare what is parsed")


@scorer(parameters=ExactMatchParameters, needs=(Need.OUTPUT, Need.EXPECTED))
def exact_match(parameters: ExactMatchParameters) -> ScoreFunction:
    """Passes when the output equals the expected value, as text or as JSON."""
    return _as_json(parameters) if parameters.compare == "json" else _as_text(parameters)


def _as_text(parameters: ExactMatchParameters) -> ScoreFunction:
    normalized = normalizer(parameters)

    def compare(output: str, expected: str) -> Grade:
        output = normalized(output)
        return _EQUAL if output == expected else _differing_texts(output, expected)

    return scored_against(parameters, STRING, output_reader(parameters, STRING), compare, normalized)


def _differing_texts(output: str, expected: str) -> Grade:
    at = first_difference(output, expected)
    return failed(
        f"The texts differ, first at character {at}; the output has {len(output)}, the expected text {len(expected)}.",
        details={"output": excerpt(output, at), "expected": excerpt(expected, at)},
    )


def _as_json(parameters: ExactMatchParameters) -> ScoreFunction:
    def compare(output: Json, expected: Json) -> Grade:
        difference = first_json_difference(output, expected)
        if difference is None:
            return _EQUAL
        place, what = difference
        depth = f"{len(place)} levels down" if place else "at the top"
        return failed(f"The values differ, first {depth}: {what}.", details={"pointer": format_pointer(place)})

    return scored_against(parameters, ANYTHING, parsed_output_reader(parameters, ANYTHING), compare, unprepared)
