"""Cases a second of each implementation: a prepared scorer on ready cases, the bare library, and peers."""

import json
import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import jsonschema_rs
import regex
from rapidfuzz.distance import Levenshtein

from benchmarks import _cases, _peers
from benchmarks._peers import Verdict
from benchmarks.measuring import best_rates, calls_a_second, shown, table
from evalbook.domain.case import Case
from evalbook.jsonio.reader import read_json
from evalbook.scorers.secrets._forms import FORMS
from evalbook.services.scoring import catalog

PEER_CASES = 200
UNWANTED = ["#", "?", "!", "%", "&"]
LISTED = ["Oslo", "rain", "model", "year", "days"]
FIELDS = [{"path": f"/field_{i}", "type": "string" if i % 3 else "integer"} for i in range(13)]
ARTIFACTS = [{"kind": "file", "name": f"report-{i}.csv"} for i in range(10)]
BOOKED = {"tool": "book", "tool_params": [{"path": "/limit", "rule": "equals", "value": 5}]}
PREPARED: dict[str, Callable[[Case], Any]] = {"pydantic-evals": _peers.context, "agentevals": _peers.conversation}
"""What a peer's cases are made of, outside the time that is measured."""


@dataclass(frozen=True)
class Work:
    """One kind of work: our scorer, the bare library on the same data, and peers that do the same."""

    title: str
    implementation: str
    parameters: dict[str, Any]
    cases: list[Case]
    bare: Verdict
    peers: dict[str, Verdict] = field(default_factory=dict)


def in_order(case: Case) -> bool:
    names = iter([span["name"] for span in case.trace["spans"] if span["kind"] == "tool"])
    return all(step in names for step in _cases.TOOLS)


def booked(case: Case) -> bool:
    return any(
        span["kind"] == "tool" and span["name"] == "book" and span["arguments"]["limit"] == 5
        for span in case.trace["spans"]
    )


def retrieved(case: Case) -> list[str]:
    return [one["id"] for span in case.trace["spans"] if span["kind"] == "retrieval" for one in span["documents"]]


def listed(case: Case) -> bool:
    found = {(one["kind"], one["name"]) for one in case.output["artifacts"] if len(one["sha256"]) == 64}
    return all((one["kind"], one["name"]) in found for one in ARTIFACTS)


def typed(case: Case) -> bool:
    return all(type(case.output.get(f"field_{i}")) is (str if i % 3 else int) for i in range(13))


def similar(case: Case) -> bool:
    return Levenshtein.normalized_similarity(case.output, case.expected, score_cutoff=0.9) >= 0.9


def text_works(generator: random.Random) -> list[Work]:
    texts = _cases.pairs(generator, 200)
    rewritten, long_rewritten = _cases.rewritten(generator, 200), _cases.rewritten(generator, 2_000)
    searched = regex.compile(r"rain \w+ Oslo")
    return [
        Work("exact text, 200 characters", "exact_match", {}, texts, lambda c: c.output == c.expected,
             {"autoevals": _peers.autoevals_exact, "pydantic-evals": _peers.pydantic_equal}),
        Work("exact JSON, 1 KB", "exact_match", {"compare": "json"}, _cases.documents(generator),
             lambda c: c.output == c.expected, {"pydantic-evals": _peers.pydantic_equal}),
        Work("contains all of 5, 200 characters", "contains", {"texts": LISTED}, texts,
             lambda c: all(value in c.output for value in LISTED),
             {"pydantic-evals": _peers.pydantic_contains(LISTED)}),
        Work("contains none of 5, 200 characters", "not_contains", {"texts": UNWANTED}, texts,
             lambda c: not any(value in c.output for value in UNWANTED)),
        Work("regex search, 200 characters", "regex", {"pattern": searched.pattern}, texts,
             lambda c: searched.search(c.output, timeout=0.1) is not None),
        Work("Levenshtein, 200 characters", "edit_similarity", {"threshold": 0.9}, rewritten, similar,
             {"autoevals": _peers.autoevals_similar}),
        Work("Levenshtein, 2,000 characters", "edit_similarity", {"threshold": 0.9}, long_rewritten, similar,
             {"autoevals": _peers.autoevals_similar}),
    ]  # fmt: skip


