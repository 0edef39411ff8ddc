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
from evalbook.scorer_kit.globs import any_of
from evalbook.scorers.trace._calls import executed_spans, fail_if_forbidden
from evalbook.scorers.trace._steps import (
    DeclaredHandoff,
    RequiredStep,
    WantedStep,
    failed_handoffs,
    missing_handoffs,
    missing_step,
    unpaired_steps,
)
from evalbook.traces.wire import read_trace

Name = Annotated[str, Field(min_length=1)]

_RULES = ("required_steps", "forbidden_tools", "handoffs")
_PASSED = "Every required step happened, no forbidden tool was called and every handoff is recorded."


class TrajectoryParameters(Parameters):
    """What must and must not have happened; at least one of the three."""

    required_steps: list[RequiredStep] = Field(default_factory=list, description="Others may come between.")
    unordered_steps: bool = Field(default=False, description="Whether steps may come in any order, each its own span.")
    forbidden_tools: list[Name] = Field(default_factory=list, description="Tools that must not be called; * is a glob.")
    handoffs: list[DeclaredHandoff] = Field(default_factory=list, description="Must be recorded, in any order.")
    handoff_status: Literal["any", "ok"] = Field("any", description="Whether a handoff must have ended without error.")

    @classmethod
    def problems(cls, raw: Mapping[str, Json]) -> Iterable[Problem]:
        """Refuse a version that any trace would pass."""
        if not any(raw.get(name) for name in _RULES):
            yield Problem("", "one of required_steps, forbidden_tools and handoffs is required")

    def warnings(self) -> Iterable[Problem]:
        """Name the steps that no case can take without failing."""
        is_forbidden = any_of(self.forbidden_tools)
        for index, step in enumerate(self.required_steps):
            if step.kind == "tool" and is_forbidden(step.name):
                yield Problem(f"/required_steps/{index}/name", "is a forbidden tool as well: no case can pass")


@scorer(parameters=TrajectoryParameters, needs=(Need.TRACE,))
def trajectory(parameters: TrajectoryParameters) -> ScoreFunction:
    """Passes when every required step happened in order, no forbidden tool was called and every handoff is recorded."""
    steps = [WantedStep(step.kind, step.name, step.status) for step in parameters.required_steps]
    handoffs = Counter((handoff.source, handoff.target) for handoff in parameters.handoffs)
    is_forbidden, only_ok = any_of(parameters.forbidden_tools), parameters.handoff_status == "ok"
    unmet = unpaired_steps if parameters.unordered_steps else missing_step

    def score(case: Case) -> Grade:
        spans = executed_spans(read_trace(case))
        fail_if_forbidden([span for span in spans if span.kind is SpanKind.TOOL], is_forbidden)
        faults = [*unmet(steps, spans), *missing_handoffs(handoffs, spans, only_ok=only_ok)]
        told = failed_handoffs(handoffs, spans)
        return failed(" ".join(faults) + told) if faults else passed(_PASSED + told)

    return score
