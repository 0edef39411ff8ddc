"""retrieval_relevance (S-12, X-16): a metric at k of the retrieved ids against the labelled ones meets a threshold."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Final, Literal

from pydantic import Field, WithJsonSchema

from evalbook.domain.case import Case
from evalbook.domain.errors import Problem
from evalbook.domain.implementation import Need, ScoreFunction, scorer
from evalbook.domain.outcome import Code, Grade, failed, inconclusive, passed
from evalbook.domain.parameters import Number, ReadsExpected, Share, Whole
from evalbook.jsonio.values import Json, is_number
from evalbook.scorer_kit.precedence import read_both
from evalbook.scorers.retrieval._labels import LIST_OR_GRADES, label_reader
from evalbook.scorers.retrieval._metrics import METRICS, Ranking
from evalbook.scorers.retrieval._retrieved import retrieved

Metric = Literal["precision", "recall", "f1", "hit_rate", "reciprocal_rank", "average_precision", "r_precision", "ndcg"]
Grading = Annotated[Number, Field(gt=0), WithJsonSchema({"type": "number", "exclusiveMinimum": 0})]

_NOTHING_LABELLED = inconclusive(Code.NOTHING_LABELLED, "The expected value labels no relevant id.")
_NOTHING_RETRIEVED = inconclusive(Code.NOTHING_RETRIEVED, "The trace records no retrieved document.")
_FROM_0: Final = ("precision", "recall", "f1")
"""Metrics whose versions could once be created with a threshold of 0, and still can."""


class RetrievalRelevanceParameters(ReadsExpected):
    """Which metric is computed, over how many documents, and the least value that passes."""

    metric: Metric = Field(description="What the threshold is compared with.")
    threshold: Annotated[Share, Field(description="The least value that passes; above 0 for the rank metrics.")]
    k: Annotated[Whole, Field(ge=1)] | None = Field(None, description="How many distinct ids are examined; else all.")
    denominator: Literal["retrieved", "k"] = Field(
        "retrieved", description="Precision divides by the distinct ids examined, or by k (the classical P@k)."
    )
    relevant_from: Grading = Field(Decimal(1), description="The least grade that counts as relevant.")

    @classmethod
    def problems(cls, raw: Mapping[str, Json]) -> Iterable[Problem]:
        """Refuse to divide by a k that is not given, a k that is not used, and a threshold that all reach."""
        if "k" in raw and raw["k"] is None:
            yield Problem("/k", "must be a number, not null")
        if raw.get("denominator") == "k" and "k" not in raw:
            yield Problem("/k", "is required by denominator k")
        if raw.get("metric") == "r_precision" and "k" in raw:
            yield Problem("/k", "is not used by r_precision: it examines as many ids as are relevant")
        if is_number(raw.get("threshold")) and raw["threshold"] == 0 and raw.get("metric") not in _FROM_0:
            yield Problem("/threshold", "must be above 0: every ranking reaches 0")


@scorer(parameters=RetrievalRelevanceParameters, needs=(Need.EXPECTED, Need.TRACE))
def retrieval_relevance(parameters: RetrievalRelevanceParameters) -> ScoreFunction:
    """Passes when a metric of the retrieved document ids (precision, recall, nDCG and others) meets the threshold."""
    labels_of = label_reader(parameters, LIST_OR_GRADES, parameters.relevant_from)
    metric, k, by_k = METRICS[parameters.metric], parameters.k, parameters.denominator == "k"
    threshold = Fraction(parameters.threshold)

    def score(case: Case) -> Grade:
        labels, found = read_both(case, labels_of, retrieved)
        if not (any(labels.gains.values()) if parameters.metric == "ndcg" else labels.ids):
            return _NOTHING_LABELLED
        if not found.ids:
            return _NOTHING_RETRIEVED
        examined = found.ids[:k]
        measured = metric(Ranking(examined, labels, k, by_k))
        counted = f"{parameters.metric} is {measured.shown} over {len(examined)} of {found}, against {labels}; "
        if measured.value >= threshold:
            return passed(counted + "it meets the threshold.", score=float(measured.value))
        return failed(counted + "it is below the threshold.", score=float(measured.value))

    return score
