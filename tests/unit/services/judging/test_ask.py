"""Asking once: what is sent, kept and charged, also where the step died in the middle and is taken again."""

import pytest

from evalbook.budgets.calls import Basis, CallState, Charge, Ownership, Settlement
from evalbook.domain.errors import StoreUnavailable
from evalbook.domain.outcome import Code
from evalbook.judges.estimate import UsageReport
from evalbook.services.judging.gateway import ChargeStatus, GatewayFault
from evalbook.services.judging.ports import NotNow, answer_name
from evalbook.services.judging.records import StoredAnswer, StoredCharge
from tests.fakes.judge_runs import PANEL, JudgeRunBench, replied


@pytest.fixture
def bench():
    return JudgeRunBench()


def ready(bench):
    job = bench.job()
    return job, bench.prepare(job)["deadline_at"]


def call_of(bench):
    [call] = bench.store.all_calls()
    return call


def test_a_reply_is_kept_and_charged_as_the_gateway_states(bench):
    job, deadline = ready(bench)

    said = bench.ask(job, deadline)

    assert said == {"repeat": 0, "code": None}
    assert (bench.money.spent, bench.money.reserved) == (700, 0)


@pytest.mark.parametrize(("cost", "spent"), [(None, 900 + 5 * 60), (0, 900 + 5 * 60), (1, 1)])
def test_a_cost_that_is_not_stated_is_that_of_the_tokens(bench, cost, spent):
    bench.gateway.answers = [replied(cost=cost)]
    job, deadline = ready(bench)

    bench.ask(job, deadline)

    assert bench.money.spent == spent


def test_the_request_is_the_bytes_that_were_planned(bench):
    job, deadline = ready(bench)

    bench.ask(job, deadline)

    [(request, until, sent_before)] = bench.gateway.requests
    assert request.body in bench.bodies.objects.values()
    assert (until, sent_before) == (deadline / 1_000, False)


def test_a_repeat_that_was_answered_is_not_asked_again(bench):
    job, deadline = ready(bench)
    bench.ask(job, deadline)

    bench.ask(job, deadline)

    assert bench.gateway.sent == 1


def test_an_answer_that_was_kept_and_not_yet_settled_is_settled_when_the_step_is_taken_again(bench):
    job, deadline = ready(bench)
    settle, bench.ledger.settle = bench.ledger.settle, unavailable
    with pytest.raises(StoreUnavailable):
        bench.ask(job, deadline)
    bench.ledger.settle = settle

    bench.ask(job, deadline)

    assert (bench.gateway.sent, bench.money.spent, bench.money.reserved) == (1, 700, 0)


def unavailable(*_):
    raise StoreUnavailable("the ledger is down")


def test_nothing_leaves_that_the_ledger_does_not_know_of(bench):
    job, deadline = ready(bench)
    bench.ledger.mark_sent = unavailable

    with pytest.raises(StoreUnavailable):
        bench.ask(job, deadline)

    assert bench.gateway.sent == 0


def test_after_its_deadline_a_case_is_not_asked_about_and_its_money_comes_back(bench):
    job, deadline = ready(bench)
    bench.now = deadline

    said = bench.ask(job, deadline)

    assert (said["code"], bench.gateway.sent) == ("TIME_LIMIT", 0)
    assert (bench.money.spent, bench.money.reserved) == (0, 0)


def test_a_call_that_somebody_else_has_sent_is_left_to_them(bench):
    job, deadline = ready(bench)
    call = call_of(bench)
    bench.ledger.mark_sent(call.claim, deadline)

    said = bench.ask(job, deadline)

    assert (said["code"], bench.gateway.sent) == ("GATEWAY_OUTCOME_UNKNOWN", 0)
    assert bench.records.find(PANEL, "ANSWER#0") is None


@pytest.mark.parametrize(
    ("charge", "bill", "spent", "state"),
    [
        (ChargeStatus.NONE, UsageReport(), 0, CallState.RELEASED),
        (ChargeStatus.UNCERTAIN, UsageReport(), None, CallState.IN_DOUBT),
        (ChargeStatus.CHARGED, UsageReport(cost=33), 33, CallState.SETTLED),
    ],
)
def test_a_failed_call_costs_what_its_fault_says(bench, charge, bill, spent, state):
    bench.gateway.answers = [GatewayFault(Code.GATEWAY_BAD_REQUEST, charge, report=bill)]
    job, deadline = ready(bench)
    estimate = call_of(bench).request.estimate

    said = bench.ask(job, deadline)

    assert (said["code"], call_of(bench).state) == ("GATEWAY_BAD_REQUEST", state)
    assert (bench.money.spent, bench.money.reserved) == (estimate if spent is None else spent, 0)


