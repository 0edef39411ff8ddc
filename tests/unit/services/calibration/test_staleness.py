"""A calibration speaks for the judge that is active until a materially different one is activated after it."""

import pytest

from evalbook.domain.records import AuditStamp
from evalbook.judges.changes import JudgeChange
from evalbook.services.calibration.ports import CalibrationRecord, CalibrationStatus
from evalbook.services.calibration.staleness import Staleness, StalenessCheck
from evalbook.services.registry.version_check import NewVersion
from tests.fakes.registry import PROJECT, registry_house

NAME = "j"
FIRST = {"model": "openai::gpt-x", "prompt_template": "Judge\n{{output}}", "score_type": "binary"}
SECOND = FIRST | {"prompt_template": "Judge strictly\n{{output}}", "temperature": 1}
TWICE = FIRST | {"repeat_count": 2, "max_reply_tokens": 100}


class AnyModel:
    """A catalog in which every model is."""

    def problems(self, _organization_id, _parameters):
        return ()


@pytest.fixture
def house(client):
    each = registry_house(client, AnyModel())
    each.scorers.create(PROJECT, NAME, "", "ann")
    for parameters in (FIRST, SECOND, TWICE):
        each.scorers.add_version(PROJECT, NAME, NewVersion("judge", parameters), "ann")
    return each


def activate(house, number):
    version = house.scorers.version(PROJECT, NAME, number)
    assert house.scorers.store.activate(version, AuditStamp("ann", "now"))


def calibrated(house, number):
    """The record of a calibration that is asked for now."""
    version = house.scorers.version(PROJECT, NAME, number)
    return CalibrationRecord(
        project=PROJECT,
        calibration_id=f"calibration-{number}",
        scorer=NAME,
        version=number,
        digest=version.version.digest,
        material_digest=version.material_digest,
        label_set_digest="0" * 64,
        activations=house.scorers.get(PROJECT, NAME).activations,
        created=AuditStamp("ann", "now"),
        status=CalibrationStatus.FINISHED,
    )


def standing(house, record):
    return StalenessCheck(house.scorers.store).of(record)


def test_a_calibration_is_fresh_while_nothing_is_active(house):
    assert standing(house, calibrated(house, 1)) == Staleness()


def test_a_calibration_of_a_draft_is_fresh_beside_another_version_that_was_active_before(house):
    activate(house, 1)
    record = calibrated(house, 2)

    assert standing(house, record) == Staleness()


def test_a_calibrated_version_that_becomes_active_is_fresh(house):
    record = calibrated(house, 1)

    activate(house, 1)

    assert standing(house, record) == Staleness(active_version=1)


def test_a_materially_different_activation_makes_it_stale_and_says_what_changed(house):
    activate(house, 1)
    record = calibrated(house, 1)

    activate(house, 2)

    diff = "--- old\n+++ new\n@@ -1,2 +1,2 @@\n-Judge\n+Judge strictly\n {{output}}"
    assert standing(house, record) == Staleness(
        stale=True,
        active_version=2,
        changes=(
            JudgeChange("prompt_template", FIRST["prompt_template"], SECOND["prompt_template"], diff),
            JudgeChange("temperature", 0, 1),
        ),
    )


def test_an_activation_of_an_equal_material_flags_the_conditions_and_is_fresh(house):
    record = calibrated(house, 1)

    activate(house, 3)

    changed = (JudgeChange("max_reply_tokens", 800, 100), JudgeChange("repeat_count", 1, 2))
    assert standing(house, record) == Staleness(active_version=3, conditions_changed=changed)


def test_conditions_of_a_stale_calibration_are_flagged_as_well(house):
    record = calibrated(house, 3)

    activate(house, 2)

    found = standing(house, record)
    assert [each.field for each in found.changes] == ["prompt_template", "temperature"]
    assert [each.field for each in found.conditions_changed] == ["max_reply_tokens", "repeat_count"]


def test_a_rollback_to_the_calibrated_material_makes_it_fresh_again(house):
    record = calibrated(house, 1)

    for number in (1, 2, 1):
        activate(house, number)

    assert standing(house, record) == Staleness(active_version=1)


def test_a_draft_is_stale_once_a_version_that_it_is_not_is_activated_after_its_calibration(house):
    record = calibrated(house, 2)

    activate(house, 1)

    assert standing(house, record).stale


def test_a_deterministic_version_that_becomes_active_makes_it_stale(house):
    record = calibrated(house, 1)
    house.scorers.add_version(PROJECT, NAME, NewVersion("contains", {"texts": ["a"]}), "ann")

    activate(house, 4)

    changes = (JudgeChange("implementation", "judge", "contains"),)
    assert standing(house, record) == Staleness(stale=True, active_version=4, changes=changes)


def test_calibrations_of_one_scorer_are_told_apart(house):
    old = calibrated(house, 1)
    activate(house, 2)
    new = calibrated(house, 1)

    found = StalenessCheck(house.scorers.store).of_all(PROJECT.scorer(NAME), [old, new, old])

    assert [each.stale for each in found] == [True, False, True]
