"""Logs and metrics: counts, codes and ids of our own, never a payload."""

import logging
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import asdict
from functools import wraps
from typing import Any, TypeVar

from aws_lambda_powertools import Logger, Metrics
from aws_lambda_powertools.metrics import MetricUnit

from evalbook.services.judging.ports import LedgerFault
from evalbook.services.scoring.consumer import Summary

Answer = TypeVar("Answer")

logger = Logger()

# At DEBUG, which a deployment may choose, the clients would log every request's body: whole cases.
for _name in ("aws_lambda_powertools", "boto3", "botocore", "urllib3"):
    logging.getLogger(_name).setLevel(logging.INFO)


def log_context(**keys: str | int) -> AbstractContextManager[None]:
    """Return a context in which every log line carries *keys*: ids and numbers, never payload."""
    return logger.append_context_keys(**keys)


def traced(handler: Callable[[dict[str, Any], Any], Answer]) -> Callable[[dict[str, Any], Any], Answer]:
    """Return *handler* as a segment of a trace (AWS X-Ray), without its arguments, its answer and its errors' text."""
    # Lazily: the client takes longer to import than a handler's own code, and most deployments trace nothing.
    from aws_lambda_powertools import Tracer  # noqa: PLC0415

    # Nothing is patched: what a client's segment would say of a request is not ours to choose.
    provider = Tracer(auto_patch=False).provider

    @wraps(handler)
    def run(event: dict[str, Any], context: Any) -> Answer:
        with provider.in_subsegment(name=f"## {handler.__name__}") as segment:
            try:
                return handler(event, context)
            except Exception as error:  # noqa: BLE001  (the client would write its text, which may hold payload)
                segment.put_annotation("error", type(error).__name__)
                failure = error
        raise failure

    return run


def report(summary: Summary, family: str, milliseconds: float) -> None:
    """Write one line and one blob of metrics about an invocation; dimension `family`, one metric an outcome."""
    # An empty name keeps the client from adding the service as a second dimension.
    metrics = Metrics(service="")
    metrics.add_dimension("family", family)
    metrics.add_metric("Messages", MetricUnit.Count, summary.messages)
    metrics.add_metric("MessagesFailed", MetricUnit.Count, len(summary.failed))
    metrics.add_metric("MessagesUnreadable", MetricUnit.Count, summary.unreadable)
    metrics.add_metric("MessagesPutBack", MetricUnit.Count, summary.put_back)
    metrics.add_metric("Cases", MetricUnit.Count, summary.outcomes.total())
    metrics.add_metric("Duration", MetricUnit.Milliseconds, milliseconds)
    for outcome, count in sorted(summary.outcomes.items()):
        metrics.add_metric(f"Cases.{outcome}", MetricUnit.Count, count)
    metrics.flush_metrics()
    for message_id, reason in summary.failed.items():
        about = {"message_id": message_id, "reason": reason, "family": family}
        batch = summary.batches.get(message_id)
        logger.warning("a message will be delivered again", extra=about if batch is None else about | asdict(batch))


def report_step(step: str, milliseconds: float) -> None:
    """Write one blob of metrics about a step that was taken; dimension `step`."""
    metrics = Metrics(service="")
    metrics.add_dimension("step", step)
    metrics.add_metric("Steps", MetricUnit.Count, 1)
    metrics.add_metric("StepDuration", MetricUnit.Milliseconds, milliseconds)
    metrics.flush_metrics()


def report_ledger_fault(fault: LedgerFault, about: str) -> None:
    """Write one line and one blob of metrics about a fault, for an alarm; *about* names a call or a judge run."""
    metrics = Metrics(service="")
    metrics.add_dimension("component", "ledger")
    metrics.add_metric("Faults", MetricUnit.Count, 1)
    metrics.flush_metrics()
    logger.error("the ledger and an answer disagree", extra={"fault": fault.value, "about": about})


def report_failure(what: str, error: Exception) -> None:
    """Write one line about what failed: *what* in our own words, and the kind of the error, never its text."""
    logger.error(what, extra={"error": type(error).__name__})
