"""What of a trajectory's required steps and declared handoffs a trace does not record."""

from collections import Counter
from collections.abc import Iterable, Sequence

from evalbook.domain.span import Span, SpanKind


def missing_step(steps: Sequence[tuple[str, str]], spans: Sequence[Span]) -> Iterable[str]:
    """Say which step is the first without a span after that of the step before: the earliest span is always right."""
    left = iter(spans)
    for index, step in enumerate(steps):
        if not any(span.ended and not span.errored and (span.kind, span.name) == step for span in left):
            same = sum((span.kind, span.name) == step for span in spans)
            unfit = sum((span.kind, span.name) == step and (span.errored or not span.ended) for span in spans)
            yield (
                f"Required step {index} of {len(steps)} did not happen after those before it: "
                f"{same} spans have its kind and name, {unfit} of them ended in error or did not end."
            )
            return


def missing_handoffs(declared: Counter[tuple[str, str]], spans: Sequence[Span]) -> Iterable[str]:
    """Say how many of the declared handoffs, counted as often as declared, are not recorded in any order."""
    recorded = Counter((span.source_agent, span.target_agent) for span in spans if span.kind is SpanKind.HANDOFF)
    missing = sum(max(0, count - recorded[ends]) for ends, count in declared.items())
    if missing:
        yield f"{missing} of {declared.total()} declared handoffs are not recorded."
