"""trajectory (S-11): every required step happened in order, no forbidden tool was called, handoffs were recorded."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Annotated, Literal

from pydantic import Field

from evalbook.domain.case import Case
from evalbook.domain.errors import Problem
from evalbook.domain.implementation import Need, ScoreFunction, scorer
from evalbook.domain.outcome import Grade, failed, passed
from evalbook.domain.parameters import Parameters
from evalbook.domain.span import SpanKind
from evalbook.jsonio.values import Json
from evalbook.scorers.trace._calls import executed_spans, fail_if_forbidden
from evalbook.scorers.trace._steps import missing_handoffs, missing_step
from evalbook.traces.wire import read_trace

Name = Annotated[str, Field(min_length=1)]

_PASSED = passed("Every required step happened in order, no forbidden tool was called and every handoff is recorded.")


class Step(Parameters):
    """A span that must be there."""

    name: Name
    kind: Literal["tool", "retrieval", "agent", "handoff", "llm", "other"] = "tool"


class Handoff(Parameters):
    """A handoff that must be recorded."""

    source: Name = Field(alias="from", description="Who hands over.")
    target: Name = Field(alias="to", description="Who takes over.")


class TrajectoryParameters(Parameters):
    """What must and must not have happened; at least one of the three."""

    required_steps: list[Step] = Field(default_factory=list, description="In start order; others may come between.")
    forbidden_tools: list[Name] = Field(default_factory=list, description="Tools that must not be called.")
    handoffs: list[Handoff] = Field(default_factory=list, description="Handoffs that must be recorded, in any order.")

    @classmethod
    def problems(cls, raw: Mapping[str, Json]) -> Iterable[Problem]:
        """Refuse a version that any trace would pass."""
        if not any(raw.get(name) for name in cls.model_fields):
            yield Problem("", "one of required_steps, forbidden_tools and handoffs is required")

    def warnings(self) -> Iterable[Problem]:
        """Name the steps that no case can take without failing."""
        for index, step in enumerate(self.required_steps):
            if step.kind == "tool" and step.name in self.forbidden_tools:
                yield Problem(f"/required_steps/{index}/name", "is a forbidden tool as well: no case can pass")


@scorer(parameters=TrajectoryParameters, needs=(Need.TRACE,))
def trajectory(parameters: TrajectoryParameters) -> ScoreFunction:
    """Passes when every required step happened in order, no forbidden tool was called and every handoff is recorded."""
    steps = [(step.kind, step.name) for step in parameters.required_steps]
    handoffs = Counter((handoff.source, handoff.target) for handoff in parameters.handoffs)
    forbidden = frozenset(parameters.forbidden_tools)

    def score(case: Case) -> Grade:
        spans = executed_spans(read_trace(case))
        fail_if_forbidden([span for span in spans if span.kind is SpanKind.TOOL], forbidden)
        faults = [*missing_step(steps, spans), *missing_handoffs(handoffs, spans)]
        return failed(" ".join(faults)) if faults else _PASSED

    return score
