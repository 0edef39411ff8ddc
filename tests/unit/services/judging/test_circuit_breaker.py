"""Runs that the gateway refuses as a whole: the cases after the first refused one are not asked about, for a while."""

import json

import pytest

from evalbook.domain.outcome import Code
from evalbook.services.judging.circuit_breaker import PERIOD_MS
from evalbook.services.judging.gateway import ChargeStatus, GatewayFault
from tests.fakes.judge_runs import PANEL, JudgeRunBench

FORBIDDEN = GatewayFault(Code.GATEWAY_FORBIDDEN, ChargeStatus.NONE, stops_run=True)


@pytest.fixture
def bench():
    return JudgeRunBench(repeat_count=2)


def judged(bench, digest="2" * 64, **changes):
    """Judge a case, of which nothing is recorded yet; its result."""
    for name in [name for name in bench.records.records if name[0] == PANEL]:
        del bench.records.records[name]
    job = bench.job(case_digest=digest, **changes)
    prepared = bench.prepare(job)
    for repeat in prepared["repeats"]:
        bench.ask(job, prepared["deadline_at"], repeat)
    if prepared["state"] == "ready":
        return bench.aggregate(job)
    return json.loads(bench.records.records[PANEL, "RESULT"])


def stopped(bench, fault=FORBIDDEN):
    bench.gateway.answers = [fault, fault]
    judged(bench, digest="1" * 64)
    return len(bench.gateway.requests)


def test_the_other_cases_of_a_stopped_run_get_the_same_code_and_are_not_asked_about(bench):
    asked = stopped(bench)

    result = judged(bench)

    assert (result["outcome"], result["code"]) == ("error", "GATEWAY_FORBIDDEN")
    assert result["explanation"].startswith("Not asked")
    assert len(bench.gateway.requests) == asked


def test_a_stopped_run_costs_nothing(bench):
    stopped(bench)

    judged(bench)

    assert (bench.money.reserved, bench.money.spent) == (0, 0)


def test_a_run_stays_stopped_for_a_minute(bench):
    stopped(bench)
    bench.now += PERIOD_MS

    assert judged(bench)["code"] == "GATEWAY_FORBIDDEN"


def test_a_run_is_asked_about_again_after_two_minutes(bench):
    stopped(bench)
    bench.now += 2 * PERIOD_MS

    assert judged(bench)["outcome"] == "pass"


def test_another_run_goes_on(bench):
    stopped(bench)

    assert judged(bench, run_id="run-2")["outcome"] == "pass"


def test_another_judge_of_the_run_goes_on(bench):
    stopped(bench)

    other = bench.scorer(1).model_copy(update={"name": "a judge that is looked for"})
    assert judged(bench, scorer=other)["code"] == "VERSION_NOT_FOUND"


@pytest.mark.parametrize("code", [Code.BUDGET_EXHAUSTED, Code.GATEWAY_BAD_REQUEST, Code.GATEWAY_PROVIDER_QUOTA])
def test_a_refusal_of_one_call_stops_nothing(bench, code):
    stopped(bench, GatewayFault(code, ChargeStatus.NONE))

    assert judged(bench)["outcome"] == "pass"


def test_a_case_whose_calls_are_reserved_is_asked_about(bench):
    job = bench.job()
    prepared = bench.prepare(job)
    bench.gateway.answers = [FORBIDDEN]
    bench.ask(job, prepared["deadline_at"], 0)

    again = bench.prepare(job)

    assert (again["state"], again["repeats"]) == ("ready", [0, 1])
