"""What trace_limits counts and measures in a trace, and what it says where a limit does not hold."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import groupby
from typing import Any, Final

from pydantic import Field

from evalbook.domain.errors import Problem
from evalbook.domain.outcome import Code, EarlyOutcome, unsupported
from evalbook.domain.parameters import Number, Parameters, Whole
from evalbook.domain.span import Span, SpanKind, Trace
from evalbook.jsonio.canonical import EXACT, canonical_json
from evalbook.jsonio.values import ABSENT, Json, is_number

KINDS: Final[Mapping[str, SpanKind]] = {
    "tool_calls": SpanKind.TOOL,
    "llm_calls": SpanKind.LLM,
    "retrievals": SpanKind.RETRIEVAL,
    "handoffs": SpanKind.HANDOFF,
    "failed_calls": SpanKind.TOOL,
}
_NANOSECONDS: Final = Decimal(1_000_000)


class CountBounds(Parameters):
    """How many there may be."""

    minimum: Whole | None = Field(None, ge=0, description="At least so many.")
    maximum: Whole | None = Field(None, ge=0, description="At most so many.")


class DurationBounds(Parameters):
    """How many milliseconds it may take."""

    minimum: Number | None = Field(None, ge=0, description="At least so many milliseconds.")
    maximum: Number | None = Field(None, ge=0, description="At most so many milliseconds.")


class ToolBounds(CountBounds):
    """How many calls of one tool there may be."""

    name: str = Field(min_length=1, description="The tool's own name, compared exactly.")


def bounds_problems(raw: Json, pointer: str) -> Iterator[Problem]:
    """Name why the bounds *raw*, which may be anything at all, would pass everything or nothing."""
    if not isinstance(raw, dict):
        return
    least: Any = raw.get("minimum")
    most: Any = raw.get("maximum")
    if least is None and most is None:
        yield Problem(pointer, "needs a minimum, a maximum or both")
    elif most is None and is_number(least) and not least:
        yield Problem(pointer, "would pass everything with a minimum of 0 and no maximum: give a maximum")
    elif is_number(least) and is_number(most) and least > most:
        yield Problem(f"{pointer}/maximum", "must not be below minimum")


def limit_problems(raw: Mapping[str, Json], limits: Sequence[str]) -> Iterator[Problem]:
    """Name what is wrong with the parameters *raw*, which may be anything at all and should have one of *limits*."""
    if all(raw.get(name) is None for name in limits):
        yield Problem("", f"at least one limit is required: {', '.join(limits)}")
    for name in (*KINDS, "duration_ms"):
        yield from bounds_problems(raw.get(name), f"/{name}")
    tools = raw.get("per_tool")
    for index, each in enumerate(tools if isinstance(tools, list) else ()):
        yield from bounds_problems(each, f"/per_tool/{index}")


def need_kinds(trace: Trace, asked: Collection[SpanKind]) -> None:
    """End the scorer where the trace's format does not record a kind of span that is *asked* about."""
    unrecorded = trace.unrecorded.intersection(asked)
    if unrecorded:
        message = f"The trace's format does not record {len(unrecorded)} of the kinds of span that are counted."
        raise EarlyOutcome(unsupported(Code.SPANS_UNAVAILABLE, message))


def foreign_calls(spans: Sequence[Span], allowed: Collection[str] | None) -> str | None:
    """Say how many tool calls are of none of the *allowed* tools; None where there is no such call."""
    calls = [span for span in spans if span.kind is SpanKind.TOOL]
    foreign = 0 if allowed is None else sum(call.name not in allowed for call in calls)
    return f"{foreign} of {len(calls)} tool calls are to a tool that is not allowed." if foreign else None


def broken(name: str, value: Decimal | int, bounds: CountBounds | DurationBounds) -> Iterator[str]:
    """Say where *value* is outside *bounds*."""
    if bounds.minimum is not None and value < bounds.minimum:
        yield f"{name} is {value}, below the minimum of {bounds.minimum}."
    if bounds.maximum is not None and value > bounds.maximum:
        yield f"{name} is {value}, above the maximum of {bounds.maximum}."


def duration_ms(spans: Sequence[Span]) -> Decimal:
    """Return the milliseconds from the first start to the last end; end the scorer where a time is missing."""
    starts = [span.start for span in spans if span.start is not None]
    ends = [span.end for span in spans if span.end is not None]
    if not spans or min(len(starts), len(ends)) < len(spans):
        missing = 2 * len(spans) - len(starts) - len(ends)
        message = f"The duration is unknown: {missing} start and end times of {len(spans)} spans were not recorded."
        raise EarlyOutcome(unsupported(Code.TIMES_UNAVAILABLE, message))
    return EXACT.divide(Decimal(max(ends) - min(starts)), _NANOSECONDS)


def longest_repetition(calls: Sequence[Span], limit: int) -> int:
    """Return the length of the longest run of calls of one tool with equal arguments, one after the other.

    It ends the scorer where calls without arguments stand in a run of one tool that is longer than *limit*.
    """
    longest = 0
    for _, group in groupby(calls, key=lambda call: call.name):
        run = list(group)
        if len(run) <= limit:
            longest = max(longest, 1)
            continue
        _need_arguments(run)
        texts = (canonical_json(dict(call.arguments)) for call in run if call.arguments is not ABSENT)
        longest = max(longest, *(len(list(same)) for _, same in groupby(texts)))
    return longest


def _need_arguments(calls: Iterable[Span]) -> None:
    lost = sum(call.arguments is ABSENT for call in calls)
    if lost:
        message = f"Whether calls repeat is unknown: the arguments of {lost} of them were not kept."
        raise EarlyOutcome(unsupported(Code.ARGUMENTS_UNAVAILABLE, message))