def test_what_was_refused_without_a_charge_and_sent_again_is_released_when_it_is_given_up(bench):
    bench.gateway.attempts = 3
    bench.gateway.answers = [GatewayFault(Code.GATEWAY_RATE_LIMITED, ChargeStatus.NONE)]
    job, deadline = ready(bench)

    bench.ask(job, deadline)

    assert (bench.money.spent, call_of(bench).state) == (0, CallState.RELEASED)


def test_what_may_have_been_charged_before_is_in_doubt_when_it_is_given_up(bench):
    bench.gateway.attempts, bench.gateway.in_doubt = 2, True
    bench.gateway.answers = [GatewayFault(Code.GATEWAY_BAD_REQUEST, ChargeStatus.UNCERTAIN)]
    job, deadline = ready(bench)

    bench.ask(job, deadline)

    assert call_of(bench).state is CallState.IN_DOUBT


def test_a_gateway_that_does_not_replay_is_asked_again_after_what_certainly_cost_nothing():
    bench = JudgeRunBench(replays=False)
    bench.gateway.attempts = 2
    job, deadline = ready(bench)

    said = bench.ask(job, deadline)

    assert (said["code"], bench.gateway.sent, bench.money.spent) == (None, 2, 700)


def test_a_sent_call_whose_owner_is_gone_is_not_sent_again_without_replay():
    bench = JudgeRunBench(replays=False)
    job, deadline = ready(bench)
    bench.ledger.mark_sent(call_of(bench).claim, bench.now + 1)
    bench.now += 10

    said = bench.ask(job, deadline)

    assert (said["code"], bench.gateway.sent) == ("GATEWAY_OUTCOME_UNKNOWN", 0)
    assert call_of(bench).state is CallState.IN_DOUBT


def test_a_sent_call_whose_owner_is_gone_is_sent_again_with_replay(bench):
    job, deadline = ready(bench)
    bench.ledger.mark_sent(call_of(bench).claim, bench.now + 1)
    bench.now += 10

    said = bench.ask(job, deadline)

    [(_, _, sent_before)] = bench.gateway.requests
    assert (said["code"], sent_before, bench.money.spent) == (None, True, 700)


def test_without_a_plan_the_step_is_to_be_taken_again(bench):
    with pytest.raises(NotNow):
        bench.ask(bench.job(), bench.now + 1)


def test_the_reservation_of_a_judge_run_outlasts_its_deadline(bench):
    _, deadline = ready(bench)

    assert call_of(bench).ownership == Ownership(PANEL, deadline + 90_000)


def test_a_charge_that_differs_from_what_was_settled_before_is_a_fault_that_is_told(bench):
    job, deadline = ready(bench)
    request_id = call_of(bench).request.request_id
    bench.gateway.before_answer = lambda: bench.ledger.settle(request_id, Settlement(Charge(1, Basis.STATED), ""))

    bench.ask(job, deadline)

    assert (bench.faults, bench.money.spent) == ([f"other_charge {request_id}"], 1)


def test_a_charge_above_the_estimate_is_charged_and_told(bench):
    job, deadline = ready(bench)
    call = call_of(bench).request
    bench.gateway.answers = [replied(cost=call.estimate + 1)]

    bench.ask(job, deadline)

    assert (bench.faults, bench.money.overrun) == ([f"overrun {call.request_id}"], 1)


def test_a_charge_of_a_call_that_was_never_sent_is_a_fault_that_is_told(bench):
    job, deadline = ready(bench)
    charged = StoredAnswer(code=Code.GATEWAY_5XX, charged=StoredCharge(actual=1, basis=Basis.STATED))
    bench.records.keep(PANEL, answer_name(0), charged.model_dump_json().encode())

    bench.ask(job, deadline)

    assert (bench.faults, bench.money.spent) == ([f"never_sent {call_of(bench).request.request_id}"], 0)


def test_an_answer_that_is_settled_again_is_no_fault(bench):
    job, deadline = ready(bench)
    bench.ask(job, deadline)

    bench.ask(job, deadline)

    assert (bench.faults, bench.money.spent) == ([], 700)
