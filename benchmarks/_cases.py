"""Seeded cases for the benchmarks: half of them pass, half of them fail by a little."""

import json
import random
from typing import Any

from evalbook.domain.case import Case

CASES = 2_000
WORDS = ("the", "model", "answered", "that", "rain", "in", "Oslo", "falls", "on", "most", "days", "of", "a", "year")
TOOLS = ("search", "open", "read", "book", "pay")
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        **{f"field_{i}": {"type": "string", "minLength": 1} if i % 3 else {"type": "integer"} for i in range(13)},
        "kind": {"enum": ["order", "offer"]},
        "items": {"type": "array", "items": {"type": "object", "required": ["id"]}, "minItems": 1},
    },
    "required": [f"field_{i}" for i in range(13)],
    "additionalProperties": False,
}


def text(generator: random.Random, length: int) -> str:
    words: list[str] = []
    while sum(map(len, words)) + len(words) < length:
        words.append(generator.choice(WORDS))
    return " ".join(words)[:length]


def pairs(generator: random.Random, length: int) -> list[Case]:
    cases = []
    for number in range(CASES):
        expected = text(generator, length)
        at = generator.randrange(length)
        output = expected if number % 2 else expected[:at] + "#" + expected[at + 1 :]
        cases.append(Case(str(number), output=output, expected=expected))
    return cases


def rewritten(generator: random.Random, length: int) -> list[Case]:
    """Every second output is what is expected, the others are other texts."""
    return [
        case if number % 2 else case._replace(output=text(generator, length))
        for number, case in enumerate(pairs(generator, length))
    ]


def documents(generator: random.Random) -> list[Case]:
    cases = []
    for number in range(CASES):
        expected = {f"field_{i}": text(generator, 40) if i % 3 else i * 7 for i in range(18)}
        output = json.loads(json.dumps(expected))
        if number % 2:
            output["field_1"] += "#"
        cases.append(Case(str(number), output=output, expected=expected))
    return cases


def orders(generator: random.Random) -> list[Case]:
    """Objects of the schema, every second one with a text where an integer is asked for."""
    cases = []
    for number in range(CASES):
        output: dict[str, Any] = {f"field_{i}": text(generator, 20) if i % 3 else i for i in range(13)}
        output |= {"kind": "order", "items": [{"id": 1}]}
        if number % 2:
            output["field_12"] = "twelve"
        cases.append(Case(str(number), output=output))
    return cases


def numbers(generator: random.Random) -> list[Case]:
    return [Case(str(n), output=(value := generator.randrange(10**6)) + n % 4, expected=value) for n in range(CASES)]


def artifacts() -> list[Case]:
    entries = [{"kind": "file", "name": f"report-{i}.csv", "sha256": f"{i:064x}"} for i in range(10)]
    return [Case(str(n), output={"artifacts": entries if n % 2 else entries[1:]}) for n in range(CASES)]


def runs(generator: random.Random) -> list[Case]:
    """Traces of ten spans, five of them tool calls; in every second one the tools come in another order."""
    cases = []
    for number in range(CASES):
        names = TOOLS if number % 2 else tuple(reversed(TOOLS))
        spans = []
        for place, name in enumerate(names):
            arguments = {"query": text(generator, 30), "limit": 5 if number % 2 else 6}
            times = {"start_time": place * 10, "end_time": place * 10 + 5, "status": "ok"}
            spans += [
                {"span_id": f"l{place}", "kind": "llm", "name": "answer", "start_time": place * 10 - 1},
                {"span_id": f"t{place}", "kind": "tool", "name": name, "arguments": arguments, **times},
            ]
        cases.append(Case(str(number), trace={"spans": spans}))
    return cases


def retrievals(generator: random.Random) -> list[Case]:
    """Answers that cite three of twenty retrieved documents, every second one another document as well."""
    cases = []
    for number in range(CASES):
        found = [f"doc-{i}" for i in generator.sample(range(1_000), 20)]
        cited = [*found[:3], *(["doc-x"] if number % 2 else [])]
        spans = [{"span_id": "r", "kind": "retrieval", "documents": [{"id": one, "score": 0.5} for one in found]}]
        answer = " ".join(f"{text(generator, 60)} [{one}]." for one in cited)
        labels = found[:12] if number % 2 else found[:4]
        cases.append(Case(str(number), output=answer, expected=labels, trace={"spans": spans}))
    return cases


def secrets(generator: random.Random) -> list[Case]:
    """Texts of 2,000 characters, every second one with an access key id in it."""
    key = "AKIA" + "QYLPMN5HNM4OX2AB"
    return [
        Case(str(n), output=text(generator, 1_000) + (f" {key} " if n % 2 else " ") + text(generator, 979))
        for n in range(CASES)
    ]
