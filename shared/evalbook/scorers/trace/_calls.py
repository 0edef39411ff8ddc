"""The tool calls that a trace records: executed ones only, several records of one call taken together."""

from collections.abc import Callable, Collection, Mapping, Sequence

from evalbook.domain.outcome import Code, EarlyOutcome, failed, unsupported
from evalbook.domain.span import Span, SpanKind, Trace
from evalbook.jsonio.values import ABSENT, Json


def executed_spans(trace: Trace) -> Sequence[Span]:
    """The spans of *trace* that were executed, in start order, each tool call as one span.

    Records with the same call_id and name are one call, such as an agent's record of it and a tool server's.
    """
    records: dict[object, list[Span]] = {}
    for place, span in enumerate(trace.spans):
        if span.executed:
            # Whatever has no call_id stands for itself; its place, a number, is no call's key.
            one_call = span.kind is SpanKind.TOOL and span.call_id is not None
            records.setdefault((span.call_id, span.name) if one_call else place, []).append(span)
    return [found[0] if len(found) == 1 else _as_one(found) for found in records.values()]


def tool_calls(trace: Trace) -> Sequence[Span]:
    """The tool calls of *trace* that were executed, in start order."""
    return [span for span in executed_spans(trace) if span.kind is SpanKind.TOOL]


def _as_one(records: list[Span]) -> Span:
    """One span for *records* of a call: where they differ, the one that is the harder to satisfy.

    It has ended without error only if all of them have. Its arguments are the first that were kept, those that are not
    empty before the others: one of the recorders may leave out what the other keeps.
    """
    kept = sorted((span.arguments for span in records if span.arguments is not ABSENT), key=len, reverse=True)
    return records[0]._replace(
        errored=any(span.errored for span in records),
        ended=all(span.ended for span in records),
        arguments=kept[0] if kept else ABSENT,
    )


def fail_if_forbidden(calls: Collection[Span], is_forbidden: Callable[[str], bool]) -> None:
    """End the scorer with a fail where one of *calls* is to a forbidden tool, also one that ended in error."""
    count = sum(is_forbidden(call.name) for call in calls)
    if count:
        raise EarlyOutcome(failed(f"{count} of {len(calls)} tool calls are to a forbidden tool."))


def kept_arguments(calls: Sequence[Span]) -> list[Mapping[str, Json]]:
    """Return the arguments of all *calls*: one without them leaves the case undecided, whatever the others are like.

    T-03 speaks of the case and G-08 puts unsupported before fail, so neither a call that satisfies the rules (`any`)
    nor one that breaks them (`all`) decides while another's arguments are unknown.
    """
    kept = [call.arguments for call in calls if call.arguments is not ABSENT]
    if len(kept) < len(calls):
        message = f"The arguments of {len(calls) - len(kept)} of {len(calls)} calls of the tool were not kept."
        raise EarlyOutcome(unsupported(Code.ARGUMENTS_UNAVAILABLE, message))
    return kept
