"""Rank metrics agree with trec_eval, through pytrec_eval-terrier; runs apart from the unit tests."""

import random
from decimal import Decimal

import pytest
import pytrec_eval

from evalbook.domain.case import Case
from evalbook.services.scoring import catalog

MEASURES = {
    "P_5": ("precision", {"k": 5, "denominator": "k"}),
    "recall_10": ("recall", {"k": 10}),
    "success_3": ("hit_rate", {"k": 3}),
    "recip_rank": ("reciprocal_rank", {}),
    "map": ("average_precision", {}),
    "map_cut_10": ("average_precision", {"k": 10}),
    "Rprec": ("r_precision", {}),
    "ndcg": ("ndcg", {}),
    "ndcg_cut_10": ("ndcg", {"k": 10}),
}
FAMILIES = {"P.5", "recall.10", "success.3", "recip_rank", "map", "map_cut.10", "Rprec", "ndcg", "ndcg_cut.10"}


def drawn(seed):
    """A generated run, best first, and grades of some of the pool, at least one above 0."""
    draw = random.Random(seed)
    pool = [f"d{number}" for number in range(300)]
    grades = {one: draw.randint(0, 4) for one in draw.sample(pool, draw.randint(1, 60))}
    grades[draw.choice(pool)] = draw.randint(1, 4)
    return draw.sample(pool, draw.randint(1, 200)), grades


@pytest.mark.parametrize("seed", range(100))
def test_rank_metrics_are_those_of_trec_eval(seed):
    ranked, grades = drawn(seed)
    run = {one: float(len(ranked) - place) for place, one in enumerate(ranked)}
    wanted = pytrec_eval.RelevanceEvaluator({"q": grades}, FAMILIES).evaluate({"q": run})["q"]
    trace = {"spans": [{"span_id": "r", "kind": "retrieval", "documents": [{"id": one} for one in ranked]}]}

    scores = {
        measure: catalog.find("retrieval_relevance")
        .prepare({"metric": metric, "threshold": Decimal("0.5"), **more})
        .score(Case("case", expected=grades, trace=trace))
        .score
        for measure, (metric, more) in MEASURES.items()
    }

    assert scores == pytest.approx({measure: wanted[measure] for measure in MEASURES}, abs=1e-9)
