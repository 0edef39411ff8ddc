"""Properties of the single statistics."""

from itertools import combinations, islice
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbook.calibration.alpha import alpha_interval, alpha_nominal, alpha_ordinal
from evalbook.calibration.association import bland_altman, fisher_ci, kendall_tau_b, lin_ccc, pearson, ranks, spearman
from evalbook.calibration.confusion import Confusion
from evalbook.calibration.correction import (
    JudgeErrors,
    PassCount,
    correction_usable,
    rogan_gladen,
)
from evalbook.calibration.figures import Undefined, as_json
from evalbook.calibration.kappa import alpha_of_table, cohen_kappa, gwet_ac1, kappa_value
from evalbook.calibration.rates import mcnemar_exact, wilson
from evalbook.calibration.resampling import bootstrap, resamples_for, seed_of, uniforms
from evalbook.calibration.stability import fleiss_kappa
from evalbook.calibration.thresholds import roc_auc, threshold_sweep

COUNTS = st.integers(0, 12)
TABLES = st.integers(2, 4).flatmap(lambda k: st.lists(st.lists(COUNTS, min_size=k, max_size=k), min_size=k, max_size=k))
SCORES = st.integers(-3, 3).map(float)
PAIRS = st.lists(st.tuples(SCORES, SCORES), min_size=2, max_size=25)


def same(actual, expected):
    if isinstance(expected, Undefined):
        return isinstance(actual, Undefined)
    return actual == pytest.approx(expected, abs=1e-9)


@given(TABLES)
def test_kappa_without_its_error_is_the_same_kappa(table):
    assert same(kappa_value(table), cohen_kappa(table).value)


@given(TABLES)
def test_alpha_of_a_table_is_alpha_of_its_pairs(table):
    pairs = [(i, j) for i, row in enumerate(table) for j, count in enumerate(row) for _ in range(count)]

    assert same(alpha_of_table(table), alpha_nominal(pairs))


@given(TABLES)
def test_kappa_does_not_care_who_is_the_human(table):
    turned = [list(column) for column in zip(*table, strict=True)]

    assert same(kappa_value(turned), kappa_value(table))


@given(PAIRS)
def test_kendall_counts_like_the_definition(pairs):
    signs = [((a > c) - (a < c)) * ((b > d) - (b < d)) for (a, b), (c, d) in combinations(pairs, 2)]
    untied = [sum(one[at] != other[at] for one, other in combinations(pairs, 2)) for at in (0, 1)]

    tau = kendall_tau_b(*zip(*pairs, strict=True))

    assert same(tau, sum(signs) / sqrt(untied[0] * untied[1]) if all(untied) else Undefined(""))


@given(PAIRS)
def test_correlations_lie_within_minus_one_and_one(pairs):
    first, second = zip(*pairs, strict=True)

    for r in (pearson(first, second), spearman(first, second), kendall_tau_b(first, second), lin_ccc(first, second)):
        assert isinstance(r, Undefined) or -1 <= r <= 1


@given(st.integers(0, 60), st.integers(0, 60))
def test_a_wilson_interval_holds_its_rate(successes, failures):
    n = successes + failures

    interval = wilson(successes, n)

    assert isinstance(interval, Undefined) if n == 0 else interval[0] <= successes / n + 1e-12 <= interval[1] + 2e-12


@given(st.integers(0, 40), st.integers(0, 40))
def test_mcnemar_does_not_care_which_is_first(b, c):
    assert mcnemar_exact(b, c) == mcnemar_exact(c, b)


def test_mcnemar_of_many_discordant_cases_is_no_overflow():
    assert mcnemar_exact(3000, 3000) == 1.0


@given(st.lists(st.tuples(SCORES, st.booleans()), min_size=1, max_size=30))
def test_a_sweep_counts_like_the_definition(scored):
    for row in threshold_sweep(scored):
        passes = [(human, score >= row["threshold"]) for score, human in scored]
        assert Confusion.of(passes).cells == {name: row[name] for name in ("tp", "fn", "fp", "tn")}


@given(st.lists(st.tuples(SCORES, st.booleans()), max_size=30))
def test_the_area_under_the_curve_counts_ordered_pairs(scored):
    passed, failed = ([score for score, human in scored if human is side] for side in (True, False))
    wins = [(p > f) + (p == f) / 2 for p in passed for f in failed]

    assert same(roc_auc(scored), sum(wins) / len(wins) if wins else Undefined(""))


def test_ties_share_their_mean_rank():
    assert ranks([3.0, 1.0, 3.0]) == [2.5, 1.0, 2.5]


@pytest.mark.parametrize("alpha", [alpha_nominal, alpha_ordinal, alpha_interval])
def test_units_with_one_label_are_left_out_of_alpha(alpha):
    assert alpha([[1.0, 1.0], [2.0, 1.0], [2.0, 2.0], [9.0]]) == alpha([[1.0, 1.0], [2.0, 1.0], [2.0, 2.0]])


