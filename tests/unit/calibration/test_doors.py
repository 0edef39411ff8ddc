"""What a calibration refuses because it would be about nothing, and classes that it must not lose sight of."""

import json

import pytest

from evalbook.calibration.report import calibrate
from evalbook.calibration.rows import read_rows
from evalbook.domain.errors import Refused


def report_of(*rows, **options):
    lines = [json.dumps({"case_id": f"case-{at}", **row}) for at, row in enumerate(rows)]
    return calibrate(read_rows(lines), **options)


def pointers_of(*rows, **options):
    with pytest.raises(Refused) as refused:
        report_of(*rows, **options)
    return [problem.pointer for problem in refused.value.problems]


def sorted_into(*pairs):
    return [{"human": human, "label": judge} for human, judge in pairs]


CATEGORIES = sorted_into(("kept", "kept"), ("lost", "kept"), ("late", "lost"))


@pytest.mark.parametrize("category", ["gone", "Kept", "kept ", ""])
def test_a_pass_category_that_occurs_nowhere_is_refused(category):
    assert pointers_of(*CATEGORIES, pass_categories=["kept", category]) == ["/pass_categories/1"]


def test_a_pass_category_that_only_one_side_uses_is_taken():
    report = report_of(*CATEGORIES, pass_categories=["kept", "late"])

    assert report["binarised_pass"]["confusion_matrix"]["tp"] == 1


def test_a_pass_category_that_the_judge_declares_need_not_occur():
    report = report_of(*CATEGORIES, pass_categories=["kept", "early"], categories=["early", "kept", "late", "lost"])

    assert report["pass_categories"] == ["early", "kept"]


def test_pass_categories_of_a_judge_that_gives_scores_are_refused():
    assert pointers_of({"human": 3, "score": 4}, pass_categories=["good"]) == ["/pass_categories/0"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("kept", "Kept"),
        ("kept", " kept"),
        ("kept twice", "kept  twice"),
        ("caf\u00e9", "cafe\u0301"),
        ("weiß", "WEISS"),
    ],
)
def test_two_spellings_of_one_category_are_refused(one, other):
    assert pointers_of(*sorted_into((one, one), ("lost", "lost"), (one, other))) == ["/2/label"]


def test_two_spellings_are_refused_wherever_they_stand():
    rows = [
        {"human": ["kept", "kept", "Kept"], "label": "kept"},
        {"human": "lost", "adjudicated": "LOST", "label": "lost", "repeats": ["lost", "lost", "Lost"]},
    ]

    assert pointers_of(*rows) == ["/0/human", "/1/adjudicated", "/1/repeats"]


def test_a_verdict_in_other_letters_is_refused_and_the_right_one_is_not():
    assert pointers_of({"human": "Pass", "outcome": "pass"}, {"human": "fail", "outcome": "fail"}) == ["/0/human"]


def test_categories_may_be_called_like_verdicts_beside_the_judges_own_verdicts():
    rows = [
        {"human": "Pass", "label": "Pass", "outcome": "pass"},
        {"human": "Fail", "label": "Fail", "outcome": "fail"},
    ]

    assert report_of(*rows)["kind"] == "categorical"


def test_categories_that_really_differ_are_all_taken():
    assert report_of(*sorted_into(("A", "AA"), ("a b", "ab"), ("A+", "A")))["kind"] == "categorical"


@pytest.mark.parametrize("threshold", [float("inf"), float("-inf"), float("nan")])
def test_a_threshold_that_is_no_finite_number_is_refused(threshold):
    assert pointers_of({"human": 1, "score": 2}, threshold=threshold) == ["/threshold"]


def test_every_door_is_named_at_once():
    rows = sorted_into(("kept", "Kept"))

    assert pointers_of(*rows, threshold=float("nan"), pass_categories=["x"]) == [
        "/0/label",
        "/pass_categories/0",
        "/threshold",
    ]


def many(human, label=None, outcome=None, count=40):
    return [{"human": human, "label": label, "outcome": outcome}] * count


def test_a_category_that_the_judge_never_decided_is_counted_and_keeps_the_status_insufficient():
    report = report_of(*many("kept", "kept"), *many("lost", "lost"), *many("late", outcome="abstained"))

    assert (report["status"], report["n_by_class"]["late"]) == ("insufficient", 0)
    assert report["confusion_matrix"]["labels"] == ["kept", "late", "lost"]
    assert report["confusion_matrix"]["rows_human"][1] == [0, 0, 0]


def test_a_category_that_was_never_decided_is_not_hidden_by_the_view_as_pass_and_fail():
    rows = [*many("kept", "kept"), *many("lost", "lost"), *many("late", outcome="error")]

    report = report_of(*rows, pass_categories=["kept"])

    assert report["n_by_class"] == {"pass": 40, "fail": 40, "late": 0}
    assert report["status"] == "insufficient"


def test_a_class_of_which_every_case_is_undecided_keeps_a_binary_calibration_insufficient():
    report = report_of(*many("pass", outcome="pass"), *many("fail", outcome="error"))

    assert (report["status"], report["n_by_class"]) == ("insufficient", {"pass": 40, "fail": 0})


def test_scores_of_which_none_is_decided_are_a_class_of_none():
    report = report_of(*[{"human": score, "outcome": "error"} for score in (1, 2, 5)])

    assert (report["status"], report["n_by_class"]) == ("insufficient", {"scored": 0})
