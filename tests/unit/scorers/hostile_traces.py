"""Hostile traces: for the scorers of tool calls, trajectories and retrievals."""

import json
from collections.abc import Iterator

from tests.unit.scorers.hostile import SOME, array_text, large_values, long_texts

SPAN_COUNT = 200


ERROR = frozenset({"error", "timeout"})


def span(number: int, more: str = "", kind: str = "tool") -> str:
    return f'{{"span_id":"s{number}","kind":"{kind}","name":"t{number % 7}"{more}}}'


def trace_of(spans: list[str]) -> str:
    return f'{{"spans":{array_text(spans)}}}'


def many_spans(more: str, count: int = SPAN_COUNT, kind: str = "tool") -> str:
    """A trace of spans with the members *more*, in which `#` stands for the span's number."""
    return trace_of([span(n, more.replace("#", str(n)), kind) for n in range(count)])


def traces() -> Iterator[tuple[str, str]]:
    """Traces that can be read, as long as there is time."""
    yield "ties", many_spans(',"start_time":5,"end_time":5,"sequence":1')
    yield (
        "falling starts",
        trace_of([span(n, f',"start_time":{SPAN_COUNT - n},"end_time":9999') for n in range(SPAN_COUNT)]),
    )
    yield "times beyond all years", many_spans(f',"start_time":{"9" * 400},"end_time":{"9" * 400}', 100)
    yield "times with exponents", many_spans(',"start_time":1e400,"end_time":1e400,"sequence":-1e400')
    yield "times as texts", many_spans(f',"start_time":"2026-01-01T00:00:00.{"1" * 30}Z"')
    yield "every second without a time", trace_of([span(n, ',"start_time":3' * (n % 2)) for n in range(SPAN_COUNT)])
    yield "a chain of parents", many_spans(',"parent_span_id":"s1#"')
    yield "a long chain", trace_of([span(n, f',"parent_span_id":"s{n + 1}"') for n in range(SPAN_COUNT)])
    yield (
        "one call in all records",
        trace_of([span(7 * n, ',"call_id":"c","arguments":{"n":1}') for n in range(SPAN_COUNT)]),
    )
    yield "arguments", many_spans(',"arguments":{"a":{"b":[#,1.5,"text"]}}')
    yield "no arguments", many_spans(',"end_time":1')
    yield "never executed", many_spans(',"executed":false')
    yield "all in error", many_spans(',"status":"error","error":{"type":"x"}')
    yield "handoffs", many_spans(',"source_agent":"a","target_agent":"b"', kind="handoff")
    for title, value in large_values(SOME, 95):
        yield f"arguments: {title}", trace_of([span(0, f',"arguments":{{"a":{value}}}')])
    for title, text in list(long_texts())[::3]:
        shown = json.dumps(text)
        yield f"a name of {title}", trace_of([span(0, f',"call_id":{shown},"arguments":{{"a":{shown}}}')])


def long_trace() -> str:
    return many_spans(',"start_time":5,"end_time":5,"arguments":{"a":#}', 10_000)


def broken_traces() -> Iterator[tuple[str, str]]:
    """Traces that contradict themselves."""
    yield "one id in 10,000 spans", trace_of([span(1)] * 10_000)
    yield "the last id twice", trace_of([*map(span, range(SPAN_COUNT)), span(SPAN_COUNT - 1)])
    yield "a circle of 10,000", trace_of([span(n, f',"parent_span_id":"s{(n + 1) % 10_000}"') for n in range(10_000)])
    yield (
        "a circle at the end",
        trace_of([*map(span, range(SPAN_COUNT)), span(SPAN_COUNT, f',"parent_span_id":"s{SPAN_COUNT}"')]),
    )
    yield (
        "the last ends first",
        trace_of([*map(span, range(SPAN_COUNT)), span(SPAN_COUNT, ',"start_time":2,"end_time":1')]),
    )
    yield "a fraction of a nanosecond", many_spans(f',"start_time":{"1" * 390}.5', 400)
    yield "a time of a million digits", trace_of([span(0, f',"start_time":"2026-01-01T00:00:00.{"1" * 500_000}Z"')])


def retrieval_trace(documents: list[str], spans: int = 1) -> str:
    return trace_of([span(n, f',"documents":{array_text(documents)}', "retrieval") for n in range(spans)])


def retrievals() -> Iterator[tuple[str, str]]:
    """Traces of retrievals."""
    yield "one document many times", retrieval_trace(['{"id":"d"}'] * SOME)
    yield "falling ranks", retrieval_trace([f'{{"id":"d{n}","rank":{SOME - n}}}' for n in range(SOME)])
    yield "equal ranks", retrieval_trace([f'{{"id":"d{n}","rank":1.5{"0" * (n % 50)}}}' for n in range(SOME)])
    yield "ranks of 400 digits", retrieval_trace([f'{{"id":"d{n}","rank":{10**399 + n}}}' for n in range(200)])
    yield "ranks with exponents", retrieval_trace([f'{{"id":"d{n}","rank":1e{400 - n}}}' for n in range(800)])
    ranks = ("", ',"rank":-1.5e-9')
    yield "every second without a rank", retrieval_trace([f'{{"id":"d{n}"{ranks[n % 2]}}}' for n in range(SOME)])
    yield "many retrievals of the same", retrieval_trace([f'{{"id":"d{n}"}}' for n in range(20)], 100)
    yield "without ids", retrieval_trace(["{}"] * SOME)
    yield "documents that are none", retrieval_trace([*['{"id":"d"}'] * SOME, "0"])
    for title, text in list(long_texts())[::4]:
        yield f"an id of {title}", retrieval_trace([f'{{"id":{json.dumps(text)}}}'])
    for title, value in list(large_values(SOME, 95))[::4]:
        yield f"{title} as documents", trace_of([span(0, f',"documents":{value}', "retrieval")])
