"""Working on calibrations: visit by visit, whatever happens in between."""

import json
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalbook.budgets.model import AccountState, Budget, BudgetKey
from evalbook.services.calibration import tick
from evalbook.services.calibration.calibrations import IN_FLIGHT
from evalbook.services.calibration.ports import CalibrationStatus, CalibrationTick
from tests.fakes.calibrations import COST, PROJECT, CalibrationBench

TOO_LATE = "2026-12-01T12:00:00Z"


def rows_of(bench, record):
    return bench.calibrations.rows(bench.found(record))


def test_a_calibration_reports_what_the_judge_said():
    bench = CalibrationBench(repeat_count=3)
    record = bench.ask(("pass pass pass", "pass"), ("pass fail pass", "fail"), ("fail fail fail", "fail"))

    bench.run()

    report = bench.report(record)
    cells = report["confusion_matrix"]
    assert bench.found(record).status is CalibrationStatus.FINISHED
    assert (cells["tp"], cells["fn"], cells["fp"], cells["tn"]) == (1, 0, 1, 1)
    assert (report["stability"]["n_unanimous"], report["stability"]["n_replies"]) == (2, 9)
    assert report["by_repeat"][1]["agreement"] == 1.0


def test_the_report_is_bound_to_what_it_is_of():
    bench = CalibrationBench()
    record = bench.ask(("pass", "pass"), guideline_digest="a" * 64)

    bench.run()

    bound = bench.report(record)["calibration"]
    assert (bound["version_digest"], bound["material_digest"]) == (record.digest, "m" * 64)
    assert (bound["label_set_digest"], bound["guideline_digest"]) == (record.label_set_digest, "a" * 64)
    assert (bound["split"], bound["aggregation"]["repeat_count"], bound["rubric_digest"]) == ("test", 1, None)
    assert bound["conditions"] == {
        "max_reply_tokens": 800,
        "repeat_count": 1,
        "reasoning_summary_max_chars": 1_200,
        "time_limit_ms": 60_000,
        "served_models": ["judge-as-served"],
    }
    assert (bound["partial"], bound["errors"], bound["spent_micro_dollars"]) == (False, 0, COST)


@pytest.mark.parametrize(("other", "mixed"), [("judge-as-served", False), ("judge-2026-03", True)])
def test_a_calibration_that_more_than_one_model_answered_says_so(other, mixed):
    bench = CalibrationBench()
    record = bench.ask(("pass", "pass"), ("fail", "fail"))
    bench.served_models["case-1"] = other

    bench.run()

    assert bench.report(record)["calibration"]["mixed_models"] is mixed


def test_errors_never_enter_the_matrix_and_make_the_report_partial_where_the_budget_was_spent():
    bench = CalibrationBench()
    record = bench.ask(("pass", "pass"), ("fail", "fail"), ("spent", "pass"))

    bench.run()

    report = bench.report(record)
    assert report["confusion_matrix"]["rows_human"] == [[1, 0], [0, 1]]
    assert report["calibration"]["errors_by_code"] == {"BUDGET_EXHAUSTED": 1}
    assert (report["calibration"]["partial"], report["calibration"]["partial_reasons"]) == (
        True, {"BUDGET_EXHAUSTED": 1}
    )  # fmt: skip
    assert bench.found(record).progress.errors == 1


def test_an_abstention_is_no_error():
    bench = CalibrationBench()
    record = bench.ask(("abstain", "pass"), ("pass", "pass"))

    bench.run()

    report = bench.report(record)
    assert (report["calibration"]["errors"], report["abstention"]["n"]) == (0, 2)
    assert report["undecided"]["abstained"]["n"] == 1


def test_a_scored_judge_is_compared_with_scores():
    bench = CalibrationBench(score_type="ordinal", minimum=1, maximum=5, pass_threshold=4, repeat_count=3)
    record = bench.ask(("4 4 5", 4), ("1 2 2", 1))

    bench.run()

    report = bench.report(record)
    assert (report["kind"], report["exact_agreement"], report["pass_threshold"]) == ("ordinal", 0.5, 4)
    assert [row["repeats"]["replies"] for row in rows_of(bench, record)] == [[4.0, 4.0, 5.0], [1.0, 2.0, 2.0]]


