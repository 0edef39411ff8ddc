from decimal import Decimal

import pytest

from evalbook.domain.case import Case
from evalbook.domain.errors import ParametersRefused, Problem
from evalbook.domain.outcome import Code, Outcome
from evalbook.domain.records import Project
from evalbook.domain.refusals import Declined, DeclineReason
from evalbook.jsonio.canonical import digest
from evalbook.judges.version import material, read_judge_parameters
from evalbook.services.registry.fixtures import Fixture
from evalbook.services.registry.ports import Page
from evalbook.services.registry.version_check import NewVersion
from tests.fakes.registry import BOUNDARY, PROJECT, registry_house

JUDGE = {"model": "openai::gpt-x", "prompt_template": "Judge {{output}}", "score_type": "binary"}
RUBRIC = {"instructions": "Look at tone.", "criteria": [{"key": "tone", "title": "Tone"}]}


class Models:
    """A catalog with one model."""

    def problems(self, organization_id, parameters):
        known = (organization_id, parameters.model) == ("acme", "openai::gpt-x")
        return [] if known else [Problem("/model", "is not in the catalog")]


@pytest.fixture
def house(client):
    each = registry_house(client, Models())
    each.scorers.create(PROJECT, "j", "", "ann")
    each.rubrics.create(PROJECT, "r", "", "ann")
    return each


def add(house, parameters, limit=None):
    return house.scorers.add_version(PROJECT, "j", NewVersion("judge", parameters, limit), "ann")


def refused(house, parameters, limit=None):
    with pytest.raises(ParametersRefused) as caught:
        add(house, parameters, limit)
    return [problem.pointer for problem in caught.value.problems]


def test_a_judge_version_carries_its_material_digest(house):
    made = add(house, JUDGE)

    assert made.material_digest == digest(dict(material(read_judge_parameters(JUDGE))))
    assert (made.family, made.version.time_limit_ms) == ("judge", 120_000)
    assert house.scorers.version(PROJECT, "j", 1) == made


def test_without_a_catalog_no_judge_version_is_made(client):
    house = registry_house(client)
    house.scorers.create(PROJECT, "j", "", "ann")

    with pytest.raises(ParametersRefused, match="no model catalog is configured"):
        add(house, JUDGE)


def test_a_model_that_the_catalog_does_not_confirm_is_refused(house):
    assert refused(house, {**JUDGE, "model": "openai::other"}) == ["/parameters/model"]


def test_refused_parameters_point_into_what_was_sent(house):
    assert refused(house, {**JUDGE, "temperature": 3}, 0) == ["/parameters/temperature", "/time_limit_ms"]


def test_a_judge_has_no_fixtures(house):
    add(house, JUDGE)

    with pytest.raises(Declined) as caught:
        house.fixtures.replace(PROJECT, "j", 1, [Fixture({"case_id": "a"}, Outcome.PASS)])

    assert caught.value.reason is DeclineReason.NOT_FOR_JUDGES


def test_a_judge_is_not_activated_like_a_deterministic_version(house):
    add(house, JUDGE)

    with pytest.raises(Declined) as caught:
        house.activations.activate(PROJECT, "j", 1, "ann")

    assert caught.value.reason is DeclineReason.NOT_FOR_JUDGES


def with_rubric(made, **changes):
    reference = {"name": "r", "version": made.number, "digest": made.digest, **changes}
    return {**JUDGE, "prompt_template": "{{rubric}} {{output}}", "rubric": reference}


def test_a_rubric_version_is_named_with_its_digest(house):
    made = house.rubrics.add_version(PROJECT, "r", RUBRIC, "ann")

    assert add(house, with_rubric(made)).version.number == 1
    assert refused(house, with_rubric(made, version=2)) == ["/parameters/rubric"]
    assert refused(house, with_rubric(made, digest="0" * 64)) == ["/parameters/rubric/digest"]


def test_rubric_versions_are_numbered_and_listed(house):
    for _ in range(3):
        house.rubrics.add_version(PROJECT, "r", RUBRIC, "ann")

    assert [each.number for each in house.rubrics.versions(PROJECT, "r", Page("1", 5))] == [2, 3]
    assert house.rubrics.get(PROJECT, "r").versions == 3


def test_two_spellings_of_one_rubric_have_one_digest(house):
    spelt_out = {**RUBRIC, "criteria": [{"key": "tone", "title": "Tone", "weight": Decimal("1.0"), "required": False}]}

    digests = {house.rubrics.add_version(PROJECT, "r", each, "ann").digest for each in (RUBRIC, spelt_out)}

    assert len(digests) == 1


def test_a_rubric_of_another_project_is_not_found(house):
    with pytest.raises(Declined) as caught:
        house.rubrics.get(Project("bolt", "support"), "r")

    assert caught.value.reason is DeclineReason.RUBRIC_NOT_FOUND


def test_a_rubric_with_problems_is_refused_with_all_of_them(house):
    with pytest.raises(ParametersRefused) as caught:
        house.rubrics.add_version(PROJECT, "r", {"criteria": []}, "ann")

    assert [problem.pointer for problem in caught.value.problems] == ["/criteria", "/instructions"]


def test_a_preview_shows_the_messages_with_the_rubric(house):
    made = house.rubrics.add_version(PROJECT, "r", RUBRIC, "ann")

    preview = house.preview.draft(PROJECT, "j", with_rubric(made), Case("a", output="hello"))

    assert [message.role for message in preview.messages] == ["system", "user"]
    assert "Look at tone." in preview.messages[1].content
    assert f"<<<BEGIN output {BOUNDARY}>>>\nhello" in preview.messages[1].content


def test_a_preview_of_a_stored_version_is_that_of_its_parameters(house):
    add(house, JUDGE)
    case = Case("a", output="hello")

    assert house.preview.stored(PROJECT, "j", 1, case) == house.preview.draft(PROJECT, "j", JUDGE, case)


def test_a_preview_says_why_a_case_would_not_be_asked_about(house):
    assert house.preview.draft(PROJECT, "j", JUDGE, Case("a")).not_asked is Code.OUTPUT_UNAVAILABLE


def test_a_deterministic_version_has_no_preview(house):
    house.scorers.add_version(PROJECT, "j", NewVersion("exact_match", {}), "ann")

    with pytest.raises(Declined) as caught:
        house.preview.stored(PROJECT, "j", 1, Case("a", output="x"))

    assert caught.value.reason is DeclineReason.ONLY_FOR_JUDGES
