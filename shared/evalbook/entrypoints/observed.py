"""What every handler declares: how its log lines name the work, whether it counts as a step, and its trace."""

import time
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Final, TypeVar

from evalbook import observability
from evalbook.entrypoints.settings import ObservedSettings

Keys = Callable[[Mapping[str, Any]], Mapping[str, str | int]]
"""Takes a function's event; gives what its log lines say beside the request id: ids and numbers, never payload."""

Answer = TypeVar("Answer")
Handler = Callable[[dict[str, Any], Any], Answer]
"""Takes the event and Lambda's context."""

_STEP_KEYS: Final = ("judge_run_id", "repeat", "attempt")


def nothing(_: Mapping[str, Any]) -> Mapping[str, str | int]:
    """Return no keys: for schedules, and for queues, whose lines name each message's own batch."""
    return {}


def http_request(event: Mapping[str, Any]) -> Mapping[str, str | int]:
    """Return the gateway's id of the request, and the route as it is declared: a path holds what callers write."""
    found = {"api_request_id": event.get("requestContext", {}).get("requestId"), "route": event.get("routeKey")}
    return {name: value for name, value in found.items() if isinstance(value, str)}


def judge_step(event: Mapping[str, Any]) -> Mapping[str, str | int]:
    """Return which judge run a step belongs to, which repeat and which attempt, as far as the step has them."""
    return {name: event[name] for name in _STEP_KEYS if isinstance(event.get(name), str | int)}


def observed(keys: Keys = nothing, *, step: str | None = None) -> Callable[[Handler[Answer]], Handler[Answer]]:
    """Return a decorator for a handler.

    Its log lines carry the request id and *keys*; where it is a *step*, an invocation that succeeds is counted and
    timed under that name; where tracing is on, an invocation is a trace of its own, without arguments and answers.
    """

    def decorate(handler: Handler[Answer]) -> Handler[Answer]:
        traced = observability.traced(handler) if ObservedSettings.read().tracing else handler

        @wraps(handler)
        def run(event: dict[str, Any], context: Any) -> Answer:
            started = time.monotonic()
            with observability.log_context(request_id=context.aws_request_id, **keys(event)):
                answer = traced(event, context)
                if step is not None:
                    observability.report_step(step, (time.monotonic() - started) * 1_000)
                return answer

        return run

    return decorate
