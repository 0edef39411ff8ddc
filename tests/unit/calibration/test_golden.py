"""The golden figures, computed with reference libraries; most of them come out of a whole report."""

import json
import random
from pathlib import Path

import pytest

from evalbook.calibration.alpha import alpha_interval, alpha_nominal, alpha_ordinal
from evalbook.calibration.correction import JudgeErrors, PassCount, rogan_gladen
from evalbook.calibration.figures import as_json
from evalbook.calibration.kappa import kappa_value
from evalbook.calibration.rates import mcnemar_exact, wilson
from evalbook.calibration.report import calibrate
from evalbook.calibration.resampling import bootstrap
from evalbook.calibration.rows import read_rows


def report_of(lines, **options):
    return calibrate(read_rows(lines), **options)


GOLDEN = json.loads((Path(__file__).parent / "golden.json").read_text())
BINARY = [name for name in GOLDEN if name.startswith("binary_")]
CORRECTED = [name for name in GOLDEN if name.startswith("rg_")]
ROUNDED = {"gwet_ac1_se_irrCAC": "gwet_ac1_se"}
NOTES = {"alpha_note", "note", "reason"}


def lines(counted):
    """Make a JSON line for each of the counted fields."""
    rows = [fields for fields, count in counted for _ in range(count)]
    return [json.dumps({"case_id": f"case-{at}", **fields}) for at, fields in enumerate(rows)]


def binary_lines(counts):
    return lines(
        [
            ({"human": "pass", "outcome": "pass"}, counts["tp"]),
            ({"human": "pass", "outcome": "fail"}, counts["fn"]),
            ({"human": "fail", "outcome": "pass"}, counts["fp"]),
            ({"human": "fail", "outcome": "fail"}, counts["tn"]),
            ({"human": "pass", "outcome": "abstained"}, counts.get("abstained_human_pass", 0)),
            ({"human": "fail", "outcome": "abstained"}, counts.get("abstained_human_fail", 0)),
        ]
    )


def table_lines(labels, matrix, key):
    return lines(
        [({"human": labels[i], key: labels[j]}, count) for i, row in enumerate(matrix) for j, count in enumerate(row)]
    )


def assert_figures(actual, expected):
    for name, value in expected.items():
        if name in NOTES:
            continue
        tolerance = 2e-5 if name in ROUNDED else 1e-9
        found = actual[ROUNDED.get(name, name)]
        assert found == (None if value is None else pytest.approx(value, abs=tolerance, rel=0)), name


@pytest.mark.parametrize("name", BINARY)
def test_a_binary_report_has_the_golden_figures(name):
    case = GOLDEN[name]

    report = report_of(binary_lines(case["input"]))

    expected = dict(case["expected"])
    reason = expected.pop("cohen_kappa_reason", None)
    assert_figures(report, expected)
    assert report.get("cohen_kappa_reason") == reason


def test_a_categorical_report_has_the_golden_figures():
    case = GOLDEN["categorical_3"]
    expected = dict(case["expected"])
    categories, binarised = expected.pop("per_category"), expected.pop("binarised_pass")

    report = report_of(
        table_lines(case["input"]["categories"], case["input"]["matrix_rows_human"], "outcome"),
        pass_categories=binarised.pop("pass_categories"),
    )

    assert_figures(report, expected)
    for category, figures in categories.items():
        assert_figures(report["per_category"][category], figures)
    assert_figures(report["binarised_pass"] | report["binarised_pass"]["confusion_matrix"], binarised)


def test_an_ordinal_report_has_the_golden_figures():
    case = GOLDEN["ordinal_1_5"]

    report = report_of(table_lines(case["input"]["scale"], case["input"]["matrix_rows_human"], "score"))

    assert report["kind"] == "ordinal"
    assert_figures(report, case["expected"])


def test_a_continuous_report_has_the_golden_figures():
    case = GOLDEN["continuous_ties"]
    pairs = zip(case["input"]["human"], case["input"]["judge"], strict=True)

    report = report_of(lines([({"human": human, "score": judge}, 1) for human, judge in pairs]))

    assert report["kind"] == "continuous"
    assert_figures(report, case["expected"])


