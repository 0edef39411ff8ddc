"""Cases a second of each implementation: a prepared scorer on ready cases, the bare library, and peers."""

import json
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from autoevals import ExactMatch, Levenshtein, NumericDiff
from pydantic_evals.evaluators import Contains, EqualsExpected, EvaluatorContext
from rapidfuzz.distance import Levenshtein as Bare

from benchmarks.measuring import calls_a_second, shown, table
from evalbook import catalog
from evalbook.case import Case

CASES = 2_000
WORDS = ("the", "model", "answered", "that", "rain", "in", "Oslo", "falls", "on", "most", "days", "of", "a", "year")

Verdict = Callable[[Any], bool]


@dataclass(frozen=True)
class Work:
    """One kind of work: our scorer, the bare library on the same data, and peers that do the same."""

    title: str
    implementation: str
    parameters: dict[str, Any]
    cases: list[Case]
    bare: Verdict
    peers: dict[str, Verdict] = field(default_factory=dict)


def text(generator: random.Random, length: int) -> str:
    words: list[str] = []
    while sum(map(len, words)) + len(words) < length:
        words.append(generator.choice(WORDS))
    return " ".join(words)[:length]


def context(case: Case) -> EvaluatorContext[Any, Any, Any]:
    return EvaluatorContext(
        name=None,
        inputs=None,
        metadata=None,
        expected_output=case.expected,
        output=case.output,
        duration=0.0,
        _span_tree=None,
        attributes={},
        metrics={},
    )


def pairs(generator: random.Random, length: int) -> list[Case]:
    """Half of the outputs equal what is expected, half differ in one place."""
    cases = []
    for number in range(CASES):
        expected = text(generator, length)
        at = generator.randrange(length)
        output = expected if number % 2 else expected[:at] + "#" + expected[at + 1 :]
        cases.append(Case(str(number), output=output, expected=expected))
    return cases


def documents(generator: random.Random) -> list[Case]:
    cases = []
    for number in range(CASES):
        expected = {f"field_{i}": text(generator, 40) if i % 3 else i * 7 for i in range(18)}
        output = json.loads(json.dumps(expected))
        if number % 2:
            output["field_1"] += "#"
        cases.append(Case(str(number), output=output, expected=expected))
    return cases


def numbers(generator: random.Random) -> list[Case]:
    return [Case(str(n), output=(value := generator.randrange(10**6)) + n % 3, expected=value) for n in range(CASES)]


def works() -> list[Work]:
    generator = random.Random(7)
    exact, equal = ExactMatch(), EqualsExpected()
    texts, long_texts, objects, values = (
        pairs(generator, 200),
        pairs(generator, 2_000),
        documents(generator),
        numbers(generator),
    )
    listed = ["Oslo", "rain", "model", "year", "days"]
    contains = [Contains(value) for value in listed]
    distance = Levenshtein()
    numeric = NumericDiff()

    def autoevals_exact(case: Case) -> bool:
        return exact(case.output, case.expected).score == 1

    def similar(case: Case) -> bool:
        return Bare.normalized_similarity(case.output, case.expected, score_cutoff=0.9) >= 0.9

    def autoevals_similar(case: Case) -> bool:
        return distance(case.output, case.expected).score >= 0.9

    def pydantic_equal(case: EvaluatorContext[Any, Any, Any]) -> bool:
        return bool(equal.evaluate(case))

    return [
        Work("exact text, 200 characters", "exact_match", {}, texts, lambda c: c.output == c.expected,
             {"autoevals": autoevals_exact, "pydantic-evals": pydantic_equal}),
        Work("exact JSON, 1 KB", "exact_match", {"compare": "json"}, objects, lambda c: c.output == c.expected,
             {"pydantic-evals": pydantic_equal}),
        Work("contains all of 5, 200 characters", "contains", {"texts": listed}, texts,
             lambda c: all(value in c.output for value in listed),
             {"pydantic-evals": lambda c: all(one.evaluate(c).value for one in contains)}),
        Work("contains none of 5, 200 characters", "not_contains", {"texts": listed}, texts,
             lambda c: not any(value in c.output for value in listed)),
        Work("numeric, absolute tolerance", "numeric_tolerance", {"absolute": 1}, values,
             lambda c: abs(c.output - c.expected) <= 1,
             {"autoevals": lambda c: numeric(c.output, c.expected).score > 1 - 1e-6}),
        Work("Levenshtein, 200 characters", "edit_similarity", {"threshold": 0.9}, texts, similar,
             {"autoevals": autoevals_similar}),
        Work("Levenshtein, 2,000 characters", "edit_similarity", {"threshold": 0.9}, long_texts, similar,
             {"autoevals": autoevals_similar}),
    ]  # fmt: skip


def agreement(ours: list[bool], verdict: Verdict, items: list[Any]) -> float:
    return sum(verdict(item) == mine for item, mine in zip(items, ours, strict=True)) / len(ours)


def row(work: Work) -> list[str]:
    scorer = catalog.implementations()[work.implementation].prepare(work.parameters)
    ours = [scorer.score(case).outcome == "pass" for case in work.cases]
    if agreement(ours, work.bare, work.cases) < 1:
        raise AssertionError(f"{work.title}: the bare library disagrees")
    bare = calls_a_second(work.bare, work.cases)
    mine = calls_a_second(scorer.score, work.cases)
    peers = []
    for name, verdict in work.peers.items():
        items = [context(case) for case in work.cases] if name == "pydantic-evals" else work.cases
        same = agreement(ours, verdict, items)
        rate = calls_a_second(verdict, items[:500])
        peers.append(f"{name} {shown(rate)} ({bare / rate:.3g})" + ("" if same == 1 else f", {1 - same:.0%} wrong"))
    return [work.title, shown(bare), f"{shown(mine)} ({bare / mine:.3g})", "; ".join(peers) or "none"]


def main() -> None:
    print("Cases a CPU second; in brackets how many times slower than the bare library.\n")
    print(table(("work", "bare library", "evalbook", "peers"), map(row, works())))


if __name__ == "__main__":
    main()
