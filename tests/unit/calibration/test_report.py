"""What a report says about rows of each kind."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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


def binary(tp, fn, fp, tn):
    cells = {("pass", "pass"): tp, ("pass", "fail"): fn, ("fail", "pass"): fp, ("fail", "fail"): tn}
    return [{"human": human, "outcome": judge} for (human, judge), count in cells.items() for _ in range(count)]


def test_no_row_gives_an_insufficient_report():
    report = report_of()

    assert (report["status"], report["n"], report["stability"]) == ("insufficient", 0, None)


def test_thirty_cases_of_each_class_are_sufficient():
    assert report_of(*binary(25, 5, 5, 25))["status"] == "sufficient"


def test_twenty_nine_cases_of_a_class_are_insufficient_however_many_the_other_has():
    report = report_of(*binary(100, 5, 5, 24))

    assert report["status"] == "insufficient"
    assert report["status_reason"] == "29 of class fail; 30 of each class are needed"


def test_undecided_cases_do_not_make_a_class_sufficient():
    report = report_of(*binary(25, 5, 5, 24), {"human": "fail", "outcome": "error"})

    assert report["n_by_class"] == {"pass": 30, "fail": 29}


def test_a_judge_that_always_passes_does_not_beat_the_baseline():
    report = report_of(*binary(60, 0, 40, 0))

    assert (report["always_pass_baseline"], report["majority_baseline"]) == (0.6, 0.6)
    assert report["beats_majority_baseline"] is False


def test_always_passing_is_no_good_baseline_where_most_cases_fail():
    report = report_of(*binary(10, 0, 0, 30))

    assert (report["always_pass_baseline"], report["majority_baseline"]) == (0.25, 0.75)


def test_errors_stay_outside_the_matrix_and_are_counted_by_human_label():
    report = report_of(*binary(3, 0, 0, 3), {"human": "fail", "outcome": "error"})

    assert (report["n"], report["n_decided"], report["agreement"]) == (7, 6, 1.0)
    assert report["undecided"]["error"]["by_human"]["fail"]["rate"] == 0.25
    assert report["abstention"]["error_rate_human_pass"] == 0.0


@pytest.mark.parametrize("outcome", ["inconclusive", "error", "timeout", "abstained", "unsupported", "skipped"])
def test_every_undecided_outcome_is_counted(outcome):
    report = report_of(*binary(1, 1, 1, 1), {"human": "pass", "outcome": outcome})

    assert {name: counted["n"] for name, counted in report["undecided"].items()} == {outcome: 1}


def test_errors_are_not_held_against_the_judge_in_the_worst_case():
    report = report_of(*binary(2, 0, 0, 2), {"human": "pass", "outcome": "error"})

    assert report["abstention"]["agreement_counting_abstain_as_wrong"] == 1.0


def test_a_case_that_the_judge_never_decides_leaves_every_figure_null_with_a_reason():
    report = report_of({"human": "pass", "outcome": "error"})

    assert report["agreement"] is None
    assert report["agreement_reason"].startswith("no_pairs: ")


def test_ones_and_noughts_of_humans_are_verdicts_where_the_judge_gives_outcomes():
    report = report_of({"human": 1, "outcome": "pass"}, {"human": 0, "outcome": "pass"})

    assert report["confusion_matrix"]["rows_human"] == [[1, 0], [1, 0]]


def test_ones_and_noughts_on_both_sides_are_verdicts():
    report = report_of({"human": 1, "score": 1}, {"human": 0, "score": 1}, {"human": 0, "score": 0})

    assert (report["kind"], report["confusion_matrix"]["rows_human"]) == ("binary", [[1, 0], [1, 1]])


def test_ones_alone_are_no_passes():
    report = report_of({"human": 1, "score": 1}, {"human": 1, "score": 1})

    assert (report["kind"], report["binarised_pass"]) == ("ordinal", None)


def test_scores_of_humans_become_verdicts_at_the_threshold_where_the_judge_gives_outcomes():
    report = report_of({"human": 4, "outcome": "pass"}, {"human": 3, "outcome": "fail"}, threshold=4)

    assert (report["kind"], report["tpr"], report["tnr"]) == ("binary", 1.0, 1.0)


def test_an_explicit_threshold_goes_before_the_recorded_outcome():
    report = report_of({"human": "pass", "outcome": "fail", "score": 0.5}, threshold=0.5)

    assert report["tpr"] == 1.0


def test_a_score_without_a_threshold_decides_nothing():
    report = report_of({"human": "pass", "score": 0.9}, {"human": "fail", "score": 0.2})

    assert (report["n_decided"], report["undecided"]["inconclusive"]["n"]) == (0, 2)


def test_an_outcome_of_inconclusive_is_not_overruled_by_a_score_of_one():
    report = report_of({"human": "pass", "outcome": "inconclusive", "score": 1}, *binary(1, 0, 0, 1))

    assert report["n_decided"] == 2


def test_a_threshold_decides_inclusively():
    report = report_of({"human": "pass", "score": 0.6}, {"human": "fail", "score": 0.59}, threshold=0.6)

    assert (report["tpr"], report["tnr"]) == (1.0, 1.0)


def test_the_score_of_an_abstained_case_is_ignored():
    report = report_of({"human": 4, "score": 4}, {"human": 2, "score": 5, "outcome": "abstained"})

    assert (report["n"], report["n_decided"], report["mae"]) == (2, 1, 0.0)


def test_the_score_of_an_inconclusive_case_counts_where_humans_give_scores():
    report = report_of({"human": 4, "score": 3, "outcome": "inconclusive"})

    assert report["mae"] == 1.0


def test_scores_against_verdicts_are_swept_over_their_thresholds():
    report = report_of({"human": "pass", "score": 3}, {"human": "fail", "score": 1}, {"human": "fail", "score": 2})

    swept = [(row["threshold"], row["tpr"], row["tnr"]) for row in report["threshold_sweep"]]
    assert swept == [(1.0, 1.0, 0.0), (2.0, 1.0, 0.5), (3.0, 1.0, 1.0)]
    assert report["roc_auc"] == 1.0


def test_a_sweep_has_at_most_a_hundred_thresholds_and_both_ends():
    rows = [{"human": "pass" if score % 3 else "fail", "score": score} for score in range(250)]

    sweep = report_of(*rows)["threshold_sweep"]

    assert (len(sweep), sweep[0]["threshold"], sweep[-1]["threshold"]) == (100, 0.0, 249.0)


def test_a_scored_judge_with_a_threshold_is_also_reported_as_pass_and_fail():
    report = report_of({"human": 5, "score": 4}, {"human": 2, "score": 4}, {"human": 1, "score": 2}, threshold=4)

    assert report["binarised_pass"]["confusion_matrix"]["rows_human"] == [[1, 0], [1, 1]]
    assert report["kappa_quadratic"] is not None


def test_continuous_scores_have_no_weighted_kappa_and_say_why():
    report = report_of({"human": 0.1, "score": 0.2}, {"human": 0.4, "score": 0.5})

    assert report["kappa_quadratic"] is None
    assert report["kappa_quadratic_reason"].startswith("not_ordinal: ")


def test_too_many_levels_have_no_weighted_kappa():
    report = report_of(*[{"human": score, "score": score} for score in range(101)])

    assert (report["kind"], report["kappa_quadratic"], report["exact_agreement"]) == ("ordinal", None, 1.0)


def test_a_scored_judge_that_only_failed_has_no_correlation():
    report = report_of({"human": 2, "outcome": "error"}, {"human": 3, "outcome": "error"})

    assert (report["kind"], report["error_rate"]) == ("ordinal", 1.0)
    assert report["spearman_reason"].startswith("no_pairs: ")


def test_the_label_of_a_categorical_judge_goes_before_its_outcome():
    report = report_of(
        {"human": "good", "label": "good", "outcome": "pass"}, {"human": "bad", "label": "good", "outcome": "pass"}
    )

    assert report["confusion_matrix"] == {"labels": ["bad", "good"], "rows_human": [[0, 1], [0, 1]]}


def test_verdicts_of_humans_meet_categories_by_what_passes():
    report = report_of(
        {"human": "pass", "outcome": "correct"}, {"human": "fail", "outcome": "wrong"}, pass_categories=["correct"]
    )

    assert (report["kind"], report["agreement"]) == ("binary", 1.0)


def test_several_humans_are_adjudicated_by_majority():
    report = report_of({"human": ["fail", "pass", "fail"], "outcome": "fail"})

    assert report["confusion_matrix"]["tn"] == 1


def test_split_humans_leave_the_matrix_and_are_counted():
    report = report_of({"human": ["fail", "pass"], "outcome": "fail"}, *binary(1, 0, 0, 1))

    assert (report["n"], report["n_human_ties"]) == (2, 1)


def test_several_scores_of_humans_count_with_their_median():
    report = report_of({"human": [2, 4, 5], "score": 4}, {"human": [1, 2], "score": 1})

    assert report["mae"] == 0.25


def test_agreement_among_humans_is_the_ceiling():
    report = report_of({"human": ["pass", "pass"], "outcome": "pass"}, {"human": ["fail", "pass"], "outcome": "fail"})

    assert report["human_agreement"]["mean_pairwise_agreement"] == 0.5


def test_rows_without_human_give_stability_only():
    report = report_of({"outcome": "pass", "repeats": ["pass", "pass", "fail"]})

    assert report["kind"] == "stability"
    assert report["stability"]["mean_pairwise_agreement"] == pytest.approx(1 / 3)
    assert "agreement" not in report


def test_rows_without_human_take_no_part_in_agreement():
    report = report_of(*binary(1, 0, 0, 1), {"outcome": "pass", "repeats": ["pass", "fail"]})

    assert (report["n"], report["n_without_human"], report["agreement"]) == (2, 1, 1.0)
    assert report["stability"]["n_cases"] == 1


def test_the_pass_rate_of_unlabelled_rows_is_corrected_by_the_labelled_ones():
    report = report_of(*binary(45, 5, 7, 43), *[{"outcome": "pass"}] * 3, *[{"outcome": "fail"}] * 17)

    corrected = report["corrected_pass_rate"]
    assert (corrected["raw"], corrected["usable"]) == (0.15, True)
    assert corrected["corrected"] == pytest.approx(0.013157894736842117)


def test_a_corrected_pass_rate_from_few_labels_is_not_usable():
    report = report_of(*binary(9, 1, 1, 9), {"outcome": "pass"})

    assert report["corrected_pass_rate"]["usable"] is False


def test_without_a_run_that_has_no_labels_there_is_no_corrected_pass_rate():
    report = report_of(*binary(45, 5, 7, 43))

    assert report["corrected_pass_rate"] is None
    assert report["corrected_pass_rate_reason"].startswith("no_unlabelled: ")


def test_a_run_of_which_no_case_was_decided_has_no_corrected_pass_rate():
    assert report_of(*binary(45, 5, 7, 43), {"outcome": "error"})["corrected_pass_rate"] is None


def test_replies_that_decide_nothing_are_counted_and_left_out():
    report = report_of({"repeats": ["pass", "abstained", "pass"]}, {"repeats": ["fail", "error", None]})

    stability = report["stability"]
    assert stability["undecided_replies"] == {"abstained": 1, "error": 1, "missing": 1}
    assert (stability["n_cases"], stability["unanimous_rate"]) == (1, 1.0)
    assert stability["n_cases_with_fewer_than_two_replies"] == 1


def test_cases_with_different_numbers_of_replies_have_no_fleiss_kappa():
    report = report_of({"repeats": ["pass", "fail"]}, {"repeats": ["pass", "pass", "fail"]})

    assert report["stability"]["fleiss_kappa_reason"].startswith("unequal_replies: ")


def test_spread_of_scores_is_reported():
    stability = report_of({"repeats": [3, 4, 5]}, {"repeats": [5, 5, 5]}, threshold=4)["stability"]

    assert stability["mean_within_case_sd"] == pytest.approx((2 / 3) ** 0.5 / 2)
    assert stability["mean_within_case_sample_sd"] == pytest.approx(0.5)
    assert (stability["straddling_rate"], stability["max_range"]) == (0.5, 2.0)
    assert stability["as_verdicts"]["unanimous_rate"] == 0.5


def test_each_repeat_is_compared_with_the_humans():
    report = report_of(
        {"human": "pass", "outcome": "pass", "repeats": ["pass", "fail"]},
        {"human": "fail", "outcome": "fail", "repeats": ["fail", "error"]},
    )

    assert [(one["repeat"], one["n"], one["agreement"]) for one in report["by_repeat"]] == [(1, 2, 1.0), (2, 1, 0.0)]


def test_scored_repeats_are_compared_with_the_humans_scores():
    report = report_of({"human": 4, "score": 4, "repeats": [4, 2]})

    assert [one["mae"] for one in report["by_repeat"]] == [0.0, 2.0]


def test_the_order_of_rows_does_not_change_a_report():
    rows = binary(9, 2, 3, 8)

    assert report_of(*rows) == report_of(*reversed(rows))


@pytest.mark.parametrize(
    ("rows", "pointers"),
    [
        ([{"human": "pass", "outcome": "maybe"}], ["/0/outcome"]),
        ([{"human": "Pass", "outcome": "pass"}], ["/0/human"]),
        ([{"human": "pass", "label": "pass"}], ["/0/outcome"]),
        ([{"human": 4, "outcome": "pass"}], ["/0/human"]),
        ([{"human": 4, "score": 3}, {"human": 4, "outcome": "pass"}], ["/1/score"]),
        ([{"human": 4, "score": 3}, {"human": "pass", "score": 3}], ["/1/human"]),
        ([{"human": "good", "outcome": "good"}, {"human": "bad", "score": 3}], ["/1/outcome"]),
        ([{"human": "good", "label": "good"}, {"human": "bad", "outcome": "pass"}], ["/1/label"]),
        ([{"repeats": [1, 2]}, {"repeats": ["pass", "fail"]}], ["/1/repeats"]),
        ([{"human": f"label {at}", "outcome": "label 0"} for at in range(101)], [""]),
    ],
)
def test_rows_that_cannot_be_compared_are_refused_at_their_place(rows, pointers):
    assert pointers_of(*rows) == pointers


SCORES = st.sampled_from([0, 1, 2, 5, 0.25, 1e12, -1e12, 1e-300])
VERDICTS = st.sampled_from(["pass", "fail", "abstained", "error"])
CATEGORIES = st.sampled_from(["good", "bad", "ugly"])


def rows_of(human, judged, reply):
    """Make lists of rows: humans one or several or none, replies with gaps."""
    fields = {"human": human | st.lists(human, max_size=3), "repeats": st.lists(reply | st.none(), max_size=4)}
    return st.lists(st.fixed_dictionaries(judged, optional=fields), max_size=6)


ROWS = st.one_of(
    rows_of(st.sampled_from(["pass", "fail"]), {"outcome": VERDICTS}, VERDICTS),
    rows_of(st.sampled_from(["pass", "fail"]), {"score": SCORES}, SCORES),
    rows_of(CATEGORIES, {"outcome": CATEGORIES | VERDICTS}, CATEGORIES),
    rows_of(SCORES, {"score": SCORES}, SCORES),
    rows_of(SCORES | VERDICTS, {"outcome": VERDICTS, "score": SCORES | st.none()}, SCORES | VERDICTS),
)


def report_or_refusal(rows, threshold):
    try:
        return report_of(*rows, threshold=threshold, pass_categories=["good"] if threshold else [])
    except Refused as refused:
        return {"problems": len(refused.problems)}


def undefined_without_reason(part):
    """Return the figures of a report, nested ones included, that are null with no reason beside them."""
    if isinstance(part, list):
        return [name for item in part for name in undefined_without_reason(item)]
    if not isinstance(part, dict):
        return []
    silent = [name for name, value in part.items() if value is None and f"{name}_reason" not in part]
    return silent + [name for value in part.values() for name in undefined_without_reason(value)]


@settings(max_examples=100, deadline=None)
@given(ROWS, st.sampled_from([None, 1, 0.5]))
def test_any_rows_give_strict_json_or_are_refused(rows, threshold):
    report = report_or_refusal(rows, threshold)

    assert json.loads(json.dumps(report, allow_nan=False)) == report
    assert set(undefined_without_reason(report)) <= {"pass_threshold"}


def test_the_adjudicated_label_counts_in_the_matrix_and_the_labellers_own_among_humans():
    report = report_of({"human": ["pass", "fail"], "adjudicated": "fail", "outcome": "fail"})

    assert (report["n_human_ties"], report["confusion_matrix"]["tn"]) == (0, 1)
    assert report["human_agreement"]["mean_pairwise_agreement"] == 0.0


def test_an_adjudicated_label_of_another_kind_is_refused():
    assert pointers_of({"human": "pass", "adjudicated": 3, "outcome": "pass"}) == ["/0/human"]
