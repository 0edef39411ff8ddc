"""Every statistic against the libraries that others use, on random tables.

Needs the requirement group `reference` (scikit-learn, scipy, statsmodels, krippendorff); without it this module fails.
"""

import random
import warnings

import krippendorff
import numpy as np
import pytest
from scipy import stats
from sklearn import metrics
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.inter_rater import fleiss_kappa as reference_fleiss
from statsmodels.stats.proportion import proportion_confint

from evalbook.calibration.agreement import categorical_figures, scored_figures, table_of
from evalbook.calibration.alpha import alpha_interval, alpha_nominal, alpha_ordinal
from evalbook.calibration.association import fisher_ci, pearson
from evalbook.calibration.confusion import Confusion, pass_fail_figures
from evalbook.calibration.figures import as_json
from evalbook.calibration.kappa import cohen_kappa, distance_weights, weighted_kappa
from evalbook.calibration.rates import mcnemar_exact, wilson
from evalbook.calibration.stability import fleiss_kappa
from evalbook.calibration.thresholds import roc_auc

SEEDS = range(40)


def near(value):
    return pytest.approx(value, abs=1e-9)


def labels_of(seed, size, n=80):
    """Draw labels of a human and of a judge that agrees with about two of three."""
    rng = random.Random(seed)
    human = [rng.randrange(size) for _ in range(n)]
    return human, [label if rng.random() < 0.6 else rng.randrange(size) for label in human]


def scores_of(seed, n=60):
    """Draw scores with ties on both sides."""
    rng = random.Random(seed)
    human = [rng.randrange(20) / 10 for _ in range(n)]
    return human, [score + rng.randrange(-5, 6) / 10 for score in human]


def table_with(seed, size):
    human, judge = labels_of(seed, size)
    return table_of(list(zip(human, judge, strict=True)), range(size))


@pytest.mark.parametrize("seed", SEEDS)
def test_kappa_its_error_and_interval_are_those_of_statsmodels(seed):
    table = table_with(seed, 2 + seed % 4)

    ours, theirs = cohen_kappa(table), cohens_kappa(table)

    assert (ours.value, ours.se) == (near(theirs.kappa), near(theirs.std_kappa))
    assert ours.ci95 == (near(theirs.kappa_low), near(theirs.kappa_upp))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("power", "kind"), [(1, "linear"), (2, "quadratic")])
def test_weighted_kappa_and_its_error_are_those_of_statsmodels(seed, power, kind):
    levels = [0.0, 1.0, 2.0, 4.0, 5.0]
    table = table_with(seed, len(levels))

    ours = weighted_kappa(table, distance_weights(levels, power))
    theirs = cohens_kappa(table, weights=np.array(levels), wt=kind)

    assert (ours.value, ours.se) == (near(theirs.kappa), near(theirs.std_kappa))


@pytest.mark.parametrize("seed", SEEDS)
def test_pass_and_fail_figures_are_those_of_scikit_learn(seed):
    human, judge = ([label == 0 for label in labels] for labels in labels_of(seed, 2))

    ours = pass_fail_figures(Confusion.of(zip(human, judge, strict=True)))

    assert ours["agreement"] == near(metrics.accuracy_score(human, judge))
    assert ours["balanced_accuracy"] == near(metrics.balanced_accuracy_score(human, judge))
    assert ours["tpr"] == near(metrics.recall_score(human, judge))
    assert ours["tnr"] == near(metrics.recall_score(human, judge, pos_label=False))
    assert ours["precision"] == near(metrics.precision_score(human, judge))
    assert ours["npv"] == near(metrics.precision_score(human, judge, pos_label=False))
    assert ours["f1"] == near(metrics.f1_score(human, judge))
    assert ours["mcc"] == near(metrics.matthews_corrcoef(human, judge))
    assert ours["cohen_kappa"] == near(metrics.cohen_kappa_score(human, judge))


