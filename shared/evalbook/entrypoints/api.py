"""The composition root of the HTTP API: settings to adapters to use cases to routes."""

import secrets
import time
from typing import Final
from uuid import uuid4

from evalbook.adapters import aws_clients
from evalbook.adapters.dynamodb.answers import DynamoDbAnswers
from evalbook.adapters.dynamodb.calibrations import DynamoDbCalibrations
from evalbook.adapters.dynamodb.fixtures import DynamoDbFixtures
from evalbook.adapters.dynamodb.judge_runs import DynamoDbJudgeRunRecords
from evalbook.adapters.dynamodb.rubrics import DynamoDbRubrics
from evalbook.adapters.dynamodb.sandbox import DynamoDbSandbox
from evalbook.adapters.dynamodb.scorers import DynamoDbScorers
from evalbook.adapters.dynamodb.table import Table
from evalbook.adapters.sqs.messages import SqsQueue
from evalbook.adapters.sqs.sandbox_queue import SandboxQueue
from evalbook.api.application import Application
from evalbook.api.declarations import api_document, every_route
from evalbook.api.routes.actions import ActionRoutes
from evalbook.api.routes.budgets import BudgetRoutes
from evalbook.api.routes.fixtures import FixtureRoutes
from evalbook.api.routes.implementations import CatalogRoutes
from evalbook.api.routes.models import ModelRoutes
from evalbook.api.routes.rubrics import RubricRoutes
from evalbook.api.routes.sandbox import SandboxRoutes
from evalbook.api.routes.scorers import ScorerRoutes
from evalbook.entrypoints import scoring
from evalbook.entrypoints.governance import action_course, gateway_catalogs
from evalbook.entrypoints.parts import budget_ledger, judge_run_launcher, milliseconds, now
from evalbook.entrypoints.settings import (
    RegistrySettings,
    SandboxApiSettings,
    SandboxSettings,
    SandboxWorkerSettings,
)
from evalbook.observability import report_failure
from evalbook.services.budgets.project_budgets import ProjectBudgets
from evalbook.services.governance.judge_activation import JudgeActivations
from evalbook.services.governance.review import Reviews
from evalbook.services.judging.gateway import Catalogs, ConfirmedModels
from evalbook.services.judging.models import Models
from evalbook.services.registry.activation import Activations
from evalbook.services.registry.fixtures import Fixtures
from evalbook.services.registry.idempotency import Idempotency
from evalbook.services.registry.prompt_preview import PromptPreview
from evalbook.services.registry.rubrics import Rubrics
from evalbook.services.registry.scorers import Scorers
from evalbook.services.registry.version_check import VersionsCheck
from evalbook.services.sandbox.deferred_cases import SandboxWork
from evalbook.services.sandbox.judged_runs import SandboxJudges
from evalbook.services.sandbox.runs import Clocks, Sandbox
from evalbook.services.scoring.worker import Worker

_BOUNDARY_BYTES: Final = 16
_ID_BYTES: Final = 8


def registry() -> Application:
    """The routes about scorers, versions, fixtures, rubrics and models."""
    settings = RegistrySettings.read()
    worker = scoring.started_worker(settings.worker_memory_mb)
    table = Table(aws_clients.dynamodb(), settings.registry_table)
    catalogs = gateway_catalogs(settings)
    scorers = _scorers(table, worker, catalogs)
    fixtures = Fixtures(scorers, DynamoDbFixtures(table), worker)
    reviews = Reviews(scorers.store, DynamoDbRubrics(table), DynamoDbCalibrations(table))
    groups = [
        CatalogRoutes(api_document),
        ScorerRoutes(scorers, Activations(fixtures), PromptPreview(scorers, _boundary)),
        ActionRoutes(_activations(table, scorers, catalogs), reviews),
        FixtureRoutes(fixtures),
        RubricRoutes(Rubrics(DynamoDbRubrics(table), now)),
        ModelRoutes(Models(catalogs)),
    ]
    return Application(groups, Idempotency(DynamoDbAnswers(table)), report_failure, every_route)


def sandbox_api() -> Application:
    """The routes about sandbox runs and budgets."""
    settings = SandboxApiSettings.read()
    worker = scoring.started_worker(settings.worker_memory_mb)
    kept, ledger = Table(aws_clients.dynamodb(), settings.sandbox_table), budget_ledger(settings.budgets_table)
    records = DynamoDbJudgeRunRecords(aws_clients.dynamodb(), settings.results_table)
    runs = Sandbox(
        scorers=_scorers(Table(aws_clients.dynamodb(), settings.registry_table), worker, gateway_catalogs(settings)),
        store=DynamoDbSandbox(kept),
        queue=_queue(settings),
        worker=worker,
        moments=Clocks(now, time.monotonic),
        new_id=_new_id,
        runs_a_minute=settings.runs_a_minute,
        judges=SandboxJudges(ledger, records, settings.budget_limit),
        traces=scoring.traces_component(settings.traces_url, settings.traces_secret),
    )
    groups = [SandboxRoutes(runs), BudgetRoutes(ProjectBudgets(ledger, milliseconds, _new_id))]
    return Application(groups, Idempotency(DynamoDbAnswers(kept)), report_failure)


def sandbox_worker() -> SandboxWork:
    """The function that scores what sandbox runs left over, and starts their judge runs."""
    settings = SandboxWorkerSettings.read()
    worker = scoring.started_worker(settings.worker_memory_mb)
    kept = Table(aws_clients.dynamodb(), settings.sandbox_table)
    traces = scoring.traces_component(settings.traces_url, settings.traces_secret)
    launcher = judge_run_launcher(settings.judge_runs_bucket, settings.machine_arn, redrives=settings.redrives)
    return SandboxWork(DynamoDbSandbox(kept), _queue(settings), worker, launcher, traces)


def _scorers(table: Table, worker: Worker, catalogs: Catalogs | None = None) -> Scorers:
    models = None if catalogs is None else ConfirmedModels(catalogs)
    check = VersionsCheck(worker, DynamoDbRubrics(table), models)
    return Scorers(DynamoDbScorers(table), check, now)


def _activations(table: Table, scorers: Scorers, catalogs: Catalogs | None) -> JudgeActivations:
    course = action_course(table, catalogs, scorers.clock)
    return JudgeActivations(course, scorers, lambda: secrets.token_hex(_ID_BYTES))


def _queue(settings: SandboxSettings) -> SandboxQueue:
    return SandboxQueue(SqsQueue(aws_clients.sqs(), settings.sandbox_queue_url))


def _new_id() -> str:
    return str(uuid4())


def _boundary() -> str:
    return secrets.token_hex(_BOUNDARY_BYTES)
