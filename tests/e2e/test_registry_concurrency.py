"""The registry's conditional writes under 32 threads, on the emulator: its conditions are exact under threads."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import boto3
import pytest

from devstack.emulator.emulator import REGION
from devstack.stack import CREDENTIAL
from evalbook.adapters.dynamodb.scorers import DynamoDbScorers
from evalbook.adapters.dynamodb.table import Table
from evalbook.domain.records import AuditStamp, Project, ScorerRecord, VersionDraft

THREADS = 32
PROJECT = Project("acme", "threads")
STAMP = AuditStamp("ann", "2026-11-30T12:00:00Z")


def store(stack):
    session = boto3.Session(CREDENTIAL, CREDENTIAL, region_name=REGION)
    client = session.client("dynamodb", endpoint_url=stack.endpoint)
    return DynamoDbScorers(Table(client, stack.outputs["RegistryTableName"]))


def all_at_once(calls):
    """Make all calls at the same moment, each in a thread of its own; their answers."""
    start = Barrier(len(calls))

    def started(call):
        start.wait()
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return [answer.result() for answer in [pool.submit(started, call) for call in calls]]


@pytest.fixture(scope="module")
def stores(stack):
    return [store(stack) for _ in range(THREADS)]


def draft(name, digest):
    return VersionDraft(PROJECT.scorer(name), "exact_match", "text", "{}", 2_000, digest, "[]", STAMP)


def create(stores, name):
    stores[0].create_scorer(ScorerRecord(PROJECT.scorer(name), "", STAMP))


def test_versions_made_at_once_have_numbers_without_gaps_or_repeats(stores):
    create(stores, "made-at-once")

    numbers = all_at_once(
        [lambda i=i, each=each: each.add_version(draft("made-at-once", f"{i}")) for i, each in enumerate(stores)]
    )

    stored = stores[0].versions(PROJECT.scorer("made-at-once"), 0, 100)
    assert sorted(numbers) == list(range(1, THREADS + 1))
    assert [each.version.number for each in stored] == sorted(numbers)
    assert {each.version.digest for each in stored} == {f"{i}" for i in range(THREADS)}


def test_versions_activated_at_once_leave_exactly_one_active(stores):
    create(stores, "activated-at-once")
    key = PROJECT.scorer("activated-at-once")
    for i in range(THREADS):
        stores[0].add_version(draft("activated-at-once", f"{i}"))
    versions = stores[0].versions(key, 0, 100)

    activations = all_at_once([lambda e=e, v=v: e.activate(v, STAMP) for e, v in zip(stores, versions, strict=True)])

    active = [each.version.number for each in stores[0].versions(key, 0, 100) if each.version.state == "active"]
    recorded = stores[0].activations(key, 0, 100)
    assert active == [stores[0].scorer(key).active] == [recorded[-1].version]
    assert sorted(each.number for each in activations) == list(range(1, THREADS + 1))
    assert list(recorded) == sorted(activations, key=lambda each: each.number)
    assert [each.previous for each in recorded] == [None, *(each.version for each in recorded[:-1])]