def structured_works(generator: random.Random) -> list[Work]:
    orders, valid = _cases.orders(generator), jsonschema_rs.validator_for(_cases.SCHEMA)
    return [
        Work("JSON Schema, 15 properties", "json_schema", {"schema": _cases.SCHEMA}, orders,
             lambda c: valid.is_valid(c.output), {"autoevals": _peers.autoevals_schema}),
        Work("number within 1", "numeric_tolerance", {"absolute": 1}, _cases.numbers(generator),
             lambda c: abs(c.output - c.expected) <= 1, {"autoevals": _peers.autoevals_numeric}),
        Work("13 typed fields", "required_fields", {"required_fields": FIELDS}, orders, typed),
        Work("10 artifacts", "required_artifacts", {"required_artifacts": ARTIFACTS}, _cases.artifacts(), listed),
    ]  # fmt: skip


def trace_works(generator: random.Random) -> list[Work]:
    runs, answers = _cases.runs(generator), _cases.retrievals(generator)
    cited = re.compile(r"\[([^\]]*)\]")
    forms = re.compile("|".join(re.sub(r"\(\?P<\w+>", "(", one.form.pattern) for one in FORMS), re.ASCII)
    half = {"metric": "precision", "threshold": 0.5}
    return [
        Work("tool arguments, 10 spans", "tool_call_match", BOOKED, runs, booked,
             {"agentevals": _peers.agentevals_call}),
        Work("trajectory in order, 10 spans", "trajectory",
             {"required_steps": [{"name": name} for name in _cases.TOOLS]}, runs, in_order,
             {"agentevals": _peers.agentevals_in_order}),
        Work("precision of 20 documents", "retrieval_relevance", half, answers,
             lambda c: len(set(retrieved(c)) & set(c.expected)) >= 10),
        Work("citations in 200 characters", "citation_support", {}, answers,
             lambda c: set(cited.findall(c.output)) <= set(retrieved(c))),
        Work("secrets in 2,000 characters", "secret_scan", {}, _cases.secrets(generator),
             lambda c: forms.search(c.output) is None),
    ]  # fmt: skip


def agreement(ours: list[bool], verdict: Verdict, items: list[Any]) -> float:
    return sum(verdict(item) == mine for item, mine in zip(items, ours, strict=True)) / len(ours)


def row(work: Work) -> list[str]:
    parameters = read_json(json.dumps(work.parameters).encode())
    scorer = catalog.implementations()[work.implementation].prepare(parameters)
    ours = [scorer.score(case).outcome == "pass" for case in work.cases]
    if agreement(ours, work.bare, work.cases) < 1 or len(set(ours)) != 2:
        raise AssertionError(f"{work.title}: the bare library disagrees, or all verdicts are the same")
    bare, mine = best_rates([(work.bare, work.cases), (scorer.score, work.cases)])
    peers = []
    for name, verdict in work.peers.items():
        items = list(map(PREPARED.get(name, lambda case: case), work.cases[:PEER_CASES]))
        wrong = 1 - agreement(ours[:PEER_CASES], verdict, items)
        rate = calls_a_second(verdict, items)
        peers.append(f"{name} {shown(rate)}" + (f", {wrong:.0%} wrong" if wrong else f" ({bare / rate:.3g})"))
    return [work.title, shown(bare), f"{shown(mine)} ({bare / mine:.3g})", "; ".join(peers) or "none"]


def main() -> None:
    generator = random.Random(7)
    print("Cases a CPU second, the best of several rounds; in brackets how many times slower than the bare library.")
    print("Half of the cases pass. A peer with wrong verdicts has no ratio.\n")
    works = [*text_works(generator), *structured_works(generator), *trace_works(generator)]
    print(table(("work", "bare library", "evalbook", "peers"), map(row, works)))


if __name__ == "__main__":
    main()