def test_a_categorical_judge_is_compared_by_category():
    bench = CalibrationBench(score_type="categorical", categories=["good", "fair", "bad"], pass_categories=["good"])
    record = bench.ask(("good", "good"), ("fair", "bad"))

    bench.run()

    report = bench.report(record)
    assert (report["kind"], report["agreement"], report["binarised_pass"]["agreement"]) == ("categorical", 0.5, 1.0)


def test_the_rows_say_case_label_outcome_and_replies():
    bench = CalibrationBench(repeat_count=2)
    labels = [{"labeller": "ann", "label": "pass"}, {"labeller": "bob", "label": "pass"}]
    record = bench.ask(("pass pass", labels), ("spent", "fail"))

    bench.run()

    first, second = rows_of(bench, record)
    assert (first["case_id"], first["human"], first["outcome"], first["agrees"]) == ("case-0", "pass", "pass", True)
    assert (first["labels"], first["repeats"]) == (labels, {"replies": ["pass", "pass"]})
    assert (second["outcome"], second["code"], second["agrees"]) == ("error", "BUDGET_EXHAUSTED", None)


def test_at_most_so_many_cases_are_asked_about_side_by_side():
    bench = CalibrationBench()
    bench.judge_runs.at_once = False
    bench.ask(*[("pass", "pass")] * (IN_FLIGHT + 5))

    bench.deliver()

    assert len(bench.judge_runs.entries) == IN_FLIGHT


def test_progress_counts_what_is_done_and_what_it_cost():
    bench = CalibrationBench()
    bench.judge_runs.at_once = False
    record = bench.ask(*[("pass", "pass")] * (IN_FLIGHT + 5))
    bench.deliver()
    bench.judge_runs.judge_all()

    bench.deliver()

    progress = bench.found(record).progress
    assert (progress.done, progress.spent, len(progress.pending)) == (IN_FLIGHT, IN_FLIGHT * COST, 5)


def test_a_message_that_is_delivered_twice_asks_nothing_twice_and_its_chain_ends():
    bench = CalibrationBench()
    record = bench.ask(*[("pass", "pass")] * (2 * IN_FLIGHT))
    [first] = bench.queue.visits
    bench.deliver(first)

    bench.run()

    assert len(bench.judge_runs.starts) == len(set(bench.judge_runs.starts)) == 2 * IN_FLIGHT
    assert bench.found(record).status is CalibrationStatus.FINISHED


@pytest.mark.parametrize("method", ["advance", "put_outcome", "end", "outcomes"])
def test_a_visit_that_dies_in_the_middle_is_made_again_and_asks_nothing_twice(monkeypatch, method):
    bench = CalibrationBench()
    record = bench.ask(*[("pass", "pass")] * (IN_FLIGHT + 1))
    real, times = getattr(bench.store, method), iter([True])

    def dies_once(*arguments):
        if next(times, False):
            raise MemoryError
        return real(*arguments)

    monkeypatch.setattr(bench.store, method, dies_once)

    while bench.queue.visits:
        visit = bench.queue.visits.pop(0)
        if bench.deliver(visit):
            bench.queue.visits.insert(0, visit)

    assert bench.found(record).status is CalibrationStatus.FINISHED
    assert bench.found(record).progress.done == IN_FLIGHT + 1
    assert bench.report(record)["calibration"]["spent_micro_dollars"] == (IN_FLIGHT + 1) * COST


def test_a_visit_that_cannot_send_the_next_message_is_made_again():
    bench = CalibrationBench()
    bench.judge_runs.at_once = False
    record = bench.ask(("pass", "pass"))
    [visit] = bench.queue.visits
    bench.queue.down = True

    failed = bench.deliver()

    assert failed == {"m": "the queue is down"}
    assert bench.found(record).progress.visits == visit.visit


