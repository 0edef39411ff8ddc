"""The demo's own course: what it prints, and what its exit code says."""

import json
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from devstack.clients.scoring import ScoredSet
from devstack.demo import __main__ as demo
from devstack.demo.calibrated import headline
from devstack.demo.data import DemoCase, DemoSet, DemoVersion, demo_set
from devstack.demo.table import heading, row
from devstack.errors import StackError
from evalbook.calibration.report import calibrate
from evalbook.calibration.rows import read_rows

CASES = tuple(DemoCase({"case_id": f"case-{number}"}, number < 3) for number in range(4))
SET = demo_set("four", "four", "exact_match", {}, CASES)


class FakeClient:
    """Passes every case but the ones it loses."""

    def __init__(self, *lost):
        self._lost = lost

    def score(self, one):
        kept = [case.case_id for case in one.cases if case.case_id not in self._lost]
        return ScoredSet({case_id: {"case_id": case_id, "outcome": "pass", "score": 1.0} for case_id in kept}, 2.0)


@contextmanager
def fake_stack(**_):
    yield SimpleNamespace(sso=None)


@pytest.fixture
def run_demo(monkeypatch):
    """Runs the demo with one set on a stack that is none."""

    def run(client, stack=fake_stack, *, calibrated=True):
        monkeypatch.setattr(demo, "default_sets", lambda: [SET])
        monkeypatch.setattr(demo, "agent_sets", list)
        monkeypatch.setattr(demo, "Stack", stack)
        monkeypatch.setattr(demo, "ScoringClient", lambda _: client)
        monkeypatch.setattr(demo, "JudgingClient", lambda _: client)
        monkeypatch.setattr(demo, "print_judged", lambda *_: 0)
        monkeypatch.setattr(demo, "print_calibrated", lambda _: calibrated)
        return demo.main([])

    return run


def raising(error):
    def stack(**_):
        raise error

    return stack


def test_a_demo_whose_cases_all_come_back_succeeds(run_demo, capsys):
    code = run_demo(FakeClient())

    assert code == 0
    assert "4 cases, 0 missing" in capsys.readouterr().out


def test_a_demo_that_loses_a_case_fails(run_demo, capsys):
    code = run_demo(FakeClient("case-2"))

    assert code == 1
    assert "4 cases, 1 missing" in capsys.readouterr().out


def test_a_demo_whose_judge_could_not_be_calibrated_fails(run_demo):
    assert run_demo(FakeClient(), calibrated=False) == 1


def test_the_headline_of_a_calibration_says_what_the_judge_is_worth():
    rows = [("pass", "pass")] * 28 + [("pass", "fail")] * 2 + [("fail", "pass")] * 6 + [("fail", "fail")] * 24
    lines = [
        json.dumps({"case_id": str(at), "human": human, "outcome": judge}) for at, (human, judge) in enumerate(rows)
    ]

    assert headline(calibrate(read_rows(lines))) == [
        "  TPR 0.933 [0.787, 0.982] of 30 good ones, TNR 0.800 [0.627, 0.905] of 30 bad ones",
        "  Cohen's kappa 0.733 [0.563, 0.904]",
        "  pass rate 0.567 by the judge, 0.500 by people",
        "  sufficient: 30 and 30 labels",
    ]


def test_a_result_of_a_case_that_was_not_sent_makes_up_for_none():
    class Confused:
        def score(self, one):
            results = FakeClient("case-0").score(one).results
            return ScoredSet(results | {"stranger": {"outcome": "pass", "score": 1.0}}, 1.0)

    assert demo.score_all(Confused(), [SET]) == 1


def test_an_interrupted_demo_says_so_without_a_traceback(run_demo, capsys):
    code = run_demo(FakeClient(), raising(KeyboardInterrupt()))

    assert (code, capsys.readouterr().out) == (130, "Stopped.\n")


def test_a_stack_that_does_not_start_is_told_on_standard_error(run_demo, capsys):
    code = run_demo(FakeClient(), raising(StackError("no port")))

    assert (code, capsys.readouterr().err) == (1, "no port\n")


def test_a_folder_that_is_not_there_is_refused(tmp_path, capsys):
    with pytest.raises(SystemExit):
        demo.main(["--data", str(tmp_path / "absent")])

    assert "is no folder" in capsys.readouterr().err


def test_a_row_counts_outcomes_speed_and_agreement():
    line = row(SET, FakeClient().score(SET))

    assert line.split() == ["four", "exact_match", "4", "4", "0", "0", "2", "3", "of", "4", "(75.0%)"]


def test_a_lost_case_agrees_with_nothing():
    line = row(SET, FakeClient("case-0").score(SET))

    assert line.endswith("2 of 4 (50.0%)")


def test_cases_without_labels_are_not_counted():
    unlabelled = demo_set("four", "four", "exact_match", {}, (DemoCase({"case_id": "a"}, None),))

    assert row(unlabelled, FakeClient().score(unlabelled)).endswith("no labels")


def test_a_long_title_is_cut_so_that_columns_stay_aligned():
    long = DemoSet("t" * 80, SET.implementation, SET.versions)

    cut = row(long, FakeClient().score(long))

    assert cut.startswith("t" * 46 + "…  exact_match")
    assert cut.index("exact_match") == heading().index("implementation")


def test_a_label_with_a_score_asks_for_that_score():
    case = DemoCase({"case_id": "a"}, label=True, score=0.8)

    assert case.agrees({"outcome": "pass", "score": 0.8})
    assert not case.agrees({"outcome": "pass", "score": 0.6})


def test_a_set_has_the_cases_of_all_its_versions():
    one = DemoSet("both", "exact_match", (DemoVersion("a", {}, CASES[:1]), DemoVersion("b", {}, CASES[1:])))

    assert one.cases == CASES
