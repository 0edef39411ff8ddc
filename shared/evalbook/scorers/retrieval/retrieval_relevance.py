"""retrieval_relevance (S-12): precision, recall or F1 at k of the retrieved ids against the labelled ones."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field

from evalbook.domain.case import Case
from evalbook.domain.errors import Problem
from evalbook.domain.implementation import Need, ScoreFunction, scorer
from evalbook.domain.outcome import Code, Grade, failed, inconclusive, passed
from evalbook.domain.parameters import ReadsExpected, Share, Whole
from evalbook.jsonio.canonical import EXACT
from evalbook.jsonio.values import Json
from evalbook.scorer_kit.precedence import read_both
from evalbook.scorers.retrieval._labels import label_reader
from evalbook.scorers.retrieval._retrieved import retrieved

_NOTHING_LABELLED = inconclusive(Code.NOTHING_LABELLED, "The expected value labels no relevant id.")
_NOTHING_RETRIEVED = inconclusive(Code.NOTHING_RETRIEVED, "The trace records no retrieved document.")


class RetrievalRelevanceParameters(ReadsExpected):
    """Which metric is computed, over how many documents, and the least value that passes."""

    metric: Literal["precision", "recall", "f1"] = Field(description="What the threshold is compared with.")
    threshold: Annotated[Share, Field(description="The least value that passes.")]
    k: Annotated[Whole, Field(ge=1)] | None = Field(None, description="How many distinct ids are examined; else all.")
    denominator: Literal["retrieved", "k"] = Field(
        "retrieved", description="Precision divides by the distinct ids examined, or by k (the classical P@k)."
    )

    @classmethod
    def problems(cls, raw: Mapping[str, Json]) -> Iterable[Problem]:
        """Refuse to divide by a k that is not given."""
        if "k" in raw and raw["k"] is None:
            yield Problem("/k", "must be a number, not null")
        if raw.get("denominator") == "k" and "k" not in raw:
            yield Problem("/k", "is required by denominator k")


@scorer(parameters=RetrievalRelevanceParameters, needs=(Need.EXPECTED, Need.TRACE))
def retrieval_relevance(parameters: RetrievalRelevanceParameters) -> ScoreFunction:
    """Passes when precision, recall or F1 at k of the retrieved document ids meets the threshold."""
    labels_of, metric, threshold, k = label_reader(parameters), parameters.metric, parameters.threshold, parameters.k
    by_k = k if parameters.denominator == "k" else None

    def score(case: Case) -> Grade:
        labels, found = read_both(case, labels_of, retrieved)
        if not labels.ids:
            return _NOTHING_LABELLED
        if not found.ids:
            return _NOTHING_RETRIEVED
        examined = found.ids[:k]
        hits = sum(one in labels.ids for one in examined)
        numerator, denominator = _fraction(metric, hits, by_k or len(examined), len(labels.ids))
        explanation = f"{metric} is {numerator}/{denominator} over {len(examined)} of {found}, against {labels}; "
        return _graded(numerator, denominator, threshold, explanation)

    return score


def _fraction(metric: str, hits: int, examined: int, relevant: int) -> tuple[int, int]:
    """The metric as numerator and denominator; F1 is 2·hits / (examined + relevant), defined wherever these are."""
    return {"precision": (hits, examined), "recall": (hits, relevant), "f1": (2 * hits, examined + relevant)}[metric]


def _graded(numerator: int, denominator: int, threshold: Decimal, explanation: str) -> Grade:
    """Compare the fraction with the threshold exactly: 2/3 does not meet 0.6667."""
    value = numerator / denominator
    if numerator >= EXACT.multiply(threshold, Decimal(denominator)):
        return passed(explanation + "it meets the threshold.", score=value)
    return failed(explanation + "it is below the threshold.", score=value)
