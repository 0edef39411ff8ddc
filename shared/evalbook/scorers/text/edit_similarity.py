"""edit_similarity (S-09): the normalised Levenshtein similarity of output and expected text meets the threshold."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Annotated

from pydantic import Field
from rapidfuzz.distance import Levenshtein

from evalbook.domain.case import Case
from evalbook.domain.errors import Problem
from evalbook.domain.implementation import Need, ScoreFunction, scorer
from evalbook.domain.outcome import Grade, failed, passed
from evalbook.domain.parameters import Share, Whole
from evalbook.jsonio.values import Json
from evalbook.scorer_kit.accepted import AcceptsAny, accepted_problems, scored_against
from evalbook.scorer_kit.reading import STRING, output_reader, within_length
from evalbook.scorer_kit.text_options import TextOptions, normalizer


class EditSimilarityParameters(AcceptsAny, TextOptions):
    """How similar the texts must be."""

    threshold: Annotated[Share, Field(description="The least similarity that passes.")]
    max_input_chars: Annotated[Whole, Field(ge=1, description="Longer texts are an error.")] = 100_000

    @classmethod
    def problems(cls, raw: Mapping[str, Json]) -> Iterable[Problem]:
        """Refuse an expected value that is no text."""
        return accepted_problems(raw, STRING)


@scorer(parameters=EditSimilarityParameters, needs=(Need.OUTPUT, Need.EXPECTED))
def edit_similarity(parameters: EditSimilarityParameters) -> ScoreFunction:
    """Passes when the normalised Levenshtein similarity of output and expected text, 0 to 1, meets the threshold."""
    text_of, normalized, longest = output_reader(parameters, STRING), normalizer(parameters), parameters.max_input_chars
    tolerated = Fraction(1) - Fraction(parameters.threshold)

    def output_of(case: Case) -> str:
        return normalized(within_length(text_of(case), longest, "output"))

    def prepare(expected: str) -> str:
        return normalized(within_length(expected, longest, "expected text"))

    return scored_against(
        parameters, STRING, output_of, lambda output, expected: _compared(output, expected, tolerated), prepare
    )


def _compared(output: str, expected: str, tolerated: Fraction) -> Grade:
    """Grade two texts; edits up to the share *tolerated* of the longer one's length pass."""
    length = max(len(output), len(expected))
    most = length * tolerated.numerator // tolerated.denominator
    # With the cut-off the library stops early; only a fail pays for the exact distance as well.
    distance = Levenshtein.distance(output, expected, score_cutoff=most)
    meets = distance <= most
    if not meets:
        distance = Levenshtein.distance(output, expected)
    similarity = 1.0 - distance / length if length else 1.0
    explanation = f"{distance} edits over {length} characters, a similarity of {similarity:.4f}, "
    details: dict[str, Json] = {"distance": distance, "length": length}
    if meets:
        return passed(explanation + "which meets the threshold.", score=similarity, details=details)
    return failed(explanation + "which is below the threshold.", score=similarity, details=details)