def test_a_calibration_whose_message_was_lost_is_taken_up_when_it_is_looked_at():
    bench = CalibrationBench()
    record = bench.ask(("pass", "pass"))
    bench.queue.visits.clear()
    bench.now = "2026-11-30T12:16:00Z"

    bench.calibrations.get(PROJECT, record.calibration_id)
    bench.run()

    assert bench.found(record).status is CalibrationStatus.FINISHED


def test_a_visit_without_time_starts_nothing_and_comes_again():
    bench = CalibrationBench()
    bench.ask(("pass", "pass"))

    bench.deliver(seconds_left=lambda: 1.0)

    assert (bench.judge_runs.starts, len(bench.queue.visits)) == ([], 1)


def test_what_has_no_result_at_the_deadline_is_an_error_and_the_report_says_so():
    bench = CalibrationBench()
    record = bench.ask(("pass", "pass"), ("pass", "fail"))
    bench.judge_runs.at_once = False
    bench.deliver()
    bench.judge_runs.judge(next(iter(bench.judge_runs.entries)))
    bench.now = TOO_LATE

    bench.run()

    bound = bench.report(record)["calibration"]
    assert (bound["errors_by_code"], bound["partial_reasons"]) == ({"SCORING_FAILED": 1}, {"DEADLINE": 1})
    assert bench.report(record)["n_decided"] == 1


@pytest.mark.parametrize(
    ("cases", "in_flight", "deadline"),
    [(1, 20, "2026-11-30T12:31:00Z"), (41, 20, "2026-11-30T12:33:00Z"), (500, 1, "2026-11-30T20:50:00Z")],
)
def test_the_deadline_leaves_every_judge_all_its_time_and_half_an_hour_more(cases, in_flight, deadline):
    bench = CalibrationBench(in_flight=in_flight)

    assert bench.ask(*[("pass", "pass")] * cases).deadline_at == deadline


def test_no_calibration_takes_longer_than_its_cases_are_kept():
    bench = CalibrationBench(in_flight=1, time_limit_ms=600_000)

    assert bench.ask(*[("pass", "pass")] * 500).deadline_at == "2026-12-01T08:00:00Z"


def test_a_budget_of_its_own_is_closed_at_the_end():
    bench = CalibrationBench()
    record = bench.ask(("pass", "pass"))

    bench.run()

    assert (bench.budget(record).purpose, bench.budget(record).state) == ("calibration", AccountState.CLOSED)


def test_a_budget_that_others_use_stays_open():
    bench = CalibrationBench()
    bench.ledger.create_budget(Budget.opened(BudgetKey("acme", "support", "shared"), 10_000, "any", 10**15))
    record = bench.ask(("pass", "pass"), budget_limit=None, budget_id="shared")

    bench.run()

    assert (bench.budget(record).spent, bench.budget(record).state) == (COST, AccountState.OPEN)


def test_a_calibration_that_fails_again_and_again_is_given_up():
    bench = CalibrationBench()
    record = bench.ask(("pass", "pass"))

    assert bench.work.give_up([("m", bench.queue.visits[0])]) == {}

    found = bench.found(record)
    assert (found.status, found.code, found.report) == (CalibrationStatus.FAILED, "SCORING_FAILED", None)
    assert bench.budget(record).state is AccountState.CLOSED


def test_a_message_that_others_were_sent_after_gives_nothing_up():
    bench = CalibrationBench()
    bench.judge_runs.at_once = False
    record = bench.ask(("pass", "pass"))
    [first] = bench.queue.visits
    bench.deliver()

    bench.work.give_up([("m", first)])

    assert bench.found(record).status is CalibrationStatus.RUNNING


def test_a_calibration_whose_cases_are_gone_fails():
    bench = CalibrationBench()
    record = bench.ask(("pass", "pass"))
    bench.held.objects.clear()

    bench.run()

    assert (bench.found(record).status, bench.found(record).code) == (CalibrationStatus.FAILED, "CASES_GONE")


