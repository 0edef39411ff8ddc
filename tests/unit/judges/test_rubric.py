from decimal import Decimal

import pytest

from evalbook.domain.errors import ParametersRefused
from evalbook.judges.rubric import read_rubric

CRITERION = {"key": "accuracy", "title": "Accuracy", "weight": 2, "required": True}
RUBRIC = {"instructions": "Look closely.", "criteria": [CRITERION]}


def refused_at(raw):
    with pytest.raises(ParametersRefused) as refused:
        read_rubric(raw)
    return {problem.pointer for problem in refused.value.problems}


def levels(*scores):
    return [{"score": score, "label": "as told"} for score in scores]


def test_a_rubric_reads_as_instructions_and_numbered_criteria_with_their_levels():
    rubric = read_rubric(
        {
            "instructions": "Look closely.",
            "criteria": [
                CRITERION | {"levels": [{"score": 1, "label": "wrong"}, {"score": Decimal("2.5"), "label": "right"}]},
                {"key": "tone", "title": "Tone", "weight": Decimal("0.50"), "required": False},
            ],
        }
    )

    assert rubric.text().splitlines() == [
        "Look closely.",
        "",
        "Criteria:",
        "1. Accuracy (key accuracy, weight 2, required)",
        "   - 1: wrong",
        "   - 2.5: right",
        "2. Tone (key tone, weight 0.50, optional)",
    ]


def test_fifty_criteria_of_twenty_levels_are_read():
    criteria = [CRITERION | {"key": f"k{index}", "levels": levels(*range(20))} for index in range(50)]

    assert len(read_rubric(RUBRIC | {"criteria": criteria}).criteria) == 50


@pytest.mark.parametrize(
    ("criteria", "at"),
    [
        ([], "/criteria"),
        ([CRITERION | {"key": f"k{index}"} for index in range(51)], "/criteria"),
        ([CRITERION, CRITERION], "/criteria/1/key"),
        ([CRITERION | {"key": "a b"}], "/criteria/0/key"),
        ([CRITERION | {"title": ""}], "/criteria/0/title"),
        ([CRITERION | {"weight": -1}], "/criteria/0/weight"),
        ([CRITERION | {"weight": True}], "/criteria/0/weight"),
        ([CRITERION | {"required": "yes"}], "/criteria/0/required"),
        ([CRITERION | {"levels": levels(*range(21))}], "/criteria/0/levels"),
        ([CRITERION | {"levels": levels(1, 2, Decimal("1.0"))}], "/criteria/0/levels/2/score"),
        ([CRITERION | {"levels": [{"score": "1", "label": "x"}]}], "/criteria/0/levels/0/score"),
        ([CRITERION | {"levels": [{"score": 1}]}], "/criteria/0/levels/0/label"),
        ([CRITERION | {"levels": ["good"]}], "/criteria/0/levels/0"),
        ([CRITERION | {"levels": 5}], "/criteria/0/levels"),
        (["accuracy"], "/criteria/0"),
        ("accuracy", "/criteria"),
    ],
)
def test_criteria_that_cannot_be_scored_against_are_refused(criteria, at):
    assert refused_at(RUBRIC | {"criteria": criteria}) == {at}


def test_every_problem_of_a_rubric_is_named_at_once():
    raw = {"instructions": "", "criteria": [CRITERION, CRITERION | {"weight": None}], "colour": 1}

    assert refused_at(raw) == {"/instructions", "/criteria/1/key", "/criteria/1/weight", "/colour"}


@pytest.mark.parametrize("raw", [None, [], "rubric"])
def test_a_rubric_that_is_no_object_is_refused_as_a_whole(raw):
    assert refused_at(raw) == {""}
