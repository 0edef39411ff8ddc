"""The stored report of a calibration: it fits where it is kept, whatever the judge and the labels are like."""

import json
import random

import pytest

from evalbook.services.calibration.case_outcome import CaseOutcome
from evalbook.services.calibration.labelled_cases import read_labelled
from evalbook.services.calibration.report import MAX_REPORT_BYTES, CalibrationStudy, report_of, rows_of
from tests.fakes.calibrations import CalibrationBench

SCORED = {"score_type": "continuous", "minimum": 0, "maximum": 10, "pass_threshold": 5}
LABELS = [chr(0x4E00 + number) * 200 for number in range(100)]
CATEGORICAL = {"score_type": "categorical", "categories": LABELS, "pass_categories": LABELS[:3]}


def study_of(bench, rows):
    record = bench.ask(("pass", "pass")) if bench.parameters.score_type == "binary" else bench.ask(("1", rows[0][0]))
    entries = [{"case": {"case_id": f"c{at}"}, "human": human} for at, (human, _) in enumerate(rows)]
    outcomes = {at: outcome for at, (_, outcome) in enumerate(rows) if outcome is not None}
    return CalibrationStudy(record, bench.parameters, read_labelled(entries, bench.parameters), outcomes)


def report(study):
    return json.loads(report_of(study, "2026-11-30T13:00:00Z"))


def test_a_report_of_five_hundred_cases_with_ten_replies_each_is_kept_whole():
    draw = random.Random(1)
    rows = [
        (
            draw.uniform(0, 10),
            CaseOutcome(outcome="pass", score=draw.uniform(0, 10), repeats=[draw.uniform(0, 10)] * 10),
        )
        for _ in range(500)
    ]

    found = report(study_of(CalibrationBench(repeat_count=10, **SCORED), rows))

    assert "omitted" not in found
    assert found["n_decided"] == 500


def test_a_report_that_would_not_fit_leaves_its_largest_parts_out_and_says_so():
    draw = random.Random(1)
    outcomes = ("error", "timeout", "abstained", "inconclusive", "unsupported", "skipped")
    rows = [(draw.choice(LABELS), CaseOutcome(outcome="pass", label=draw.choice(LABELS))) for _ in range(200)]
    rows += [(draw.choice(LABELS), CaseOutcome(outcome=draw.choice(outcomes))) for _ in range(300)]
    study = study_of(CalibrationBench(**CATEGORICAL), rows)

    found = report(study)

    assert len(report_of(study, "2026-11-30T13:00:00Z").encode()) <= MAX_REPORT_BYTES
    assert found["omitted"]
    assert all(part not in found for part in found["omitted"])
    assert found["agreement"] is not None


def test_a_case_without_outcome_is_an_error_and_the_report_partial():
    study = study_of(CalibrationBench(), [("pass", CaseOutcome(outcome="pass")), ("fail", None)])

    bound = report(study)["calibration"]

    assert (bound["errors_by_code"], bound["partial_reasons"]) == ({"SCORING_FAILED": 1}, {"DEADLINE": 1})


@pytest.mark.parametrize("outcome", ["timeout", "unsupported", "skipped", "error"])
def test_only_judgements_enter_the_matrix(outcome):
    study = study_of(
        CalibrationBench(), [("pass", CaseOutcome(outcome="pass")), ("fail", CaseOutcome(outcome=outcome))]
    )

    assert report(study)["n_decided"] == 1
    assert report(study)["calibration"]["errors"] == 1


def test_rows_quote_no_case():
    study = study_of(CalibrationBench(), [("pass", CaseOutcome(outcome="pass"))])

    assert [row["case_id"] for row in json.loads(rows_of(study))] == ["c0"]
