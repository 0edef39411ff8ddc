"""Hostile inputs of the trace and retrieval families."""

import json
from collections.abc import Iterator
from typing import Any

from tests.integration.hostile.inputs import FAIL, MANY, SOME, Input, case, listed, named, texts, values

SPANS = 200
ERROR = frozenset({"error", "timeout"})


def _span(number: int, more: str = "", kind: str = "tool") -> str:
    return f'{{"span_id":"s{number}","kind":"{kind}","name":"t{number % 7}"{more}}}'


def _trace(spans: list[str]) -> str:
    return f'{{"spans":{listed(spans)}}}'


def _many(more: str, count: int = SPANS, kind: str = "tool") -> str:
    """A trace of spans with the members *more*, in which `#` stands for the span's number."""
    return _trace([_span(n, more.replace("#", str(n)), kind) for n in range(count)])


def traces() -> Iterator[tuple[str, str]]:
    """Traces that can be read, as long as there is time."""
    yield "ties", _many(',"start_time":5,"end_time":5,"sequence":1')
    yield "falling starts", _trace([_span(n, f',"start_time":{SPANS - n},"end_time":9999') for n in range(SPANS)])
    yield "times beyond all years", _many(f',"start_time":{"9" * 400},"end_time":{"9" * 400}', 100)
    yield "times with exponents", _many(',"start_time":1e400,"end_time":1e400,"sequence":-1e400')
    yield "times as texts", _many(f',"start_time":"2026-01-01T00:00:00.{"1" * 30}Z"')
    yield "every second without a time", _trace([_span(n, ',"start_time":3' * (n % 2)) for n in range(SPANS)])
    yield "a chain of parents", _many(',"parent_span_id":"s1#"')
    yield "a long chain", _trace([_span(n, f',"parent_span_id":"s{n + 1}"') for n in range(SPANS)])
    yield "one call in all records", _trace([_span(7 * n, ',"call_id":"c","arguments":{"n":1}') for n in range(SPANS)])
    yield "arguments", _many(',"arguments":{"a":{"b":[#,1.5,"text"]}}')
    yield "no arguments", _many(',"end_time":1')
    yield "never executed", _many(',"executed":false')
    yield "all in error", _many(',"status":"error","error":{"type":"x"}')
    yield "handoffs", _many(',"source_agent":"a","target_agent":"b"', kind="handoff")
    for title, value in values(SOME, 95):
        yield f"arguments: {title}", _trace([_span(0, f',"arguments":{{"a":{value}}}')])
    for title, text in list(texts())[::3]:
        shown = json.dumps(text)
        yield f"a name of {title}", _trace([_span(0, f',"call_id":{shown},"arguments":{{"a":{shown}}}')])


def _long_trace() -> str:
    return _many(',"start_time":5,"end_time":5,"arguments":{"a":#}', 10_000)


def broken_traces() -> Iterator[tuple[str, str]]:
    """Traces that contradict themselves."""
    yield "one id in 10,000 spans", _trace([_span(1)] * 10_000)
    yield "the last id twice", _trace([*map(_span, range(SPANS)), _span(SPANS - 1)])
    yield "a circle of 10,000", _trace([_span(n, f',"parent_span_id":"s{(n + 1) % 10_000}"') for n in range(10_000)])
    yield "a circle at the end", _trace([*map(_span, range(SPANS)), _span(SPANS, f',"parent_span_id":"s{SPANS}"')])
    yield "the last ends first", _trace([*map(_span, range(SPANS)), _span(SPANS, ',"start_time":2,"end_time":1')])
    yield "a fraction of a nanosecond", _many(f',"start_time":{"1" * 390}.5', 400)
    yield "a time of a million digits", _trace([_span(0, f',"start_time":"2026-01-01T00:00:00.{"1" * 500_000}Z"')])


RULES: tuple[dict[str, Any], ...] = (
    {},
    {"tool_params": [{"path": "/a", "rule": "not_equals", "value": {"b": [1, 1.5, "text"]}}], "occurrence": "all"},
    {"tool_params": [{"path": "/a", "rule": "one_of", "value": [{"b": [n, 1.5, "x"]} for n in range(SOME)]}]},
    {"tool_params": [{"path": "/a/b/2", "rule": "matches", "value": "[a-z ]*="}], "occurrence": "exactly_one"},
    {"tool_params": [{"path": "/a", "rule": "matches", "value": "[a-z ]*="}], "match_timeout_ms": 2_000},
    {"tool_params": [{"path": "/a" * 60 + f"/{n}", "rule": "present"} for n in range(300)]},
    {"forbidden_tools": [f"x{n}" for n in range(SOME)]},
)


def tool_call_match() -> Iterator[Input]:
    for number, rules in enumerate(RULES):
        for title, trace in traces():
            yield Input("tool_call_match", f"{title}, rules {number}", {"tool": "t0", **rules}, case(trace=trace))
    yield Input("tool_call_match", "10,000 spans", {"tool": "t0"}, case(trace=_long_trace()))
    for title, trace in broken_traces():
        yield Input("tool_call_match", title, {"tool": "t0"}, case(trace=trace), ERROR)


STEPS: tuple[dict[str, Any], ...] = (
    {"required_steps": [{"name": f"t{n % 7}"} for n in range(SPANS * 2)]},
    {"required_steps": [{"name": "no"}] * SOME},
    {"required_steps": [{"name": "t0"}, {"name": "t0", "kind": "handoff"}]},
    {"forbidden_tools": [f"x{n}" for n in range(SOME)]},
    {"handoffs": [{"from": "a", "to": "b"}] * SOME},
    {"handoffs": [{"from": f"a{n}", "to": "b"} for n in range(SOME)], "forbidden_tools": ["t9"]},
)