def test_labels_that_cannot_be_compared_after_all_fail_the_calibration(monkeypatch):
    def refuses(*_):
        raise tick.Refused([])

    monkeypatch.setattr(tick, "report_of", refuses)
    bench = CalibrationBench()
    record = bench.ask(("pass", "pass"))

    bench.run()

    assert bench.found(record).code == "LABELS_NOT_COMPARABLE"


def test_a_visit_to_what_is_not_there_is_dropped():
    bench = CalibrationBench()

    assert bench.deliver(CalibrationTick(PROJECT, "none", 0)) == {}


def test_another_projects_calibration_is_not_worked_on():
    bench = CalibrationBench()
    record = bench.ask(("pass", "pass"))

    bench.deliver(CalibrationTick(replace(PROJECT, project_id="sales"), record.calibration_id, 0))

    assert bench.judge_runs.starts == []


def test_an_ended_calibration_is_not_worked_on_again():
    bench = CalibrationBench()
    record = bench.ask(("pass", "pass"))
    bench.run()
    report = bench.found(record).report

    bench.deliver(CalibrationTick(PROJECT, record.calibration_id, 99))

    assert (bench.found(record).report, bench.queue.visits) == (report, [])


def test_rows_that_are_no_longer_kept_are_none():
    bench = CalibrationBench()
    record = bench.ask(("pass", "pass"))
    bench.run()
    bench.row_bodies.objects.clear()

    assert rows_of(bench, record) is None


def test_an_error_names_its_kind_only():
    bench = CalibrationBench()
    bench.ask(("pass", "pass"))
    bench.scorers.get = lambda *_: 1 / 0

    assert bench.deliver() == {"m": "ZeroDivisionError"}


def test_messages_hold_no_label_and_no_case():
    bench = CalibrationBench(score_type="categorical", categories=["canary-label", "b"], pass_categories=["b"])
    bench.ask(("canary-label", "canary-label"))

    bench.deliver()

    assert "canary" not in json.dumps([repr(each) for each in bench.queue.visits])


DEADLY = ("put_outcome", "advance", "outcomes", "end")
ACCIDENTS = st.sampled_from(["deliver", "deliver twice", "lose", "judge", *DEADLY])


@settings(max_examples=60, deadline=None)
@given(st.lists(ACCIDENTS, max_size=25))
def test_whatever_dies_is_lost_or_comes_twice_every_case_is_asked_about_once_and_the_report_comes(accidents):
    bench = CalibrationBench(in_flight=2)
    bench.judge_runs.at_once = False
    record = bench.ask(*[("pass", "pass")] * 5)

    for accident in accidents:
        happens(bench, accident)
    bench.judge_runs.at_once = True
    bench.judge_runs.judge_all()
    bench.now = later(bench.now)
    bench.calibrations.get(PROJECT, record.calibration_id)
    bench.run()

    found = bench.found(record)
    assert (found.status, found.progress.done, found.progress.errors) == (CalibrationStatus.FINISHED, 5, 0)
    assert len(bench.judge_runs.entries) == 5
    assert bench.report(record)["calibration"]["spent_micro_dollars"] == bench.budget(record).spent == 5 * COST


def happens(bench, accident):
    if accident == "judge":
        bench.judge_runs.judge_all()
    elif not bench.queue.visits:
        return
    elif accident == "lose":
        bench.queue.visits.pop(0)
    elif accident == "deliver twice":
        bench.deliver(bench.queue.visits[0])
        bench.deliver()
    elif accident == "deliver":
        bench.deliver()
    else:
        dies_in(bench, accident)


def dies_in(bench, method):
    """Let a visit die when it calls the store's *method*; what is not done stays on the queue."""
    real = getattr(bench.store, method)
    setattr(bench.store, method, lambda *_: 1 / 0)
    visit = bench.queue.visits.pop(0)
    if bench.deliver(visit):
        bench.queue.visits.append(visit)
    setattr(bench.store, method, real)


def later(now):
    """So much later that a calibration nobody has worked on meanwhile is taken up, and before the deadline."""
    return (datetime.fromisoformat(now) + timedelta(minutes=16)).strftime("%Y-%m-%dT%H:%M:%SZ")
