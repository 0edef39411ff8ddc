"""token_overlap (X-06): the output shares enough tokens with the expected text (F1, precision or recall)."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field

from evalbook.domain.errors import Problem
from evalbook.domain.implementation import Need, ScoreFunction, scorer
from evalbook.domain.outcome import Grade, failed, passed
from evalbook.domain.parameters import PositiveShare
from evalbook.jsonio.canonical import EXACT
from evalbook.jsonio.values import Json
from evalbook.scorer_kit.accepted import AcceptsAny, accepted_problems, scored_against
from evalbook.scorer_kit.reading import STRING, output_reader
from evalbook.scorers.text._tokens import Normalization, Tokens, expected_tokenizer, tokenizer


class TokenOverlapParameters(AcceptsAny):
    """What is computed of the shared tokens, and the least value that passes."""

    metric: Literal["f1", "precision", "recall"] = Field("f1", description="What the threshold is compared with.")
    normalization: Normalization = Field(
        "none", description="Tokens by white space, as they are or after SQuAD's normalisation of answers."
    )
    threshold: Annotated[PositiveShare, Field(description="The least value that passes.")]

    @classmethod
    def problems(cls, raw: Mapping[str, Json]) -> Iterable[Problem]:
        """Refuse an expected value that is no text or has no tokens."""
        return accepted_problems(raw, STRING, expected_tokenizer(raw.get("normalization")))


@scorer(parameters=TokenOverlapParameters, needs=(Need.OUTPUT, Need.EXPECTED))
def token_overlap(parameters: TokenOverlapParameters) -> ScoreFunction:
    """Passes when F1, precision or recall of the tokens shared with the expected text meets the threshold."""
    tokens_of, metric, threshold = tokenizer(parameters.normalization), parameters.metric, parameters.threshold

    def compare(output: str, expected: Tokens) -> Grade:
        found = tokens_of(output)
        shared, given, wanted = (found & expected).total(), found.total(), expected.total()
        part, whole = _fraction(metric, shared, given, wanted)
        value = part / whole if whole else 0.0
        counted = f"{shared} tokens are shared by {given} of the output and {wanted} expected ones"
        # Compared exactly: 2/3 does not meet 0.6667.
        if whole and part >= EXACT.multiply(threshold, Decimal(whole)):
            return passed(f"{counted}: {metric} is {value:.4f} and meets the threshold.", score=value)
        return failed(f"{counted}: {metric} is {value:.4f} and below the threshold.", score=value)

    prepare = expected_tokenizer(parameters.normalization)
    return scored_against(parameters, STRING, output_reader(parameters, STRING), compare, prepare)


def _fraction(metric: str, shared: int, given: int, wanted: int) -> tuple[int, int]:
    return {"precision": (shared, given), "recall": (shared, wanted), "f1": (2 * shared, given + wanted)}[metric]
