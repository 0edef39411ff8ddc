"""What of a trajectory's required steps and declared handoffs a trace does not record."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from evalbook.domain.parameters import Parameters
from evalbook.domain.span import Span, SpanKind
from evalbook.scorer_kit.pairing import maximum_matching

Name = Annotated[str, Field(min_length=1)]
StepStatus = Literal["ok", "error", "failed_then_ok"]


class RequiredStep(Parameters):
    """A span that must be there."""

    name: Name
    kind: Literal["tool", "retrieval", "agent", "handoff", "llm", "other"] = "tool"
    status: StepStatus = Field("ok", description="How it ended: without error, in error, or first the one, then ok.")


class DeclaredHandoff(Parameters):
    """A handoff that must be recorded."""

    source: Name = Field(alias="from", description="Who hands over.")
    target: Name = Field(alias="to", description="Who takes over.")


class WantedStep(NamedTuple):
    """A span that must be there: its kind, its name and how it ended."""

    kind: str
    name: str
    status: StepStatus

    def names(self, span: Span) -> bool:
        """Whether *span* is of this kind and name, however it ended."""
        return span.kind == self.kind and span.name == self.name


def missing_step(steps: Sequence[WantedStep], spans: Sequence[Span]) -> Iterable[str]:
    """Say which step is the first without a span after that of the step before: the earliest span is always right."""
    left = iter(spans)
    for index, step in enumerate(steps):
        if not _taken(step, left):
            yield f"Required step {index} of {len(steps)} did not happen after those before it: {_found(step, spans)}"
            return


def unpaired_steps(steps: Sequence[WantedStep], spans: Sequence[Span]) -> Iterable[str]:
    """Say how many steps have no span of their own, in any order, where as many as possible have one."""
    options = [list(_places(step, spans)) for step in steps]
    missing = [index for index, partner in enumerate(maximum_matching(options, len(spans))) if partner is None]
    if missing:
        first = _found(steps[missing[0]], spans)
        yield f"{len(missing)} of {len(steps)} required steps have no span of their own; step {missing[0]}: {first}"


def _taken(step: WantedStep, left: Iterator[Span]) -> bool:
    """Whether the step happens in what is *left*, which is read up to the span that ends it."""
    if step.status == "error":
        return any(step.names(span) and span.errored for span in left)
    if step.status == "failed_then_ok" and not any(step.names(span) and span.errored for span in left):
        return False
    return any(step.names(span) and _is_ok(span) for span in left)


def _places(step: WantedStep, spans: Sequence[Span]) -> Iterator[int]:
    failed = False
    for place, span in enumerate(spans):
        if not step.names(span):
            continue
        recovered = _is_ok(span) and (failed or step.status == "ok")
        if span.errored if step.status == "error" else recovered:
            yield place
        failed = failed or span.errored


def _is_ok(span: Span) -> bool:
    return span.ended and not span.errored


def _found(step: WantedStep, spans: Sequence[Span]) -> str:
    same = [span for span in spans if step.names(span)]
    unfit = sum(not _is_ok(span) for span in same)
    wanted = "" if step.status == "ok" else f" It is to end as {step.status} says."
    return f"{len(same)} spans have its kind and name, {unfit} of them ended in error or did not end.{wanted}"


def missing_handoffs(declared: Counter[tuple[str, str]], spans: Sequence[Span], *, only_ok: bool) -> Iterable[str]:
    """Say how many of the declared handoffs, counted as often as declared, are not recorded in any order."""
    handoffs = [span for span in spans if span.kind is SpanKind.HANDOFF and (_is_ok(span) or not only_ok)]
    recorded = Counter((span.source_agent, span.target_agent) for span in handoffs)
    missing = sum(max(0, count - recorded[ends]) for ends, count in declared.items())
    if missing:
        ended = " as ended without error" if only_ok else ""
        yield f"{missing} of {declared.total()} declared handoffs are not recorded{ended}."


def failed_handoffs(declared: Counter[tuple[str, str]], spans: Sequence[Span]) -> str:
    """Say how many recorded handoffs of those declared ended in error; nothing where none did."""
    ends = [(span.source_agent, span.target_agent) for span in spans if span.kind is SpanKind.HANDOFF and span.errored]
    count = sum(each in declared for each in ends)
    return f" {count} recorded handoffs ended in error." if count else ""
