"""The first step of a judge run: what is planned, what is never sent, what is reserved."""

import json

import pytest

from evalbook.budgets.calls import CallRequest, Ownership
from evalbook.budgets.reservations import Order
from evalbook.domain.case import ContentRef
from evalbook.traces.port import TraceKey
from tests.fakes.batches import ORGANIZATION, PROJECT
from tests.fakes.judge_runs import BUDGET, CATALOG, MODEL, PANEL, JudgeRunBench
from tests.fakes.traces import FORBIDDEN, MemoryTraces, kept

REFERRING = {"case_id": "case-1", "trace": {"trace_id": "t1"}, "refs": {"output": {"span_id": "s1", "field": "output"}}}
TRACE = TraceKey(ORGANIZATION, PROJECT, "t1")


def requests_of(bench):
    return [json.loads(body) for body in bench.bodies.objects.values() if b'"messages"' in body]


def result_of(bench):
    return json.loads(bench.records.records[PANEL, "RESULT"])


def test_every_repeat_is_planned_with_a_boundary_of_its_own():
    bench = JudgeRunBench(repeat_count=3)

    answer = bench.prepare(bench.job())

    users = {request["messages"][1]["content"] for request in requests_of(bench)}
    assert answer["repeats"] == [0, 1, 2]
    assert len(users) == 3


def test_the_deadline_is_the_versions_time_limit_from_when_the_money_is_there():
    bench = JudgeRunBench()

    answer = bench.prepare(bench.job())

    assert (answer["state"], answer["deadline_at"]) == ("ready", bench.now + 120_000)


def test_a_step_that_is_taken_again_plans_and_reserves_nothing_anew():
    bench = JudgeRunBench(repeat_count=2)
    job = bench.job()
    bench.prepare(job)
    reserved, held = bench.money.reserved, dict(bench.bodies.objects)

    bench.prepare(job)

    assert (bench.money.reserved, bench.bodies.objects) == (reserved, held)


def test_a_case_larger_than_the_models_context_is_refused_as_that_and_reserves_nothing(monkeypatch):
    monkeypatch.setitem(CATALOG["models"][0], "limits", {"context_tokens": 1_000})
    bench = JudgeRunBench()

    prepared = bench.prepare(bench.job({"case_id": "case-1", "output": "x" * 16_001}))

    result = json.loads(bench.records.records[PANEL, "RESULT"])
    assert (prepared["state"], result["outcome"], result["code"]) == ("decided", "error", "GATEWAY_CONTEXT_TOO_LONG")
    assert (bench.money.reserved, bench.gateway.requests) == (0, [])


def test_no_more_is_reserved_than_the_models_context_can_cost(monkeypatch):
    monkeypatch.setitem(CATALOG["models"][0], "limits", {"context_tokens": 1_000})
    bench = JudgeRunBench()

    bench.prepare(bench.job({"case_id": "case-1", "output": "x" * 16_000}))

    assert bench.money.reserved == 1_000 * 1 + 800 * 5


def test_content_of_a_stored_span_is_what_the_judge_is_shown():
    bench = JudgeRunBench()
    bench.traces = MemoryTraces(kept={TRACE: {ContentRef("s1", "output"): kept("from the trace")}})

    bench.prepare(bench.job(REFERRING))

    assert "from the trace" in requests_of(bench)[0]["messages"][1]["content"]


def test_of_a_case_with_a_forbidden_span_nothing_is_made_ready_to_be_sent():
    bench = JudgeRunBench(prompt_template="{{input}} {{output}}")
    bench.traces = MemoryTraces(kept={TRACE: {ContentRef("s1", "output"): FORBIDDEN}})

    answer = bench.prepare(bench.job({**REFERRING, "input": "harmless"}))

    assert (answer["state"], result_of(bench)["code"]) == ("decided", "CAPTURE_POLICY_FORBIDS")
    assert (requests_of(bench), bench.money.reserved) == ([], 0)


@pytest.mark.parametrize(
    ("case", "outcome", "code"),
    [
        ({"case_id": "case-1"}, "unsupported", "OUTPUT_UNAVAILABLE"),
        (REFERRING, "unsupported", "CONTENT_UNAVAILABLE"),
    ],
)
def test_a_case_without_an_output_is_unsupported(case, outcome, code):
    bench = JudgeRunBench()

    bench.prepare(bench.job(case))

    assert (result_of(bench)["outcome"], result_of(bench)["code"]) == (outcome, code)


def test_a_version_that_is_no_longer_the_one_that_was_dispatched_judges_nothing():
    bench = JudgeRunBench()
    bench.digest = "f" * 64

    bench.prepare(bench.job())

    assert result_of(bench)["code"] == "DIGEST_MISMATCH"


@pytest.mark.parametrize(
    ("purpose", "outcome"), [("evaluation", "skipped"), ("sandbox", "error"), ("calibration", "error")]
)
def test_a_budget_that_cannot_pay_skips_a_case_of_an_evaluation_and_is_an_error_elsewhere(purpose, outcome):
    bench = JudgeRunBench(limit=10)

    answer = bench.prepare(bench.job(purpose=purpose))

    assert (answer["state"], result_of(bench)["outcome"]) == ("decided", outcome)
    assert result_of(bench)["code"] == "BUDGET_EXHAUSTED"


def test_a_budget_that_might_be_able_to_pay_later_is_waited_for():
    bench = JudgeRunBench()
    bench.prepare(bench.job())
    needed = bench.money.reserved
    poor = JudgeRunBench(limit=needed + 1)
    poor.ledger.reserve(Order(BUDGET, (CallRequest("another", "0" * 64, 2),), Ownership("another", 10**15)))

    answer = poor.prepare(poor.job(), attempt=3)

    assert (answer["state"], answer["attempt"]) == ("waiting", 4)
    assert answer["wait_seconds"] >= 1
    assert poor.records.find(PANEL, "RESULT") is None


def test_what_is_decided_is_not_decided_again():
    bench = JudgeRunBench(limit=10)
    job = bench.job()
    bench.prepare(job)
    before = bench.records.records[PANEL, "RESULT"]

    answer = bench.prepare(job)

    assert (answer["state"], bench.records.records[PANEL, "RESULT"]) == ("decided", before)


def test_a_draft_is_judged_with_the_parameters_that_the_job_carries():
    bench = JudgeRunBench()
    draft = {"model": MODEL, "prompt_template": "{{output}}", "score_type": "binary", "repeat_count": 2}

    prepared = bench.prepare(bench.job(scorer=bench.scorer(None), draft=json.dumps(draft)))

    assert prepared["repeats"] == [0, 1]


def test_without_a_number_and_without_parameters_there_is_no_version():
    bench = JudgeRunBench()

    bench.prepare(bench.job(scorer=bench.scorer(None)))

    assert json.loads(bench.records.records[PANEL, "RESULT"])["code"] == "VERSION_NOT_FOUND"


def test_a_call_whose_id_was_used_for_another_request_is_a_fault_that_is_told():
    bench = JudgeRunBench()
    job = bench.job()
    bench.prepare(job)
    del bench.records.records[PANEL, "PLAN"]

    answer = bench.prepare(job)

    assert (answer["state"], result_of(bench)["code"]) == ("decided", "GATEWAY_IDEMPOTENCY_CONFLICT")
    assert bench.faults == [f"other_request {PANEL}"]
