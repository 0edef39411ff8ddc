"""From the answers to the one result: what is missing is an error, never a verdict."""

import json
from dataclasses import replace

import pytest

from evalbook.budgets.calls import CallState
from evalbook.domain.errors import StoreUnavailable
from evalbook.services.judging.aggregate import PublishJudgeRun
from evalbook.services.judging.ports import NotNow
from tests.fakes.judge_runs import PANEL, PASSED, JudgeRunBench, replied
from tests.fakes.stores import MemoryQueue


def asked(bench, *repeats):
    job = bench.job()
    deadline = bench.prepare(job)["deadline_at"]
    for repeat in repeats:
        bench.ask(job, deadline, repeat)
    return job


def test_the_majority_wins():
    bench = JudgeRunBench(repeat_count=3)
    failed = {**PASSED, "verdict": "fail", "score": 0}
    bench.gateway.answers = [replied(), replied(failed), replied()]

    result = bench.aggregate(asked(bench, 0, 1, 2))

    assert (result["outcome"], result["score"], result["usage"]["calls_reported"]) == ("pass", 1, 3)


def test_the_result_says_how_many_repeats_abstained_and_which_models_answered():
    bench = JudgeRunBench(repeat_count=3)
    abstained = replied({**PASSED, "abstain": True, "verdict": None, "score": None})
    bench.gateway.answers = [replied(), replace(abstained, served_model="judge-2026-03"), replied()]

    result = bench.aggregate(asked(bench, 0, 1, 2))

    assert result["judging"] == {"repeats": 3, "abstentions": 1, "served_models": ["judge", "judge-2026-03"]}


def test_a_repeat_that_was_never_asked_makes_an_error_and_gives_its_money_back():
    bench = JudgeRunBench(repeat_count=2)

    result = bench.aggregate(asked(bench, 0))

    assert (result["outcome"], result["code"]) == ("error", "SCORING_FAILED")
    assert (bench.money.spent, bench.money.reserved) == (700, 0)


def test_a_repeat_that_was_sent_and_never_answered_makes_an_error_and_is_left_to_the_sweeper():
    bench = JudgeRunBench()
    job = asked(bench)
    [call] = bench.store.all_calls()
    bench.ledger.mark_sent(call.claim, bench.now + 1_000)

    result = bench.aggregate(job)

    [call] = bench.store.all_calls()
    assert (result["outcome"], result["code"]) == ("error", "GATEWAY_OUTCOME_UNKNOWN")
    assert call.state is CallState.SENT


def test_a_case_without_a_plan_is_an_error():
    bench = JudgeRunBench()

    result = bench.aggregate(bench.job())

    assert (result["outcome"], result["code"], result["assurance"]) == ("error", "SCORING_FAILED", "reported")


@pytest.mark.parametrize("content", ["no JSON", '{"verdict": "pass"}', '{"verdict": "\\ud800"}', "\ud800"])
def test_an_unusable_reply_is_charged_and_never_a_verdict(content):
    bench = JudgeRunBench()
    bench.gateway.answers = [replied(content)]

    result = bench.aggregate(asked(bench, 0))

    assert (result["outcome"], bench.money.spent) == ("error", 700)
    assert result["code"].startswith("REPLY_")


def test_quotes_are_checked_against_what_was_shown():
    bench = JudgeRunBench()
    cited = [{"source": "output", "quote": "an answer"}, {"source": "output", "quote": "another"}]
    bench.gateway.answers = [replied({**PASSED, "cited_evidence": cited})]

    result = bench.aggregate(asked(bench, 0))

    assert [each["verified"] for each in result["body"]["evidence"]] == [True, False]


def test_a_result_is_made_once():
    bench = JudgeRunBench()
    job = asked(bench, 0)
    first = bench.aggregate(job)
    bench.records.records.pop((PANEL, "ANSWER#0"))

    assert bench.aggregate(job) == first


def test_what_is_sent_is_what_was_recorded():
    bench, queue = JudgeRunBench(), MemoryQueue()
    job = asked(bench, 0)
    result = bench.aggregate(job)
    step = PublishJudgeRun(bench.stores, queue)

    step.run(PANEL, job)
    step.run(PANEL, job)

    first, again = queue.bodies
    assert (first, json.loads(first)["results"]) == (again, [result])


@pytest.mark.parametrize("purpose", ["sandbox", "calibration"])
def test_only_the_results_of_evaluations_are_sent_on(purpose):
    bench, queue = JudgeRunBench(), MemoryQueue()
    job = bench.job(purpose=purpose)
    bench.ask(job, bench.prepare(job)["deadline_at"], 0)
    bench.aggregate(job)

    PublishJudgeRun(bench.stores, queue).run(PANEL, job)

    assert queue.bodies == []


def test_without_a_result_there_is_nothing_to_send():
    bench = JudgeRunBench()

    with pytest.raises(NotNow):
        PublishJudgeRun(bench.stores, MemoryQueue()).run(PANEL, bench.job())


def test_a_queue_that_takes_nothing_leaves_the_step_to_be_taken_again():
    bench = JudgeRunBench()
    job = asked(bench, 0)
    bench.aggregate(job)

    with pytest.raises(Exception, match="the results queue answered Refused"):
        PublishJudgeRun(bench.stores, MemoryQueue(takes=lambda _: False)).run(PANEL, job)


def test_a_store_that_is_down_makes_no_result():
    bench = JudgeRunBench()
    job = asked(bench, 0)
    bench.bodies.down = True

    with pytest.raises(StoreUnavailable):
        bench.aggregate(job)

    assert bench.records.find(PANEL, "RESULT") is None
