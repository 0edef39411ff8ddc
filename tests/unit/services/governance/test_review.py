"""Whoever decides sees what the version changes, and what is known of the judge that it is."""

import json
from dataclasses import dataclass, field, replace

import pytest

from evalbook.calibration.headline import headline
from evalbook.calibration.report import calibrate
from evalbook.calibration.rows import read_rows
from evalbook.domain.records import AuditStamp
from evalbook.judges.changes import JudgeChange
from evalbook.services.calibration.ports import CalibrationRecord, CalibrationStatus
from tests.fakes.governed import ANN, JUDGE, NAME, STRICT, Governed
from tests.fakes.registry import PROJECT


@dataclass
class MemoryCalibrations:
    """A `CalibrationStore`; newest first."""

    records: list[CalibrationRecord] = field(default_factory=list)

    def calibrations(self, scorer, after, limit):
        names = [each.calibration_id for each in self.records]
        start = names.index(after) + 1 if after else 0
        assert {each.scorer_key for each in self.records} <= {scorer}
        return self.records[start : start + limit]


@pytest.fixture
def kept():
    return MemoryCalibrations()


@pytest.fixture
def world(client, kept):
    return Governed(client, kept)


def calibration(world, number, name="c-1", **changes):
    version = world.house.scorers.version(PROJECT, NAME, number)
    record = CalibrationRecord(
        project=PROJECT,
        calibration_id=name,
        scorer=NAME,
        version=number,
        digest=version.version.digest,
        material_digest=version.material_digest,
        label_set_digest="0" * 64,
        activations=world.house.scorers.get(PROJECT, NAME).activations,
        created=AuditStamp(ANN, "now"),
        status=CalibrationStatus.FINISHED,
        report=json.dumps({"kind": "binary", "status": "sufficient", "n": 60, "tpr": 0.9}),
    )
    return replace(record, **changes)


def review(world, version):
    return world.house.reviews.of(world.get(world.request(version)).target)


def test_against_no_active_version_every_field_is_shown(world):
    found = review(world, 1).comparison

    assert {"model", "prompt_template", "score_type"} <= {each.field for each in found.material}
    assert {each.field: each.new for each in found.conditions}["repeat_count"] == 1


def test_against_the_active_version_only_what_changes_is_shown(world):
    world.activated(1)

    found = review(world, 2).comparison

    diff = "--- old\n+++ new\n@@ -1,2 +1,2 @@\n-Judge\n+Judge strictly\n {{output}}"
    assert found.material == (
        JudgeChange("prompt_template", JUDGE["prompt_template"], STRICT["prompt_template"], diff),
    )
    assert found.conditions == ()


def test_what_is_no_material_is_shown_apart(world):
    world.activated(1)

    found = review(world, world.add(JUDGE | {"repeat_count": 3})).comparison

    assert (found.material, found.conditions) == ((), (JudgeChange("repeat_count", 1, 3),))


def rubric(world, instructions):
    """Make the next version of a rubric; how judges name it."""
    content = {"instructions": instructions, "criteria": [{"key": "k", "title": "T"}]}
    made = world.house.rubrics.add_version(PROJECT, "r", content, ANN)
    return {"name": "r", "version": made.number, "digest": made.digest}


def test_another_rubric_is_shown_as_a_diff_of_what_judges_read(world):
    world.house.rubrics.create(PROJECT, "r", "", ANN)
    old, new = rubric(world, "Be kind."), rubric(world, "Be strict.")
    template = {"prompt_template": "{{rubric}} {{output}}"}
    world.activated(world.add(JUDGE | template | {"rubric": old}))

    [change] = review(world, world.add(JUDGE | template | {"rubric": new})).comparison.material

    assert (change.field, change.old, change.new) == ("rubric_digest", old["digest"], new["digest"])
    assert change.diff.split("\n")[3:5] == ["-Be kind.", "+Be strict."]


def test_a_first_rubric_is_shown_whole(world):
    world.house.rubrics.create(PROJECT, "r", "", ANN)
    world.activated(1)

    found = review(world, world.add(JUDGE | {"rubric": rubric(world, "Be kind.")})).comparison

    assert "+Be kind." in found.material[0].diff


def test_a_review_of_what_was_carried_out_shows_what_it_changed_then(world):
    world.activated(1)
    action_id = world.request(2)
    before = world.house.reviews.of(world.get(action_id).target)
    world.approve(action_id)
    world.activated(1)

    assert world.house.reviews.of(world.get(action_id).target) == before


def test_a_judge_that_was_never_calibrated_has_no_evidence(world, kept):
    kept.records = [calibration(world, 2)]

    assert review(world, 1).evidence is None


def test_without_calibrations_there_is_no_evidence(client):
    assert review(Governed(client), 1).evidence is None


def test_the_latest_finished_calibration_of_the_material_is_the_evidence(world, kept):
    running = calibration(world, 1, "c-4", status=CalibrationStatus.RUNNING, report=None)
    failed = calibration(world, 1, "c-3", status=CalibrationStatus.FAILED, report=None)
    kept.records = [running, failed, calibration(world, 1, "c-2"), calibration(world, 1, "c-1")]

    evidence = review(world, 1).evidence

    assert (evidence.record.calibration_id, evidence.stale) == ("c-2", False)
    assert (evidence.headline["n"], evidence.headline["status"]) == (60, "sufficient")


def test_the_evidence_may_lie_behind_many_other_calibrations(world, kept):
    others = [calibration(world, 2, f"c-{number}") for number in range(45, 1, -1)]
    kept.records = [*others, calibration(world, 1, "c-1")]

    assert review(world, 1).evidence.record.calibration_id == "c-1"


def test_evidence_from_another_version_says_what_that_did_otherwise(world, kept):
    kept.records = [calibration(world, 1)]
    number = world.add(JUDGE | {"repeat_count": 3})

    evidence = review(world, number).evidence

    assert (evidence.record.version, evidence.conditions_changed) == (1, (JudgeChange("repeat_count", 1, 3),))


def test_evidence_is_stale_once_another_material_was_activated_after_it(world, kept):
    kept.records = [calibration(world, 1)]
    world.activated(2)

    assert review(world, 1).evidence.stale


def rows(**row):
    return [json.dumps({"case_id": f"{number}", **row, "human": label}) for number, label in enumerate(["pass"] * 3)]


def test_a_headline_has_the_figures_of_a_binary_report():
    found = headline(calibrate(read_rows(rows(outcome="pass"))))

    assert (found["kind"], found["status"], found["n"], found["tpr"], found["tnr"]) == (
        "binary",
        "insufficient",
        3,
        1.0,
        None,
    )


def test_a_headline_of_scores_has_their_pass_fail_view():
    scored = [json.dumps({"case_id": f"{n}", "score": n % 5 + 1, "human": (n + n % 2) % 5 + 1}) for n in range(40)]

    found = headline(calibrate(read_rows(scored), threshold=4))

    assert found["kind"] == "ordinal"
    assert 0 < found["tpr"] < 1
    assert found["kappa_quadratic"] is not None


def test_a_headline_says_whether_cases_are_missing():
    assert headline({"calibration": {"partial": True}})["partial"] is True


def test_a_headline_of_an_empty_report_has_nothing():
    assert set(headline({}).values()) == {None}