@pytest.mark.parametrize("seed", SEEDS)
def test_categorical_figures_are_those_of_scikit_learn(seed):
    human, judge = labels_of(seed, 4)
    table = table_of(list(zip(human, judge, strict=True)), range(4))

    ours = categorical_figures(table, ["a", "b", "c", "d"])

    recall = metrics.recall_score(human, judge, average=None, labels=range(4))
    precision = metrics.precision_score(human, judge, average=None, labels=range(4))
    assert table == metrics.confusion_matrix(human, judge).tolist()
    assert ours["macro_f1"] == near(metrics.f1_score(human, judge, average="macro"))
    assert ours["balanced_accuracy"] == near(metrics.balanced_accuracy_score(human, judge))
    assert [figures["recall"] for figures in ours["per_category"].values()] == near(recall)
    assert [figures["precision"] for figures in ours["per_category"].values()] == near(precision)


@pytest.mark.parametrize("seed", SEEDS)
def test_scored_figures_are_those_of_scipy_and_scikit_learn(seed):
    human, judge = scores_of(seed)

    ours = scored_figures(human, judge, ordinal=False)

    assert ours["pearson"] == near(stats.pearsonr(human, judge).statistic)
    assert ours["spearman"] == near(stats.spearmanr(human, judge).statistic)
    assert ours["kendall_tau_b"] == near(stats.kendalltau(human, judge).statistic)
    assert ours["mae"] == near(metrics.mean_absolute_error(human, judge))
    assert ours["rmse"] == near(metrics.root_mean_squared_error(human, judge))
    assert ours["lin_ccc"] == near(
        2 * np.cov(human, judge, ddof=0)[0, 1]
        / (np.var(human) + np.var(judge) + (np.mean(human) - np.mean(judge)) ** 2)
    )  # fmt: skip


@pytest.mark.parametrize("seed", SEEDS)
def test_the_interval_of_a_correlation_is_that_of_scipy(seed):
    human, judge = scores_of(seed)

    theirs = stats.pearsonr(human, judge).confidence_interval(0.95)

    assert fisher_ci(pearson(human, judge), len(human)) == (near(theirs.low), near(theirs.high))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("alpha", "level"), [(alpha_nominal, "nominal"), (alpha_ordinal, "ordinal"), (alpha_interval, "interval")]
)
def test_alpha_with_gaps_is_that_of_krippendorff(seed, alpha, level):
    rng = random.Random(seed)
    units = [[rng.randrange(1, 6) if rng.random() < 0.8 else None for _ in range(4)] for _ in range(30)]
    ours = [[label for label in unit if label is not None] for unit in units]
    theirs = np.array([[np.nan if label is None else label for label in unit] for unit in units], dtype=float).T

    expected = krippendorff.alpha(reliability_data=theirs, level_of_measurement=level)

    assert alpha(ours) == near(expected)


@pytest.mark.parametrize("seed", SEEDS)
def test_fleiss_kappa_is_that_of_statsmodels(seed):
    rng = random.Random(seed)
    units = [[rng.choice("aab") for _ in range(5)] for _ in range(25)]
    table = [[unit.count(label) for label in "ab"] for unit in units]

    assert fleiss_kappa(units) == near(reference_fleiss(table))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_wilson_interval_is_that_of_statsmodels(seed):
    rng = random.Random(seed)
    n = rng.randrange(1, 400)
    successes = rng.randrange(n + 1)

    assert wilson(successes, n) == near(proportion_confint(successes, n, method="wilson"))


@pytest.mark.parametrize("seed", SEEDS)
def test_mcnemar_is_that_of_statsmodels(seed):
    rng = random.Random(seed)
    b, c = rng.randrange(40), rng.randrange(40)

    assert mcnemar_exact(b, c) == near(mcnemar([[5, b], [c, 5]], exact=True).pvalue)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_area_under_the_curve_is_that_of_scikit_learn(seed):
    rng = random.Random(seed)
    scored = [(float(rng.randrange(8)), rng.random() < 0.5) for _ in range(50)]

    assert roc_auc(scored) == near(
        metrics.roc_auc_score([human for _, human in scored], [score for score, _ in scored])
    )


def test_what_scipy_calls_nan_is_null_here():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", stats.ConstantInputWarning)
        theirs = stats.pearsonr([1, 2, 3], [2, 2, 2]).statistic

    assert np.isnan(theirs)
    assert as_json({"pearson": pearson([1.0, 2.0, 3.0], [2.0, 2.0, 2.0])})["pearson"] is None
