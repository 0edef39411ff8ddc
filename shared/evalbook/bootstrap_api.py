"""The composition root of the HTTP API: settings to adapters to use cases to routes."""

import secrets
import time
from typing import Final
from uuid import uuid4

from evalbook import bootstrap
from evalbook.action_bootstrap import action_course, gateway_catalogs
from evalbook.adapters import aws
from evalbook.adapters.dynamodb_answers import DynamoDbAnswers
from evalbook.adapters.dynamodb_calibrations import DynamoDbCalibrations
from evalbook.adapters.dynamodb_fixtures import DynamoDbFixtures
from evalbook.adapters.dynamodb_panels import DynamoDbPanelRecords
from evalbook.adapters.dynamodb_rubrics import DynamoDbRubrics
from evalbook.adapters.dynamodb_sandbox import DynamoDbSandbox
from evalbook.adapters.dynamodb_scorers import DynamoDbScorers
from evalbook.adapters.dynamodb_table import Table
from evalbook.adapters.sandbox_queue import SandboxQueue
from evalbook.adapters.sqs_queue import SqsQueue
from evalbook.api.action_routes import ActionRoutes
from evalbook.api.application import Application, resolver
from evalbook.api.budget_routes import BudgetRoutes
from evalbook.api.catalog_routes import CatalogRoutes
from evalbook.api.everything import api_document
from evalbook.api.fixture_routes import FixtureRoutes
from evalbook.api.model_routes import ModelRoutes
from evalbook.api.rubric_routes import RubricRoutes
from evalbook.api.sandbox_routes import SandboxRoutes
from evalbook.api.scorer_routes import ScorerRoutes
from evalbook.bootstrap_parts import budget_books, milliseconds, now, panel_launcher
from evalbook.services.action_review import Reviews
from evalbook.services.activation import Activations
from evalbook.services.fixtures import Fixtures
from evalbook.services.gateway import Catalogs
from evalbook.services.idempotency import Idempotency
from evalbook.services.job import Worker
from evalbook.services.judge_activations import JudgeActivations
from evalbook.services.model_catalog import ConfirmedModels
from evalbook.services.models import Models
from evalbook.services.project_budgets import ProjectBudgets
from evalbook.services.prompt_preview import PromptPreview
from evalbook.services.rubrics import Rubrics
from evalbook.services.sandbox import Moments, Sandbox
from evalbook.services.sandbox_judges import SandboxJudges
from evalbook.services.sandbox_work import SandboxWork
from evalbook.services.scorers import Scorers
from evalbook.services.versions_check import VersionsCheck
from evalbook.settings import (
    RegistrySettings,
    SandboxApiSettings,
    SandboxSettings,
    SandboxWorkSettings,
)

_BOUNDARY_BYTES: Final = 16
_ID_BYTES: Final = 8


def registry() -> Application:
    """The routes about scorers, versions, fixtures, rubrics and models."""
    settings = RegistrySettings.read()
    worker = bootstrap.started_worker(settings.worker_memory_mb)
    table = Table(aws.dynamodb(), settings.registry_table)
    catalogs, app = gateway_catalogs(settings), resolver()
    scorers = _scorers(table, worker, catalogs)
    fixtures = Fixtures(scorers, DynamoDbFixtures(table), worker)
    CatalogRoutes(app, api_document)
    ScorerRoutes(app, scorers, Activations(fixtures), PromptPreview(scorers, _boundary))
    reviews = Reviews(scorers.store, DynamoDbRubrics(table), DynamoDbCalibrations(table))
    ActionRoutes(app, _activations(table, scorers, catalogs), reviews)
    FixtureRoutes(app, fixtures)
    RubricRoutes(app, Rubrics(DynamoDbRubrics(table), now))
    ModelRoutes(app, Models(catalogs))
    return Application(app, Idempotency(DynamoDbAnswers(table)))


def sandbox() -> Application:
    """The routes about sandbox runs and budgets."""
    settings = SandboxApiSettings.read()
    worker = bootstrap.started_worker(settings.worker_memory_mb)
    app, kept, ledger = resolver(), Table(aws.dynamodb(), settings.sandbox_table), budget_books(settings.budgets_table)
    records = DynamoDbPanelRecords(aws.dynamodb(), settings.results_table)
    runs = Sandbox(
        scorers=_scorers(Table(aws.dynamodb(), settings.registry_table), worker, gateway_catalogs(settings)),
        store=DynamoDbSandbox(kept),
        queue=_queue(settings),
        worker=worker,
        moments=Moments(now, time.monotonic),
        new_id=_new_id,
        runs_a_minute=settings.runs_a_minute,
        judges=SandboxJudges(ledger, records, settings.budget_limit),
        traces=bootstrap.traces_component(settings.traces_url, settings.traces_secret),
    )
    SandboxRoutes(app, runs)
    BudgetRoutes(app, ProjectBudgets(ledger, milliseconds, _new_id))
    return Application(app, Idempotency(DynamoDbAnswers(kept)))


def sandbox_work() -> SandboxWork:
    """The function that scores what sandbox runs left over, and starts their panels."""
    settings = SandboxWorkSettings.read()
    worker = bootstrap.started_worker(settings.worker_memory_mb)
    kept = Table(aws.dynamodb(), settings.sandbox_table)
    traces = bootstrap.traces_component(settings.traces_url, settings.traces_secret)
    launcher = panel_launcher(settings.panels_bucket, settings.machine_arn, redrives=settings.redrives)
    return SandboxWork(DynamoDbSandbox(kept), _queue(settings), worker, launcher, traces)


def _scorers(table: Table, worker: Worker, catalogs: Catalogs | None = None) -> Scorers:
    models = None if catalogs is None else ConfirmedModels(catalogs)
    check = VersionsCheck(worker, DynamoDbRubrics(table), models)
    return Scorers(DynamoDbScorers(table), check, now)


def _activations(table: Table, scorers: Scorers, catalogs: Catalogs | None) -> JudgeActivations:
    course = action_course(table, catalogs, scorers.clock)
    return JudgeActivations(course, scorers, lambda: secrets.token_hex(_ID_BYTES))


def _queue(settings: SandboxSettings) -> SandboxQueue:
    return SandboxQueue(SqsQueue(aws.sqs(), settings.sandbox_queue_url))


def _new_id() -> str:
    return str(uuid4())


def _boundary() -> str:
    return secrets.token_hex(_BOUNDARY_BYTES)
