"""The HTTP API as the gateway calls it: events with verified claims in, answers out."""

import base64
import json
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count
from typing import Any

from evalbook.adapters.dynamodb.answers import DynamoDbAnswers
from evalbook.adapters.dynamodb.calibrations import DynamoDbCalibrations
from evalbook.adapters.dynamodb.sandbox import DynamoDbSandbox
from evalbook.api.application import Application
from evalbook.api.declarations import api_document, every_route, groups
from evalbook.api.openapi import problem_codes
from evalbook.api.problems import ApiCode
from evalbook.api.route_table import Scope, declared, find
from evalbook.api.routes.actions import ActionRoutes
from evalbook.api.routes.budgets import BudgetRoutes
from evalbook.api.routes.calibrations import CalibrationRoutes
from evalbook.api.routes.fixtures import FixtureRoutes
from evalbook.api.routes.implementations import CatalogRoutes
from evalbook.api.routes.models import ModelRoutes
from evalbook.api.routes.rubrics import RubricRoutes
from evalbook.api.routes.sandbox import SandboxRoutes
from evalbook.api.routes.scorers import ScorerRoutes
from evalbook.judges.catalog import read_catalog
from evalbook.observability import report_failure
from evalbook.services.budgets.ledger import BudgetLedger, LedgerSettings
from evalbook.services.budgets.project_budgets import ProjectBudgets
from evalbook.services.calibration.staleness import StalenessCheck
from evalbook.services.judging.gateway import Catalogs
from evalbook.services.judging.models import Models
from evalbook.services.registry.idempotency import Idempotency
from evalbook.services.sandbox.judged_runs import SandboxJudges
from evalbook.services.sandbox.ports import CaseGroup
from evalbook.services.sandbox.runs import Clocks, Sandbox
from tests.fakes.calibrations import CalibrationsHere
from tests.fakes.catalogs import FixedCatalog
from tests.fakes.judge_runs import CATALOG, MemoryJudgeRunRecords
from tests.fakes.ledger import MemoryLedger
from tests.fakes.registry import RegistryHouse

EVERY_SCOPE = " ".join(Scope)
SANDBOX_CAP = 1_000_000
CATALOGS = FixedCatalog(read_catalog(json.dumps(CATALOG).encode()))


@dataclass
class MemoryWorkQueue:
    """A `WorkQueue` that keeps what it takes."""

    groups: list[CaseGroup] = field(default_factory=list)

    def send(self, groups):
        self.groups += groups


class EveryModel:
    """A `ModelCatalog` that confirms every model."""

    def problems(self, *_):
        return ()


@dataclass
class Answer:
    """An answer: its status, headers and body."""

    status: int
    headers: dict[str, str]
    text: str

    @property
    def json(self) -> Any:
        return json.loads(self.text)

    @property
    def code(self) -> str:
        assert self.headers["Content-Type"] == "application/problem+json"
        assert self.json["status"] == self.status
        return self.json["code"]


@dataclass
class Token:
    """The claims of a token."""

    scope: str = EVERY_SCOPE
    org: str = "acme"
    projects: str = "support"
    sub: str = "ann"

    def claims(self) -> dict[str, str]:
        return {"sub": self.sub, "org": self.org, "projects": self.projects, "scope": self.scope, "exp": "1900000000"}


class HttpApi:
    """All functions of the API over the house's tables."""

    def __init__(self, house: RegistryHouse, runs_a_minute: int = 1_000, catalogs: Catalogs | None = CATALOGS) -> None:
        self.house = house
        self.queue = MemoryWorkQueue()
        self.now = "2026-11-30T12:00:00Z"
        self.money = MemoryLedger()
        self.ledger = BudgetLedger(self.money, LedgerSettings(False, self.milliseconds, lambda: 1_000))
        self.records, self.catalogs = MemoryJudgeRunRecords(), catalogs
        ids, idempotency = count(1), Idempotency(DynamoDbAnswers(house.table))
        self.sandbox = Sandbox(
            scorers=house.scorers,
            store=DynamoDbSandbox(house.table),
            queue=self.queue,
            worker=house.worker,
            moments=Clocks(lambda: self.now, lambda: 0.0),
            new_id=lambda: f"run-{next(ids)}",
            runs_a_minute=runs_a_minute,
            judges=SandboxJudges(self.ledger, self.records, SANDBOX_CAP),
        )
        self.calibrations = CalibrationsHere(house.scorers.store, DynamoDbCalibrations(house.table), lambda: self.now)
        registry = [
            CatalogRoutes(api_document),
            ActionRoutes(house.judges, house.reviews),
            ScorerRoutes(house.scorers, house.activations, house.preview),
            FixtureRoutes(house.fixtures),
            RubricRoutes(house.rubrics),
            ModelRoutes(Models(catalogs)),
        ]
        budgets = ProjectBudgets(self.ledger, self.milliseconds, lambda: f"drawn-{next(ids)}")
        calibrations = CalibrationRoutes(self.calibrations.use_case, StalenessCheck(house.scorers.store))
        self._functions = {
            "Registry": Application(registry, idempotency, report_failure, every_route),
            "Sandbox": Application([SandboxRoutes(self.sandbox), BudgetRoutes(budgets)], idempotency, report_failure),
            "Calibrations": Application([calibrations], idempotency, report_failure),
        }

    def milliseconds(self) -> int:
        return int(datetime.fromisoformat(self.now).timestamp()) * 1_000

    def __call__(self, method, path, body=None, *, token=Token(), headers=None, query=None, raw=None) -> Answer:  # noqa: B008  (never changed)
        text = raw if raw is not None else None if body is None else json.dumps(body)
        answer = self.send(event(method, path, text, token.claims(), headers=headers, query=query))
        return Answer(answer["statusCode"], answer["headers"], answer["body"])

    def send(self, sent: dict[str, Any]) -> dict[str, Any]:
        route, function = self._serving(sent["requestContext"]["http"]["method"], sent["rawPath"])
        answer = self._functions[function](sent, None)
        if answer["statusCode"] >= 400 and route is not None:
            code = json.loads(answer["body"])["code"]
            assert code in [*problem_codes(route), ApiCode.INTERNAL_ERROR], f"{route.name} does not declare {code}"
        return answer

    def _serving(self, method, path):
        """The route of a request and the function of the template that serves it: one gets what no route serves."""
        for group in groups():
            if route := find(declared(group).values(), method, path):
                return route, group.function
        return None, "Registry"


def event(method, path, text=None, claims=None, *, headers=None, query=None):
    """An event of an HTTP API gateway, payload format 2.0."""
    body = text
    if isinstance(text, bytes):
        body = base64.b64encode(text).decode()
    return {
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": path,
        "rawQueryString": "&".join(f"{name}={value}" for name, value in (query or {}).items()),
        **({"queryStringParameters": query} if query else {}),
        "headers": {"Content-Type": "application/json", **(headers or {})},
        "requestContext": {
            "stage": "$default",
            "http": {"method": method, "path": path},
            **({"authorizer": {"jwt": {"claims": claims, "scopes": None}}} if claims is not None else {}),
        },
        **({"body": body} if body is not None else {}),
        "isBase64Encoded": isinstance(text, bytes),
    }
