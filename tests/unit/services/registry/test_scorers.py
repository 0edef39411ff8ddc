from decimal import Decimal

import pytest

from evalbook.domain.errors import ParametersRefused, Problem
from evalbook.domain.records import Project
from evalbook.domain.refusals import Declined, DeclineReason
from evalbook.domain.versions import VersionState, version_digest
from evalbook.services.registry.ports import Page
from evalbook.services.registry.version_check import NewVersion
from tests.fakes.registry import PROJECT

EXACT = NewVersion("exact_match", {})
EVERYTHING = Page("", 100)


def refused(house, asked):
    with pytest.raises(ParametersRefused) as caught:
        house.scorers.add_version(PROJECT, "s", asked, "ann")
    return caught.value.problems


@pytest.fixture
def scorer(house):
    return house.scorers.create(PROJECT, "s", "what it is for", "ann")


def test_a_scorer_says_who_made_it_and_when(house, scorer):
    found = house.scorers.get(PROJECT, "s")

    assert found == scorer
    assert (found.created.by, found.description) == ("ann", "what it is for")


def test_a_name_is_taken_once(house, scorer):
    with pytest.raises(Declined) as caught:
        house.scorers.create(PROJECT, "s", "", "bob")

    assert caught.value.reason is DeclineReason.NAME_TAKEN


@pytest.mark.parametrize("other", [Project("acme", "sales"), Project("bolt", "support")])
def test_another_project_has_its_own_names(house, scorer, other):
    house.scorers.create(other, "s", "another", "bob")

    assert house.scorers.get(PROJECT, "s").description == "what it is for"


@pytest.mark.parametrize("other", [Project("acme", "sales"), Project("bolt", "support")])
def test_another_project_sees_nothing(house, scorer, other):
    with pytest.raises(Declined) as caught:
        house.scorers.get(other, "s")

    assert caught.value.reason is DeclineReason.SCORER_NOT_FOUND
    assert house.scorers.list(other, EVERYTHING) == []


def test_versions_are_numbered_from_one(house, scorer):
    numbers = [house.scorers.add_version(PROJECT, "s", EXACT, "ann").version.number for _ in range(3)]

    assert numbers == [1, 2, 3]


def test_a_new_version_is_a_draft_with_the_digest_of_what_it_pins(house, scorer):
    parameters = {"threshold": Decimal("0.90")}

    made = house.scorers.add_version(PROJECT, "s", NewVersion("edit_similarity", parameters, 500), "ann")

    assert house.scorers.version(PROJECT, "s", 1) == made
    assert made.version.state is VersionState.DRAFT
    assert made.version.digest == version_digest("edit_similarity", parameters, 500)
    assert (made.family, made.version.time_limit_ms, made.created.by) == ("text", 500, "ann")


def test_parameters_are_kept_as_they_were_written(house, scorer):
    house.scorers.add_version(PROJECT, "s", NewVersion("edit_similarity", {"threshold": Decimal("0.90")}), "ann")

    assert house.scorers.version(PROJECT, "s", 1).version.parameters == '{"threshold":0.90}'


def test_every_problem_of_a_parameter_set_is_named_with_its_place(house, scorer):
    problems = refused(house, NewVersion("edit_similarity", {"threshold": 2, "nope": 1}, 0))

    assert [problem.pointer for problem in problems] == ["/parameters/nope", "/parameters/threshold", "/time_limit_ms"]


def test_a_refused_version_uses_no_number(house, scorer):
    refused(house, NewVersion("edit_similarity", {}))

    assert house.scorers.add_version(PROJECT, "s", EXACT, "ann").version.number == 1


def test_an_unknown_implementation_is_refused(house, scorer):
    assert refused(house, NewVersion("guess", {})) == (
        Problem("/implementation", "there is no such implementation"),
    )  # fmt: skip


def test_parameters_that_are_no_object_are_refused(house, scorer):
    assert refused(house, NewVersion("exact_match", [])) == (
        Problem("/parameters", "must be an object, not an array"),
    )  # fmt: skip


def test_parameters_too_large_for_the_store_are_refused(house, scorer):
    assert refused(house, NewVersion("contains", {"texts": ["x" * 300_000]}))[0].pointer == "/parameters"


@pytest.mark.parametrize("limit", [0, 60_001, Decimal("1.5"), "1000", True])
def test_a_time_limit_outside_its_range_is_refused(house, scorer, limit):
    assert [problem.pointer for problem in refused(house, NewVersion("exact_match", {}, limit))] == ["/time_limit_ms"]


def test_what_cannot_be_prepared_in_time_is_refused(house, scorer):
    house.worker.room = -10

    assert refused(house, EXACT) == (Problem("/parameters", "the version could not be prepared within its bound"),)


def test_a_version_needs_a_scorer(house):
    with pytest.raises(Declined) as caught:
        house.scorers.add_version(PROJECT, "s", EXACT, "ann")

    assert caught.value.reason is DeclineReason.SCORER_NOT_FOUND


@pytest.mark.parametrize("number", [2, 0, -1, 10**12])
def test_a_version_that_is_not_there_is_not_found(house, scorer, number):
    house.scorers.add_version(PROJECT, "s", EXACT, "ann")

    with pytest.raises(Declined) as caught:
        house.scorers.version(PROJECT, "s", number)

    assert caught.value.reason is DeclineReason.VERSION_NOT_FOUND


def test_scorers_are_listed_by_name_a_page_at_a_time(house):
    for name in ("c", "a", "b", "a.b", "a-b"):
        house.scorers.create(PROJECT, name, "", "ann")

    first = house.scorers.list(PROJECT, Page("", 2))
    rest = house.scorers.list(PROJECT, Page(first[-1].key.name, 9))

    assert [each.key.name for each in (*first, *rest)] == ["a", "a-b", "a.b", "b", "c"]


def test_versions_are_listed_by_number_a_page_at_a_time(house, scorer):
    for _ in range(12):
        house.scorers.add_version(PROJECT, "s", EXACT, "ann")

    page = house.scorers.versions(PROJECT, "s", Page("8", 3))

    assert [each.version.number for each in page] == [9, 10, 11]


def test_a_list_of_versions_holds_no_other_scorers(house, scorer):
    house.scorers.create(PROJECT, "s2", "", "ann")
    house.scorers.add_version(PROJECT, "s2", EXACT, "ann")

    assert house.scorers.versions(PROJECT, "s", EVERYTHING) == []


def test_a_version_stores_what_its_schema_was_upgraded_to_and_its_digest_covers_it(house, scorer):
    older = {"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"multipleOf": Decimal("0.1")}]}
    newer = {"$schema": "https://json-schema.org/draft/2020-12/schema", "prefixItems": [{"multipleOf": Decimal("0.1")}]}

    upgraded, written = (
        house.scorers.add_version(PROJECT, "s", NewVersion("json_schema", {"schema": schema}), "ann").version
        for schema in (older, newer)
    )

    assert upgraded.parameters == written.parameters
    assert upgraded.digest == written.digest == version_digest("json_schema", {"schema": newer}, 2_000)
