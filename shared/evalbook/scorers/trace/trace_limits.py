"""trace_limits (X-02): how often tools and models were called, how long the run took, and that it did not loop."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Final

from pydantic import Field

from evalbook.domain.case import Case
from evalbook.domain.errors import Problem
from evalbook.domain.implementation import Need, ScoreFunction, scorer
from evalbook.domain.outcome import Grade, failed, passed
from evalbook.domain.parameters import Parameters, Whole
from evalbook.domain.span import Span, SpanKind
from evalbook.jsonio.values import Json
from evalbook.scorers.trace import _limits as limits
from evalbook.scorers.trace._calls import executed_spans
from evalbook.scorers.trace._limits import KINDS, CountBounds, broken
from evalbook.traces.wire import read_trace

_HELD: Final = passed("Every limit holds.")


class TraceLimitsParameters(Parameters):
    """The limits; at least one. A call that ended in error counts as a call."""

    tool_calls: CountBounds | None = Field(None, description="Tool calls.")
    llm_calls: CountBounds | None = Field(None, description="Model calls.")
    retrievals: CountBounds | None = Field(None, description="Retrievals.")
    handoffs: CountBounds | None = Field(None, description="Handoffs between agents.")
    failed_calls: CountBounds | None = Field(None, description="Tool calls that ended in error.")
    duration_ms: limits.DurationBounds | None = Field(None, description="From the first start to the last end.")
    per_tool: list[limits.ToolBounds] | None = Field(None, min_length=1, description="Calls of single tools.")
    allowed_tools: list[Annotated[str, Field(min_length=1)]] | None = Field(
        None, min_length=1, description="The tools that may be called; a call of any other fails."
    )
    repeated_call_maximum: Whole | None = Field(
        None, ge=1, description="How often in a row the same tool may be called with equal arguments."
    )

    @classmethod
    def reads_arguments(cls, raw: Mapping[str, Json]) -> bool:
        """Whether calls are compared with each other."""
        return raw.get("repeated_call_maximum") is not None

    @classmethod
    def problems(cls, raw: Mapping[str, Json]) -> Iterable[Problem]:
        """Refuse a version that any trace would pass, and bounds that contradict each other."""
        return limits.limit_problems(raw, list(cls.model_fields))


@scorer(parameters=TraceLimitsParameters, needs=(Need.TRACE,))
def trace_limits(parameters: TraceLimitsParameters) -> ScoreFunction:
    """Passes when every limit on calls, retrievals, handoffs, duration and repetition holds."""
    asked = {kind for name, kind in KINDS.items() if getattr(parameters, name) is not None}

    def score(case: Case) -> Grade:
        trace = read_trace(case)
        limits.need_kinds(trace, asked)
        spans = executed_spans(trace)
        if foreign := limits.foreign_calls(spans, parameters.allowed_tools):
            return failed(foreign)
        faults = list(_faults(parameters, spans))
        return failed(" ".join(faults)) if faults else _HELD

    return score


def _faults(parameters: TraceLimitsParameters, spans: Sequence[Span]) -> Iterator[str]:
    calls = [span for span in spans if span.kind is SpanKind.TOOL]
    for name, kind in KINDS.items():
        if bounds := getattr(parameters, name):
            counted = (span for span in spans if span.kind is kind)
            yield from broken(name, sum(span.errored or name != "failed_calls" for span in counted), bounds)
    for index, tool in enumerate(parameters.per_tool or ()):
        yield from broken(f"per_tool {index}", sum(call.name == tool.name for call in calls), tool)
    if parameters.duration_ms:
        yield from broken("duration_ms", limits.duration_ms(spans), parameters.duration_ms)
    if most := parameters.repeated_call_maximum:
        repeated = limits.longest_repetition(calls, most)
        yield from broken("repeated_call_maximum", repeated, CountBounds(maximum=most))
