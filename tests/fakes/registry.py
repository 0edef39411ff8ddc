"""The registry's use cases over a table in memory (moto), scored in this process."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from uuid import uuid4

import boto3
from moto import mock_aws

from evalbook.adapters.dynamodb_fixtures import DynamoDbFixtures
from evalbook.adapters.dynamodb_rubrics import DynamoDbRubrics
from evalbook.adapters.dynamodb_scorers import DynamoDbScorers
from evalbook.adapters.dynamodb_table import Table
from evalbook.outcome import Grade
from evalbook.registry.records import Project
from evalbook.services.activation import Activations
from evalbook.services.fixtures import Fixtures
from evalbook.services.job import Job
from evalbook.services.prompt_preview import PromptPreview
from evalbook.services.registry_ports import ModelCatalog
from evalbook.services.rubrics import Rubrics
from evalbook.services.scorers import Scorers
from evalbook.services.versions_check import VersionsCheck

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


def create_table(client, name="registry"):
    client.create_table(
        TableName=name,
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": each, "AttributeType": "S"} for each in ("pk", "sk")],
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
    )


@contextmanager
def dynamodb() -> Iterator[object]:
    """A client of a DynamoDB in memory; opening one takes half a second, so share it and make tables."""
    with mock_aws():
        yield boto3.client("dynamodb", "eu-west-1", aws_access_key_id="testing", aws_secret_access_key="testing")


def registry_house(client: object, models: ModelCatalog | None = None) -> RegistryHouse:
    """The use cases over a new table."""
    name = f"registry-{uuid4()}"
    create_table(client, name)
    return house_over(client, name, models)


def house_over(client, name, models=None):
    table, worker, seconds = Table(client, name), HereAndNow(), count()
    rubric_store = DynamoDbRubrics(table)

    def clock() -> str:
        return f"2026-11-30T12:00:{next(seconds) % 60:02d}Z"

    scorers = Scorers(DynamoDbScorers(table), VersionsCheck(worker, rubric_store, models), clock)
    fixtures = Fixtures(scorers, DynamoDbFixtures(table), worker)
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
    )