def trajectory() -> Iterator[Input]:
    for number, steps in enumerate(STEPS):
        for title, trace in traces():
            yield Input("trajectory", f"{title}, steps {number}", steps, case(trace=trace))
    yield Input("trajectory", "10,000 spans", STEPS[0], case(trace=_long_trace()))
    for title, trace in broken_traces():
        yield Input("trajectory", title, STEPS[0], case(trace=trace), ERROR)


def _retrievals(documents: list[str], spans: int = 1) -> str:
    return _trace([_span(n, f',"documents":{listed(documents)}', "retrieval") for n in range(spans)])


def retrievals() -> Iterator[tuple[str, str]]:
    """Traces of retrievals."""
    yield "one document many times", _retrievals(['{"id":"d"}'] * SOME)
    yield "falling ranks", _retrievals([f'{{"id":"d{n}","rank":{SOME - n}}}' for n in range(SOME)])
    yield "equal ranks", _retrievals([f'{{"id":"d{n}","rank":1.5{"0" * (n % 50)}}}' for n in range(SOME)])
    yield "ranks of 400 digits", _retrievals([f'{{"id":"d{n}","rank":{10**399 + n}}}' for n in range(200)])
    yield "ranks with exponents", _retrievals([f'{{"id":"d{n}","rank":1e{400 - n}}}' for n in range(800)])
    ranks = ("", ',"rank":-1.5e-9')
    yield "every second without a rank", _retrievals([f'{{"id":"d{n}"{ranks[n % 2]}}}' for n in range(SOME)])
    yield "many retrievals of the same", _retrievals([f'{{"id":"d{n}"}}' for n in range(20)], 100)
    yield "without ids", _retrievals(["{}"] * SOME)
    yield "documents that are none", _retrievals([*['{"id":"d"}'] * SOME, "0"])
    for title, text in list(texts())[::4]:
        yield f"an id of {title}", _retrievals([f'{{"id":{json.dumps(text)}}}'])
    for title, value in list(values(SOME, 95))[::4]:
        yield f"{title} as documents", _trace([_span(0, f',"documents":{value}', "retrieval")])


def retrieval_relevance() -> Iterator[Input]:
    labels = {
        "many labels": listed(f'"d{n}"' for n in range(SOME)),
        "one label": '["d1"]',
        "no label": "[]",
        "a label that is none": listed([*['"d1"'] * SOME, "0"]),
    }
    for number, metric in enumerate(("precision", "recall", "f1")):
        parameters = {"metric": metric, "threshold": 0.3333333333333333, "k": 10 ** (5 * number + 1)}
        for title, trace in retrievals():
            for name, label in labels.items():
                both = case(trace=trace, expected=label)
                yield Input("retrieval_relevance", f"{metric}: {title}, {name}", parameters, both)
        for spans, documents in ((1, 100_000), (1_000, 100), (10_000, 1)):
            trace = _retrievals([f'{{"id":"d{n}"}}' for n in range(documents)], spans)
            both = case(trace=trace, expected=labels["many labels"])
            yield Input("retrieval_relevance", f"{metric}: {spans} times {documents} documents", parameters, both)
    for title, value in values():
        both = case(trace=_retrievals(['{"id":"d1"}']), expected=value)
        yield Input("retrieval_relevance", f"labels: {title}", {"metric": "f1", "threshold": 1, "k": 1}, both)


def citation_support() -> Iterator[Input]:
    trace = _retrievals(['{"id":"a"}'])
    versions: tuple[dict[str, Any], ...] = (
        {},
        {"citation_pattern": r"\[([a-z ]*)\]", "match_timeout_ms": 2_000},
        {"citation_pattern": r"[a-z ]*=", "match_timeout_ms": 2_000, "max_input_chars": 1_000_000},
        {"citation_pattern": r"."},
        {"min_citations": 10**300},
    )
    for number, parameters in enumerate(versions):
        for title, text in _answers():
            both = case(output=json.dumps(text), trace=trace)
            yield Input("citation_support", f"{title}, version {number}", parameters, both)
    for title, value in values(levels=98):
        both = case(output=named([("cited", value)]), trace=trace)
        yield Input("citation_support", f"list: {title}", {"citations_path": "/cited"}, both, FAIL)
    for title, found in retrievals():
        for cited in (listed(f'"d{n}"' for n in range(SOME)), listed(['"d1"'] * SOME)):
            both = case(output=cited, trace=found)
            yield Input("citation_support", f"{title}, cited", {"citations_path": ""}, both)


def _answers() -> Iterator[tuple[str, str]]:
    """Texts that look like Markdown with citations, beside the long texts of all kinds."""
    yield from texts(SOME)
    unit = {
        "citations": "[a] ",
        "lists of citations": "[a, b; c] ",
        "links": "[a](b) ",
        "links without an end": "[a](b ",
        "links in angle brackets": "[a](<b ",
        "titles without an end": '[a](b "',
        "labels": "[a][b]",
        "definitions": "[a]: /b\n",
        "definitions without an end": "[a\n",
        "task boxes": "- [x] a\n",
        "code spans": "`[a]` ",
        "fences": "```\n[a]\n",
        "footnotes": "[^1] ",
        "escaped brackets": r"\[a\] ",
    }
    for title, text in unit.items():
        yield title, text * SOME
    yield "many citations", "[a] " * MANY
    yield "growing runs of backticks", " ".join("`" * n for n in range(400))
    yield "a fence that is none", "`" * 49_000 + "x`" + "a" * 49_000
    yield "empty lines with blanks", ("\n" + " " * 40) * 2_000