@pytest.mark.parametrize("alpha", [alpha_nominal, alpha_ordinal, alpha_interval])
def test_alpha_without_pairs_or_variation_is_undefined(alpha):
    reasons = [alpha([[1.0]]).reason, alpha([[0.1, 0.1], [0.1, 0.1, 0.1]]).reason]

    assert [reason.split(":")[0] for reason in reasons] == ["no_pairs", "no_variation"]


def test_fleiss_kappa_without_variation_is_undefined():
    assert fleiss_kappa([["a", "a"], ["a", "a"]]).reason.startswith("no_variation: ")


@pytest.mark.parametrize(("r", "n", "code"), [(0.5, 3, "too_few"), (1.0, 9, "perfect")])
def test_a_fisher_interval_is_undefined_for_three_cases_or_a_perfect_correlation(r, n, code):
    assert fisher_ci(r, n).reason.startswith(code)


def test_limits_of_agreement_need_two_cases():
    assert bland_altman([0.5]).reason.startswith("too_few")


def test_equal_counts_give_an_equal_seed():
    assert seed_of([[1, 2], [3, 4]]) == seed_of(((1, 2), (3, 4))) != seed_of([[1, 2], [4, 3]])


def test_uniform_numbers_are_the_same_for_a_seed_and_spread_evenly():
    numbers = list(islice(uniforms(7), 4000))

    assert numbers == list(islice(uniforms(7), 4000)) != list(islice(uniforms(8), 4000))
    assert all(0 <= number < 1 for number in numbers)
    assert [sum(int(number * 4) == quarter for number in numbers) for quarter in range(4)] == pytest.approx(
        [1000] * 4, abs=100
    )


def test_a_bootstrap_interval_of_kappa_is_near_the_normal_one():
    table = ((90, 10), (16, 84))

    drawn = bootstrap(table, {"kappa": kappa_value}, uniform=uniforms(seed_of(table)).__next__, resamples=1000)

    assert drawn.intervals["kappa"] == pytest.approx(cohen_kappa(table).ci95, abs=0.02)


def test_a_bootstrap_drops_and_counts_undefined_resamples():
    drawn = bootstrap([[3, 0], [0, 1]], {"kappa": kappa_value}, uniform=uniforms(1).__next__, resamples=100)

    assert 0 < drawn.defined["kappa"] < 100


def test_a_bootstrap_of_no_case_has_no_interval():
    drawn = bootstrap([[0, 0], [0, 0]], {"kappa": kappa_value}, uniform=uniforms(1).__next__, resamples=100)

    assert drawn.intervals["kappa"].reason.startswith("no_resample: ")


@pytest.mark.parametrize(("n", "resamples"), [(0, 1000), (500, 1000), (6000, 500), (10**6, 100)])
def test_many_cases_are_resampled_less_often(n, resamples):
    assert resamples_for(n) == resamples


def test_ac1_of_one_case_has_no_error():
    value, error = gwet_ac1([[1, 0], [0, 0]])

    assert (value, isinstance(error, Undefined)) == (1.0, True)


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 30), st.integers(0, 30))
def test_the_corrected_pass_rate_of_the_labelled_cases_is_the_humans(tp, fn, fp, tn):
    counts = Confusion(tp, fn, fp, tn)
    errors = JudgeErrors(tp, counts.n_human_pass, tn, counts.n_human_fail)

    corrected = rogan_gladen(PassCount(tp + fp, counts.n), errors)

    assert isinstance(corrected.value, Undefined) or corrected.value == pytest.approx(counts.n_human_pass / counts.n)


@pytest.mark.parametrize(
    ("errors", "usable"),
    [
        (JudgeErrors(28, 30, 28, 30), True),
        (JudgeErrors(28, 29, 28, 30), False),
        (JudgeErrors(18, 30, 18, 30), False),
        (JudgeErrors(0, 0, 28, 30), False),
    ],
)
def test_a_correction_needs_thirty_labels_a_class_and_a_judge_surely_better_than_chance(errors, usable):
    assert correction_usable(errors) is usable


def test_a_judge_that_is_right_seven_and_three_times_of_ten_says_nothing():
    corrected = rogan_gladen(PassCount(5, 10), JudgeErrors(7, 10, 3, 10))

    assert corrected.value.reason.startswith("judge_not_informative")


def test_few_labels_can_leave_an_estimate_without_an_interval():
    corrected = rogan_gladen(PassCount(5, 10), JudgeErrors(1, 1, 1, 100))

    assert corrected.value == 0.0
    assert corrected.interval.reason.startswith("judge_not_informative")


def test_what_is_not_finite_becomes_null_with_a_reason():
    figures = as_json({"a": float("nan"), "b": (0.0, float("inf")), "c": {"d": float("-inf")}})

    assert (figures["a"], figures["b"], figures["c"]["d"]) == (None, None, None)
    assert figures["a_reason"].startswith("not_finite: ")