def test_correlations_with_a_constant_judge_are_null_with_a_reason():
    case = GOLDEN["continuous_constant_judge"]
    pairs = zip(case["input"]["human"], case["input"]["judge"], strict=True)

    report = report_of(lines([({"human": human, "score": judge}, 1) for human, judge in pairs]))

    assert_figures(report, case["expected"])
    assert all(report[f"{name}_reason"].startswith("constant: ") for name in ("pearson", "spearman", "kendall_tau_b"))


def test_alpha_with_gaps_is_the_published_one():
    case = GOLDEN["krippendorff_missing"]
    columns = zip(*case["input"]["raters_by_unit"], strict=True)
    units = [[label for label in column if label is not None] for column in columns]

    alphas = {
        "alpha_nominal": alpha_nominal(units),
        "alpha_ordinal": alpha_ordinal(units),
        "alpha_interval": alpha_interval(units),
    }

    assert_figures(alphas, case["expected"])


def test_repeats_have_the_golden_stability():
    case = GOLDEN["repeat_stability"]

    report = report_of(lines([({"repeats": replies}, 1) for replies in case["input"]["cases_by_repeat"]]))

    assert_figures(report["stability"], case["expected"])


@pytest.mark.parametrize("name", CORRECTED)
def test_a_corrected_pass_rate_is_the_golden_one(name):
    counts, expected = GOLDEN[name]["input"], GOLDEN[name]["expected"]
    errors = JudgeErrors(counts["tp"], counts["n_human_pass"], counts["tn"], counts["n_human_fail"])

    corrected = rogan_gladen(PassCount(counts["judge_pass"], counts["n"]), errors)

    figures = as_json({"corrected": corrected.value, "unclipped": corrected.unclipped, "interval": corrected.interval})
    assert figures["corrected"] == (expected["corrected"] and pytest.approx(expected["corrected"], abs=1e-9))
    if expected["corrected"] is None:
        assert figures["corrected_reason"].startswith(expected["reason"])
    else:
        assert figures["unclipped"] == pytest.approx(expected["unclipped"], abs=1e-9)
        assert figures["interval"] == pytest.approx([expected["low"], expected["high"]], abs=1e-9)


@pytest.mark.parametrize("case", GOLDEN["wilson"]["expected"])
def test_a_wilson_interval_is_the_golden_one(case):
    interval = wilson(case["k"], case["n"])

    assert interval == pytest.approx((case["low"], case["high"]), abs=1e-9)


def test_a_bootstrap_of_kappa_is_the_golden_one():
    expected = GOLDEN["bootstrap_kappa"]["expected"]

    drawn = bootstrap(
        ((45, 5), (8, 42)), {"kappa": kappa_value}, uniform=random.Random(20260101).random, resamples=expected["B"]
    )

    assert drawn.intervals["kappa"] == pytest.approx((expected["low"], expected["high"]), abs=1e-9)
    assert drawn.defined["kappa"] == expected["defined"]


def test_two_versions_are_compared_by_the_golden_mcnemar_test():
    case = GOLDEN["mcnemar_versions"]

    p = mcnemar_exact(case["input"]["only_v1_right"], case["input"]["only_v2_right"])

    assert p == pytest.approx(case["expected"]["p_exact"], abs=1e-9)


def test_abstentions_are_reported_as_in_the_golden_case():
    case = GOLDEN["abstention"]

    report = report_of(binary_lines(case["input"]))

    assert_figures(report["abstention"], case["expected"])


def test_every_golden_case_has_a_test():
    single = {
        "_meta", "categorical_3", "ordinal_1_5", "continuous_ties", "continuous_constant_judge", "abstention",
        "krippendorff_missing", "repeat_stability", "ppi_mean", "wilson", "bootstrap_kappa", "mcnemar_versions",
    }  # fmt: skip

    assert single | {*BINARY, *CORRECTED} == set(GOLDEN)
