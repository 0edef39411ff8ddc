import pytest

from evalbook.adapters.dynamodb.versions import DynamoDbVersions
from evalbook.domain.outcome import Outcome
from evalbook.domain.records import AuditStamp
from evalbook.domain.refusals import Declined, DeclineReason
from evalbook.domain.versions import VersionState
from evalbook.services.registry.fixtures import Fixture
from evalbook.services.registry.ports import Page
from evalbook.services.registry.version_check import NewVersion
from tests.fakes.registry import PROJECT

EVERYTHING = Page("", 100)
GOOD = {"case_id": "a", "output": "x", "expected": "x"}


def new_version(house, outcome=Outcome.PASS):
    made = house.scorers.add_version(PROJECT, "s", NewVersion("exact_match", {}), "ann")
    if outcome:
        house.fixtures.replace(PROJECT, "s", made.version.number, [Fixture(GOOD, outcome)])
    return made.version.number


def activate(house, number, by="ann"):
    return house.activations.activate(PROJECT, "s", number, by)


def declined(house, number):
    with pytest.raises(Declined) as caught:
        activate(house, number)
    return caught.value


def states(house):
    return [each.version.state.value for each in house.scorers.versions(PROJECT, "s", EVERYTHING)]


@pytest.fixture(autouse=True)
def scorer(house):
    return house.scorers.create(PROJECT, "s", "", "ann")


def test_a_version_whose_fixtures_agree_becomes_active(house):
    activate(house, new_version(house))

    assert states(house) == ["active"]
    assert house.scorers.get(PROJECT, "s").active == 1


def test_a_version_without_fixtures_does_not(house):
    assert declined(house, new_version(house, None)).reason is DeclineReason.FIXTURES_MISSING
    assert states(house) == ["draft"]


def test_a_version_of_which_one_fixture_disagrees_does_not(house):
    refusal = declined(house, new_version(house, Outcome.FAIL))

    assert refusal.reason is DeclineReason.FIXTURES_DISAGREE
    assert [problem.pointer for problem in refusal.problems] == ["/fixtures/0"]
    assert states(house) == ["draft"]


def test_a_version_whose_fixtures_do_not_finish_does_not(house):
    number = new_version(house)
    house.worker.room = 0

    assert declined(house, number).reason is DeclineReason.FIXTURES_UNFINISHED


def test_the_version_before_retires(house):
    activate(house, new_version(house))
    activate(house, new_version(house))

    assert states(house) == ["retired", "active"]


def test_an_earlier_version_can_become_active_again(house):
    for _ in range(2):
        activate(house, new_version(house))

    activate(house, 1)

    assert states(house) == ["active", "retired"]


def test_activations_say_who_and_what_was_before(house):
    activate(house, new_version(house), "ann")
    activate(house, new_version(house), "bob")

    found = house.scorers.activations(PROJECT, "s", EVERYTHING)

    assert [(each.number, each.version, each.previous, each.stamp.by) for each in found] == [
        (1, 1, None, "ann"),
        (2, 2, 1, "bob"),
    ]


def test_activating_what_is_active_changes_nothing(house):
    first = activate(house, new_version(house), "ann")

    assert activate(house, 1, "bob") == first
    assert len(house.scorers.activations(PROJECT, "s", EVERYTHING)) == 1


def test_fixtures_replaced_while_they_run_keep_a_version_from_becoming_active(house):
    tested = house.scorers.version(PROJECT, "s", new_version(house))
    house.fixtures.replace(PROJECT, "s", 1, [Fixture(GOOD, Outcome.FAIL)])

    assert house.scorers.store.activate(tested, AuditStamp("ann", "now")) is None
    assert states(house) == ["draft"]


def test_scoring_reads_what_the_registry_wrote(house):
    activate(house, new_version(house))
    versions, key = DynamoDbVersions(house.client, house.name), PROJECT.scorer("s")

    assert versions.active(key) == 1
    assert versions.get(key, 1) == house.scorers.version(PROJECT, "s", 1).version
    assert versions.get(key, 1).state is VersionState.ACTIVE


def test_a_run_keeps_the_version_that_was_active_when_it_first_asked(house):
    versions, key = DynamoDbVersions(house.client, house.name), PROJECT.scorer("s")
    versions.pin(key, "run", 1)

    assert versions.pin(key, "run", 2) == 1
    assert versions.pin(key, "another-run", 2) == 2


def test_a_pin_lies_in_a_partition_of_its_own(house):
    DynamoDbVersions(house.client, house.name).pin(PROJECT.scorer("s"), "run", 1)

    [pin] = [item for item in house.client.scan(TableName=house.name)["Items"] if "expires_at" in item]

    assert pin["pk"]["S"] == "PIN#ORG#acme#PROJECT#support#RUN#run"
