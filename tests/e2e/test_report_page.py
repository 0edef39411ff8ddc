"""The page of `evalbook calibrate --html`, in a browser, as its reader sees it."""

import json
import shutil
import subprocess
import sys
from itertools import pairwise

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
QUIET = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
HOSTILE = "<img src=x onerror=\"document.title='taken'\">"
SCORES = [(5, 5), (4, 4), (4, 2), (5, 4), (1, 1), (2, 2), (2, 4), (1, 2)] * 8

pytestmark = pytest.mark.skipif(
    not (CHROMIUM and DRIVER), reason="needs chromium and chromedriver on the path (Debian: chromium, chromium-driver)"
)


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    rows = [
        {"case_id": f"case-{at}", "human": human, "score": score, "repeats": [score, score, human]}
        for at, (human, score) in enumerate(SCORES)
    ]
    rows[2]["case_id"] = HOSTILE
    page = folder / "report.html"
    subprocess.run(
        [sys.executable, "-m", "evalbook.cli", "calibrate", "--threshold", "3", "--html", str(page)],
        input="\n".join(map(json.dumps, rows)),
        text=True,
        capture_output=True,
        check=True,
    )
    return page.as_uri()


@pytest.fixture(scope="module")
def browser(address, tmp_path_factory):
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for switch in (*QUIET, f"--user-data-dir={tmp_path_factory.mktemp('browser')}", "--window-size=1280,900"):
        options.add_argument(switch)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    with webdriver.Chrome(options, webdriver.ChromeService(DRIVER)) as running:
        running.get(address)
        yield running


def section(browser, title):
    [found] = [each for each in browser.find_elements(By.TAG_NAME, "section") if each.text.startswith(title)]
    return found


def cells(browser, title):
    return [
        [cell.text for cell in row.find_elements(By.TAG_NAME, "td")]
        for row in section(browser, title).find_elements(By.CSS_SELECTOR, "tbody tr")
    ]


def test_the_first_thing_read_is_whether_the_calibration_suffices(browser):
    banner = browser.find_element(By.CSS_SELECTOR, "[role=status]")

    assert banner.is_displayed()
    assert banner.text.startswith("sufficient")
    assert "64 of 64 labelled cases decided" in banner.text


def test_the_confusion_matrix_shows_the_counts_as_pass_and_fail(browser):
    drawn = section(browser, "Confusion matrix").find_elements(By.TAG_NAME, "svg")[-1]

    words = [each.text for each in drawn.find_elements(By.CLASS_NAME, "label")]
    assert words == ["judge", "pass", "fail", "human pass", "24", "8", "human fail", "8", "24"]


def test_every_estimate_is_drawn_inside_its_interval(browser):
    chart = section(browser, "Agreement with 95 % intervals").find_elements(By.TAG_NAME, "svg")[-1]

    whiskers = [each.rect for each in chart.find_elements(By.CLASS_NAME, "whisker")]
    middles = [each.rect["x"] + each.rect["width"] / 2 for each in chart.find_elements(By.CLASS_NAME, "point")]
    assert len(middles) == 4
    for whisker, middle in zip(whiskers, middles, strict=True):
        assert whisker["x"] < middle < whisker["x"] + whisker["width"]


def test_each_repeat_has_a_row_with_its_reliability(browser):
    rows = cells(browser, "Reliability by repeat")

    assert [row[0] for row in rows] == ["1", "2", "3"]
    assert rows[2][1] == "64"


def test_the_threshold_sweep_lists_a_row_for_each_threshold(browser):
    rows = cells(browser, "Threshold sweep")

    thresholds = [float(row[0]) for row in rows]
    assert all(one < another for one, another in pairwise(thresholds))
    assert len(section(browser, "Threshold sweep").find_elements(By.CLASS_NAME, "line")) == 2


def test_the_disagreements_are_listed_by_case_and_markup_in_them_is_text(browser):
    rows = cells(browser, "Disagreements")

    assert rows[0] == [HOSTILE, "4", "2"]
    assert browser.title == "Judge calibration"


def test_all_labels_of_a_chart_lie_inside_it(browser):
    for chart in browser.find_elements(By.TAG_NAME, "svg"):
        frame = chart.rect
        for label in chart.find_elements(By.TAG_NAME, "text"):
            box = label.rect
            assert frame["x"] <= box["x"]
            assert box["x"] + box["width"] <= frame["x"] + frame["width"]


def test_labels_of_a_chart_do_not_cover_each_other(browser):
    for chart in browser.find_elements(By.TAG_NAME, "svg"):
        boxes = [label.rect for label in chart.find_elements(By.TAG_NAME, "text")]
        assert [pair for pair in _pairs(boxes) if _overlap(*pair)] == []


@pytest.mark.parametrize("width", [1280, 500])
def test_nothing_has_to_be_scrolled_sideways(browser, width):
    browser.set_window_size(width, 900)

    wide = browser.execute_script("return document.documentElement.scrollWidth - document.documentElement.clientWidth")

    assert wide == 0


def test_the_page_loads_nothing_and_complains_of_nothing(browser):
    loaded = browser.execute_script("return performance.getEntriesByType('resource').map(each => each.name)")

    assert loaded == []
    assert browser.get_log("browser") == []


def _pairs(boxes):
    return [(one, another) for at, one in enumerate(boxes) for another in boxes[at + 1 :]]


def _overlap(one, another):
    def apart(start, size):
        return one[start] + one[size] <= another[start] or another[start] + another[size] <= one[start]

    return not (apart("x", "width") or apart("y", "height"))
