"""Retrieval sets: a TREC run with its relevance judgements, and ExpertQA's answers with their sources."""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

from devstack.demo.data import DemoCase, DemoSet, JsonObject, demo_set
from devstack.demo.rows import rows

_SOURCE: Final = re.compile(r"\[(\d+)\]")
_DEPTHS: Final = (5, 10)
_MIN: Final = 0.5


def retrieval_sets(folder: Path) -> Iterator[DemoSet]:
    """Build the sets that the files in *folder* allow."""
    if queries := rows(folder / "trec_eval_sample.jsonl"):
        yield from (_precision(queries, depth) for depth in _DEPTHS)
    if answers := rows(folder / "expertqa_citations.jsonl"):
        yield _citations("what is cited is listed", "listed", answers, lambda listed: listed)
        yield _citations("the same without source 1", "without-1", answers, lambda listed: listed - {"1"})


def _precision(queries: Iterable[JsonObject], depth: int) -> DemoSet:
    """Precision at *depth*, ranked as trec_eval does: by score, equal scores by document id, both descending."""
    cases = []
    for query in queries:
        run = sorted(query["run"], key=lambda found: (found["score"], found["doc"]), reverse=True)
        relevant = {document for document, grade in query["qrels"].items() if grade > 0}
        precision = sum(found["doc"] in relevant for found in run[:depth]) / depth
        documents = [{"id": found["doc"], "rank": rank, "score": found["score"]} for rank, found in enumerate(run, 1)]
        trace = {"spans": [{"span_id": "run", "kind": "retrieval", "documents": documents}]}
        case = {"case_id": f"{query['id']}-{depth}", "expected": sorted(relevant), "trace": trace}
        cases.append(DemoCase(case, precision >= _MIN, precision))
    parameters = {"metric": "precision", "k": depth, "denominator": "k", "threshold": _MIN}
    return demo_set(f"TREC: precision at {depth}", f"trec-p{depth}", "retrieval_relevance", parameters, tuple(cases))


def _citations(title: str, name: str, answers: Iterable[JsonObject], kept: Callable[[set[str]], set[str]]) -> DemoSet:
    """Answers with numbered citations; *kept* says which of an answer's listed sources were retrieved."""
    cases = []
    for answer in answers:
        sources = kept({found[1] for source in answer["attribution"] if (found := _SOURCE.match(source))})
        cited = set(_SOURCE.findall(answer["answer"]))
        documents = [{"id": source} for source in sorted(sources)]
        trace = {"spans": [{"span_id": "sources", "kind": "retrieval", "documents": documents}]}
        case = {"case_id": f"{answer['id']}-{name}", "output": answer["answer"], "trace": trace}
        cases.append(DemoCase(case, cited <= sources if cited else None))
    return demo_set(f"ExpertQA: {title}", f"expertqa-{name}", "citation_support", {}, tuple(cases))
