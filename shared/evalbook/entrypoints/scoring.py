"""The composition root: settings to adapters to use cases that are ready to be called."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evalbook import observability
from evalbook.adapters import aws_clients
from evalbook.adapters.dynamodb.versions import DynamoDbVersions
from evalbook.adapters.process.forked_worker import ForkedWorker
from evalbook.adapters.s3.bodies import S3Bodies
from evalbook.adapters.sqs.messages import SqsDeadLetters, SqsQueue
from evalbook.entrypoints.settings import ExhaustedSettings, ScoreSettings
from evalbook.services.scoring.consumer import Summary
from evalbook.services.scoring.ports import Message
from evalbook.services.scoring.retries_exhausted import RETRIES_EXHAUSTED, RetriesExhausted
from evalbook.services.scoring.score_batches import ScoreMessages
from evalbook.services.scoring.version_lookup import VersionLookup
from evalbook.traces.port import Traces

SecondsLeft = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Score:
    """One family's score function."""

    settings: ScoreSettings
    use_case: ScoreMessages
    dead: SqsDeadLetters

    def __call__(self, messages: Sequence[Message], seconds_left: SecondsLeft) -> Summary:
        """Score what the family's queue delivered, and report it."""
        started = time.monotonic()
        summary = self.use_case.handle(messages, self.dead, seconds_left)
        observability.report(summary, self.settings.family, (time.monotonic() - started) * 1_000)
        return summary


@dataclass(frozen=True, slots=True)
class Exhausted:
    """The function of the exhausted queues."""

    settings: ExhaustedSettings
    use_case: RetriesExhausted

    def __call__(self, messages: Sequence[Message], queue_arn: str, seconds_left: SecondsLeft) -> Summary:
        """Give up what one exhausted queue delivered, and report it."""
        started = time.monotonic()
        dead = SqsDeadLetters(aws_clients.sqs(), self.settings.dead_queue_urls[queue_arn])
        summary = self.use_case.handle(messages, dead, seconds_left)
        observability.report(summary, "exhausted", (time.monotonic() - started) * 1_000)
        return summary


def score() -> Score:
    """The score function of the family that the environment names."""
    settings = ScoreSettings.read()
    worker = started_worker(settings.worker_memory_mb)
    use_case = ScoreMessages(
        versions=VersionLookup(DynamoDbVersions(aws_clients.dynamodb(), settings.registry_table), settings.family),
        worker=worker,
        bodies=S3Bodies(aws_clients.s3, settings.bodies_bucket),
        results=SqsQueue(aws_clients.sqs(), settings.results_queue_url),
        queue=SqsQueue(aws_clients.sqs(), settings.queue_url),
        traces=traces_component(settings.traces_url, settings.traces_secret),
    )
    return Score(settings, use_case, SqsDeadLetters(aws_clients.sqs(), settings.dead_queue_url))


def exhausted() -> Exhausted:
    """The function that gives up what was delivered too often."""
    settings = ExhaustedSettings.read()
    worker = started_worker(settings.worker_memory_mb)
    use_case = ScoreMessages(
        versions=VersionLookup(DynamoDbVersions(aws_clients.dynamodb(), settings.registry_table), None),
        worker=worker,
        bodies=S3Bodies(aws_clients.s3, settings.bodies_bucket),
        results=SqsQueue(aws_clients.sqs(), settings.results_queue_url),
        queue=None,
        verdict=RETRIES_EXHAUSTED,
    )
    return Exhausted(settings, RetriesExhausted(use_case))


def traces_component(url: str, secret: str) -> Traces | None:
    """The traces component, where the deployment has one."""
    if not url:
        return None
    # Lazily: without stored traces nobody pays for an HTTP client at start.
    from evalbook.adapters.http.traces import HttpxTraces  # noqa: PLC0415
    from evalbook.adapters.secrets_manager import SecretToken  # noqa: PLC0415

    return HttpxTraces(url, SecretToken(aws_clients.secrets_manager(), secret))


def started_worker(memory_mb: int) -> ForkedWorker:
    """The scoring process, forked before any connection exists that it could inherit."""
    worker = ForkedWorker(memory_mb)
    worker.start()
    return worker
