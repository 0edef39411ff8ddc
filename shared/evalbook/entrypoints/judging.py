"""The composition root of judging: settings to adapters to the steps of a judge run, ready to be called."""

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from evalbook import observability
from evalbook.adapters import aws_clients
from evalbook.adapters.dynamodb.budgets import DynamoDbLedger
from evalbook.adapters.dynamodb.judge_runs import DynamoDbJudgeRunRecords
from evalbook.adapters.dynamodb.rubrics import DynamoDbRubrics
from evalbook.adapters.dynamodb.table import Table
from evalbook.adapters.dynamodb.versions import DynamoDbVersions
from evalbook.adapters.s3.bodies import S3Bodies
from evalbook.adapters.s3.judge_run_texts import S3JudgeRunBodies
from evalbook.adapters.sqs.messages import SqsDeadLetters, SqsQueue
from evalbook.adapters.stepfunctions import SfnExecutions
from evalbook.domain.errors import EvalBookError, Retryable
from evalbook.domain.versions import JUDGE
from evalbook.entrypoints.parts import judge_run_launcher, milliseconds
from evalbook.entrypoints.scoring import traces_component
from evalbook.entrypoints.settings import (
    DispatchSettings,
    GatewayClientSettings,
    JudgeRunSettings,
    PrepareSettings,
    PublishSettings,
    SweepSettings,
)
from evalbook.jsonio.values import Json
from evalbook.services.budgets.ledger import BudgetLedger, LedgerSettings
from evalbook.services.budgets.sweeper import Sweeper, SweepRules
from evalbook.services.judging.aggregate import AggregateJudgeRun, PublishJudgeRun
from evalbook.services.judging.ask import AskJudgeRun, AskRequest
from evalbook.services.judging.dispatch import DispatchJudgeRuns
from evalbook.services.judging.gateway import CachedCatalogs
from evalbook.services.judging.planner import Planner
from evalbook.services.judging.ports import BodyRef
from evalbook.services.judging.prepare import PrepareJudgeRun
from evalbook.services.judging.stores import JudgeRunStores
from evalbook.services.scoring.consumer import Summary
from evalbook.services.scoring.ports import Message
from evalbook.services.scoring.version_lookup import VersionLookup

Event = Mapping[str, Any]
Step = Callable[[Event], dict[str, Json]]

BOUNDARY_BYTES: Final = 16
_CATALOG_SECONDS: Final = 60
_SWEPT_AT_ONCE: Final = 500
_RESUMED_AT_ONCE: Final = 20

_random = secrets.SystemRandom()


class StepRetryable(EvalBookError):
    """A step did not succeed, and nothing is lost by taking it again."""


class StepFailed(EvalBookError):
    """A step cannot succeed; says the kind of the fault only, since executions keep what they are told."""


@dataclass(frozen=True, slots=True)
class Dispatch:
    """The function of the judge queue."""

    use_case: DispatchJudgeRuns
    dead: SqsDeadLetters

    def __call__(self, messages: Sequence[Message], seconds_left: Callable[[], float]) -> Summary:
        """Dispatch what the queue delivered, and report it."""
        started = time.monotonic()
        summary = self.use_case.handle(messages, self.dead, seconds_left)
        observability.report(summary, JUDGE, (time.monotonic() - started) * 1_000)
        return summary


def dispatch() -> Dispatch:
    """The function that starts a judge run for every case."""
    settings = DispatchSettings.read()
    use_case = DispatchJudgeRuns(
        versions=VersionLookup(DynamoDbVersions(aws_clients.dynamodb(), settings.registry_table), JUDGE),
        bodies=S3Bodies(aws_clients.s3, settings.bodies_bucket),
        launcher=judge_run_launcher(settings.judge_runs_bucket, settings.machine_arn, redrives=settings.redrives),
        results=SqsQueue(aws_clients.sqs(), settings.results_queue_url),
        queue=SqsQueue(aws_clients.sqs(), settings.queue_url),
    )
    return Dispatch(use_case, SqsDeadLetters(aws_clients.sqs(), settings.dead_queue_url))


