"""The registry's use cases over a table in memory (moto), scored in this process."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from uuid import uuid4

import boto3
from moto import mock_aws

from evalbook.adapters.dynamodb.actions import DynamoDbActions
from evalbook.adapters.dynamodb.fixtures import DynamoDbFixtures
from evalbook.adapters.dynamodb.rubrics import DynamoDbRubrics
from evalbook.adapters.dynamodb.scorers import DynamoDbScorers
from evalbook.adapters.dynamodb.table import Table
from evalbook.domain.outcome import Grade
from evalbook.domain.records import Project
from evalbook.services.calibration.ports import CalibrationStore
from evalbook.services.governance.judge_activation import JudgeActivations
from evalbook.services.governance.preconditions import Preconditions
from evalbook.services.governance.resume import ResumeActions
from evalbook.services.governance.review import Reviews
from evalbook.services.governance.store import ActionStore
from evalbook.services.governance.workflow import ActionWorkflow
from evalbook.services.judging.gateway import Catalogs, ConfirmedModels
from evalbook.services.registry.activation import Activations
from evalbook.services.registry.fixtures import Fixtures
from evalbook.services.registry.ports import Clock, ModelCatalog
from evalbook.services.registry.prompt_preview import PromptPreview
from evalbook.services.registry.rubrics import Rubrics
from evalbook.services.registry.scorers import Scorers
from evalbook.services.registry.version_check import VersionsCheck
from evalbook.services.scoring.worker import Job

PROJECT = Project("acme", "support")
BOUNDARY = "0123456789abcdef" * 2


class HereAndNow:
    """A `Worker` in this process, without time limits: it starts `room` items a run, all by default."""

    def __init__(self) -> None:
        self.room = 10**9

    def run(self, job: Job, **_: object) -> Iterator[tuple[int, bytes]]:
        decided: Mapping[int, Grade] = {}

        def mark(index: int, limit_ms: int) -> None:
            if index >= self.room:
                raise _NoRoomError

        try:
            yield from job.results(0, decided, mark)
        except _NoRoomError:
            return


class _NoRoomError(Exception):
    pass


@dataclass
class RegistryHouse:
    """All use cases of the registry over one table."""

    client: object
    name: str
    table: Table
    worker: HereAndNow
    scorers: Scorers
    fixtures: Fixtures
    activations: Activations
    rubrics: Rubrics
    preview: PromptPreview
    judges: JudgeActivations
    resume: ResumeActions
    reviews: Reviews


KEYS = ("pk", "sk", "due_kind", "due_at")


def _schema(partition, order):
    return [{"AttributeName": partition, "KeyType": "HASH"}, {"AttributeName": order, "KeyType": "RANGE"}]


def create_table(client, name="registry"):
    client.create_table(
        TableName=name,
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": each, "AttributeType": "S"} for each in KEYS],
        KeySchema=_schema("pk", "sk"),
        GlobalSecondaryIndexes=[
            {
                "IndexName": "due",
                "KeySchema": _schema("due_kind", "due_at"),
                "Projection": {"ProjectionType": "KEYS_ONLY"},
            }
        ],
    )


@contextmanager
def dynamodb() -> Iterator[object]:
    """A client of a DynamoDB in memory; opening one takes half a second, so share it and make tables."""
    with mock_aws():
        yield boto3.client("dynamodb", "eu-west-1", aws_access_key_id="testing", aws_secret_access_key="testing")


@dataclass(frozen=True)
class Outside:
    """What a house has from outside: who confirms models, the gateway's catalogs, the time, what was calibrated."""

    models: ModelCatalog | None = None
    catalogs: Catalogs | None = None
    clock: Clock | None = None
    calibrations: CalibrationStore | None = None
    wrap_actions: Callable[[ActionStore], ActionStore] = lambda store: store


def registry_house(client: object, models: ModelCatalog | None = None) -> RegistryHouse:
    """The use cases over a new table."""
    name = f"registry-{uuid4()}"
    create_table(client, name)
    return house_over(client, name, Outside(models))


def governed_house(client: object, outside: Outside) -> RegistryHouse:
    """The use cases over a new table, with what governed actions take from outside."""
    name = f"registry-{uuid4()}"
    create_table(client, name)
    return house_over(client, name, outside)


def house_over(client, name, outside=Outside()):
    table, worker, seconds = Table(client, name), HereAndNow(), count()
    rubric_store, scorer_store = DynamoDbRubrics(table), DynamoDbScorers(table)
    confirmed = outside.models or (outside.catalogs and ConfirmedModels(outside.catalogs))

    def ticking() -> str:
        return f"2026-11-30T12:00:{next(seconds) % 60:02d}Z"

    clock = outside.clock or ticking
    scorers = Scorers(scorer_store, VersionsCheck(worker, rubric_store, confirmed), clock)
    fixtures = Fixtures(scorers, DynamoDbFixtures(table), worker)
    preconditions = Preconditions(scorer_store, rubric_store, outside.catalogs)
    course = ActionWorkflow(outside.wrap_actions(DynamoDbActions(table)), scorer_store, preconditions, clock)
    return RegistryHouse(
        client,
        name,
        table,
        worker,
        scorers,
        fixtures,
        Activations(fixtures),
        Rubrics(rubric_store, clock),
        PromptPreview(scorers, lambda: BOUNDARY),
        JudgeActivations(course, scorers, lambda: f"{next(seconds):04d}"),
        ResumeActions(course),
        Reviews(scorer_store, rubric_store, outside.calibrations),
    )
