"""The report as a page, and the rows about single cases that it may list."""

import json
from html.parser import HTMLParser

import pytest

from evalbook.calibration.cases import case_figures, disagreements
from evalbook.calibration.report import calibrate
from evalbook.calibration.rows import read_rows
from evalbook.reports.calibration_page import render_html

VOID = {"meta"}


class Outline(HTMLParser):
    """Collects texts by section heading, the tags, and whether tags are balanced."""

    def __init__(self, page):
        super().__init__()
        self.open, self.tags, self.sections, self.heading = [], [], {}, ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "h2":
            self.heading = data
        self.sections.setdefault(self.heading, []).append(data)


def rows_of(*rows):
    return read_rows([json.dumps({"case_id": f"case-{at}", **row}) for at, row in enumerate(rows)])


SCORED = [
    {"human": human, "score": judge, "repeats": [judge, human]}
    for human, judge in [(1, 2), (2, 2), (3, 4), (4, 4), (5, 5), (5, 3)]
]
BINARY = [
    {"human": "pass", "outcome": "pass", "repeats": ["pass", "fail"]},
    {"human": "fail", "outcome": "pass"},
    {"human": "fail", "outcome": "abstained"},
]
CATEGORICAL = [{"human": "<good>", "outcome": "<good>"}, {"human": "b&d", "outcome": "<good>"}]


def outline_of(rows, **options):
    read = rows_of(*rows)
    report = calibrate(read, **options) | {"disagreements": disagreements(read, **options)}
    return Outline(render_html(report))


@pytest.mark.parametrize("rows", [SCORED, BINARY, CATEGORICAL, []])
def test_a_page_is_balanced(rows):
    outline = outline_of(rows)

    assert outline.open == []
    assert outline.tags[0][0] == "html"


@pytest.mark.parametrize("rows", [SCORED, BINARY, CATEGORICAL])
def test_a_page_asks_nothing_of_a_network_and_runs_no_script(rows):
    outline = outline_of(rows)

    assert not {"script", "link", "img", "iframe", "object"} & {tag for tag, _ in outline.tags}
    assert not {"src", "href", "onclick"} & {name for _, attributes in outline.tags for name in attributes}


def test_a_page_of_a_scored_judge_has_every_part():
    sections = outline_of(SCORED, threshold=4).sections

    assert {
        "Agreement with 95 % intervals", "Confusion matrix", "Figures", "Reliability by repeat", "Threshold sweep",
        "Binarised pass", "Stability", "Disagreements",
    } <= set(sections)  # fmt: skip


def test_a_page_says_that_labels_are_too_few():
    outline = outline_of(BINARY)

    assert any(attributes.get("class") == "status insufficient" for _, attributes in outline.tags)
    assert "insufficient" in outline.sections[""]


def test_a_page_shows_the_counts_of_the_matrix():
    texts = outline_of(SCORED * 3, threshold=4).sections["Confusion matrix"]

    assert {"human pass", "human fail", "67% of row", "6"} <= set(texts)


def test_a_page_shows_undecided_cases_by_human_label():
    texts = outline_of(BINARY).sections["Undecided cases"]

    assert {"abstained", "human fail", "human pass", "0.5"} <= set(texts)


def test_a_page_gives_the_reason_of_an_undefined_figure():
    texts = " ".join(outline_of(BINARY[:1]).sections["Figures"])

    assert "no_human_fail: no decided case has the human label fail" in texts


def test_a_page_shows_how_far_humans_agree():
    texts = outline_of([{"human": ["pass", "fail", "pass"], "outcome": "pass"}]).sections["Human agreement"]

    assert "0.3333" in texts


def test_labels_are_escaped():
    page = render_html(calibrate(rows_of(*CATEGORICAL)))

    assert "<good>" not in page
    assert "&lt;good&gt;" in page


def test_case_ids_are_escaped():
    rows = read_rows([json.dumps({"case_id": "<script>x</script>", "human": "pass", "outcome": "fail"})])

    page = render_html(calibrate(rows) | {"disagreements": disagreements(rows)})

    assert "<script" not in page
    assert "&lt;script&gt;x&lt;/script&gt;" in page


def test_a_page_without_disagreements_names_no_case():
    page = render_html(calibrate(rows_of(*BINARY)))

    assert "case-" not in page


def test_long_categories_are_shortened_in_the_matrix():
    long = "a very long category name"

    texts = outline_of([{"human": long, "outcome": long}, {"human": "b", "outcome": long}]).sections["Confusion matrix"]

    assert "a very long…" in texts


def test_a_page_survives_a_round_trip_of_its_report_through_json():
    report = calibrate(rows_of(*SCORED), threshold=4)

    assert render_html(json.loads(json.dumps(report))) == render_html(report)


def test_disagreements_are_the_cases_judged_otherwise():
    assert disagreements(rows_of(*BINARY)) == [
        {"case_id": "case-1", "human": "fail", "judge": "pass", "undecided": None, "agrees": False, "repeats": None}
    ]


def test_scores_disagree_across_the_threshold_only():
    found = disagreements(rows_of(*SCORED), threshold=4)

    assert [case["case_id"] for case in found] == ["case-2", "case-5"]


def test_a_case_shows_the_spread_of_its_replies():
    (case,) = case_figures(rows_of({"human": 4, "score": 4, "repeats": [3, 5, None]}))

    assert case["repeats"] == {"replies": [3.0, 5.0, None], "min": 3.0, "max": 5.0, "mean": 4.0, "stdev": 1.0}


def test_a_case_without_human_has_no_agreement():
    (case,) = case_figures(rows_of({"outcome": "pass", "repeats": ["pass"]}))

    assert (case["human"], case["agrees"], case["repeats"]) == (None, None, {"replies": ["pass"]})


def test_a_stored_report_says_what_was_measured_and_what_is_missing():
    bound = {"split": "dev", "partial": True, "partial_reasons": {"BUDGET_EXHAUSTED": 3}, "errors_by_code": {}}

    sections = Outline(render_html(calibrate(rows_of(*BINARY)) | {"calibration": bound})).sections

    assert "dev" in sections["What was measured"]
    assert any("3 BUDGET_EXHAUSTED" in text for text in sections[""])


def test_a_report_of_all_that_was_asked_says_nothing_of_missing_cases():
    page = render_html(calibrate(rows_of(*BINARY)) | {"calibration": {"partial": False, "partial_reasons": {}}})

    assert "partial</strong>" not in page