def prepare() -> Step:
    """The judge run's first step."""
    # Lazily: the other steps make no HTTP requests and would pay for the client at every start.
    from evalbook.adapters.http.catalog import HttpxCatalogs  # noqa: PLC0415
    from evalbook.adapters.secrets_manager import SecretToken  # noqa: PLC0415

    settings = PrepareSettings.read()
    catalogs = HttpxCatalogs(settings.sso_url, SecretToken(aws_clients.secrets_manager(), settings.sso_secret))
    stores = _stores(settings)
    planner = Planner(
        versions=DynamoDbVersions(aws_clients.dynamodb(), settings.registry_table),
        rubrics=DynamoDbRubrics(Table(aws_clients.dynamodb(), settings.registry_table)),
        catalogs=CachedCatalogs(catalogs, time.monotonic, _CATALOG_SECONDS),
        traces=traces_component(settings.traces_url, settings.traces_secret),
        bodies=stores.bodies,
        boundary=partial(secrets.token_hex, BOUNDARY_BYTES),
    )
    faults = observability.report_ledger_fault
    use_case = PrepareJudgeRun(stores, planner, _ledger(settings), milliseconds, _random.random, faults)
    return _guarded("prepare", lambda event: use_case.run(event["judge_run_id"], _job(event), event["attempt"]))


def ask() -> Step:
    """The step that asks once."""
    from evalbook.adapters.http.gateway import GatewayAddress, HttpxGateway  # noqa: PLC0415
    from evalbook.adapters.secrets_manager import SecretToken  # noqa: PLC0415

    settings = GatewayClientSettings.read()
    gateway = HttpxGateway(
        GatewayAddress(settings.sso_url, settings.gateway_replays),
        SecretToken(aws_clients.secrets_manager(), settings.sso_secret),
    )
    faults = observability.report_ledger_fault
    use_case = AskJudgeRun(_stores(settings), gateway, _ledger(settings), milliseconds, faults)
    return _guarded(
        "ask",
        lambda event: use_case.run(
            AskRequest(event["judge_run_id"], _job(event), event["repeat"], event["deadline_at"])
        ),
    )


def aggregate() -> Step:
    """The step that makes one result of the answers."""
    settings = JudgeRunSettings.read()
    use_case = AggregateJudgeRun(_stores(settings), _ledger(settings))
    return _guarded("aggregate", lambda event: use_case.run(event["judge_run_id"], _job(event)))


def publish() -> Step:
    """The step that sends the result."""
    settings = PublishSettings.read()
    bodies = S3JudgeRunBodies(aws_clients.s3, settings.judge_runs_bucket)
    stores = JudgeRunStores(bodies, DynamoDbJudgeRunRecords(aws_clients.dynamodb(), settings.results_table))
    use_case = PublishJudgeRun(stores, SqsQueue(aws_clients.sqs(), settings.results_queue_url))
    return _guarded("publish", lambda event: use_case.run(event["judge_run_id"], _job(event)))


def sweep() -> Step:
    """The function that puts right what crashes left behind."""
    settings = SweepSettings.read()
    terms = SweepRules(milliseconds, settings.grace_ms, _SWEPT_AT_ONCE)
    sweeper = Sweeper(DynamoDbLedger(aws_clients.dynamodb(), settings.budgets_table), terms)
    executions = SfnExecutions(aws_clients.stepfunctions(), settings.machine_arn, redrives=settings.redrives)

    def run(_: Event) -> dict[str, Json]:
        swept = sweeper.run()
        return {
            "released": swept.released,
            "in_doubt": swept.in_doubt,
            "postponed": swept.postponed,
            "resumed": executions.resume_failed(_RESUMED_AT_ONCE),
        }

    return _guarded("sweep", run)


def _stores(settings: JudgeRunSettings) -> JudgeRunStores:
    bodies = S3JudgeRunBodies(aws_clients.s3, settings.judge_runs_bucket)
    records = DynamoDbJudgeRunRecords(aws_clients.dynamodb(), settings.results_table, settings.results_retention_days)
    return JudgeRunStores(bodies, records)


def _ledger(settings: JudgeRunSettings) -> BudgetLedger:
    terms = LedgerSettings(settings.gateway_replays, milliseconds, lambda: _random.randint(1_000, 5_000))
    return BudgetLedger(DynamoDbLedger(aws_clients.dynamodb(), settings.budgets_table), terms)


def _guarded(name: str, step: Step) -> Step:
    """Return *step*, letting no error out that could quote what it worked on."""

    def run(event: Event) -> dict[str, Json]:
        try:
            return step(event)
        except Retryable as error:
            raise StepRetryable(f"{name}: {error}") from None
        except Exception as error:  # noqa: BLE001  (its message may quote a case, and executions keep it)
            raise StepFailed(f"{name}: {type(error).__name__}") from None

    return run


def _job(event: Event) -> BodyRef:
    return BodyRef(event["job"]["key"], event["job"]["sha256"])
