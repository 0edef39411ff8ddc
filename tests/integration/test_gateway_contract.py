"""The contract between the gateway's adapter and a gateway, held with replays and without."""

import threading
import time
from dataclasses import replace

import pytest

from devstack.standins.gateway import GatewayOptions, GatewayStandIn
from devstack.standins.gateway_faults import Fault
from devstack.standins.gateway_replies import Completion, Rule
from evalbook.domain.case import Case
from evalbook.domain.outcome import Code
from evalbook.judges.catalog import confirm
from evalbook.judges.reply import parse_reply
from evalbook.services.judging.gateway import CatalogUnavailable, ChargeStatus
from tests.integration.gateway_contract import caller, catalogs, judge, request, with_other_body

NONE, UNCERTAIN, CHARGED = ChargeStatus.NONE, ChargeStatus.UNCERTAIN, ChargeStatus.CHARGED


@pytest.fixture(params=[True, False], ids=["replaying", "not-replaying"])
def sso(request):
    with GatewayStandIn(GatewayOptions(replays=request.param)) as running:
        yield running


@pytest.fixture
def replaying():
    with GatewayStandIn() as running:
        yield running


def total(sso):
    return sum(charge.micro_dollars for charge in sso.charges)


def test_a_call_is_answered_charged_once_and_billed_as_charged(sso):
    reply = caller(sso).complete(request())

    assert parse_reply(reply.message, judge()).verdict == "pass"
    assert (len(sso.charges), reply.report.cost) == (1, total(sso))
    charge = sso.charges[0]
    assert (reply.report.usage.input_tokens, reply.report.usage.output_tokens) == (
        charge.input_tokens,
        charge.output_tokens,
    )


def test_the_call_arrives_with_the_ids_that_it_was_given(sso):
    wanted = request()

    caller(sso).complete(wanted)

    arrival = sso.arrivals[0]
    assert (arrival.logical_id, arrival.organization_id, arrival.budget_id) == (
        wanted.logical_id,
        "org-1",
        "budget-1",
    )


def test_the_catalog_confirms_the_model_that_is_called(sso):
    assert confirm(catalogs(sso).catalog("org-1"), judge()) == ()


def test_a_model_without_a_price_is_not_confirmed(sso):
    problems = confirm(catalogs(sso).catalog("org-1"), judge(model="bookbag::judge-unpriced"))

    assert [problem.pointer for problem in problems] == ["/model"]


@pytest.mark.parametrize("status", [502, 503])
def test_a_server_error_before_the_charge_is_asked_again_only_where_answers_are_replayed(sso, status):
    sso.faults.add(Fault("status", charged=False, status=status))
    call = caller(sso)

    if sso.options.replays:
        call.complete(request())
        assert (len(sso.arrivals), len(sso.charges)) == (2, 1)
    else:
        assert call.fault(request()).code is Code.GATEWAY_5XX
        assert (len(sso.arrivals), len(sso.charges)) == (1, 0)


LOST_AFTER_CHARGING = {
    "drop": Code.GATEWAY_OUTCOME_UNKNOWN,
    "reset": Code.GATEWAY_OUTCOME_UNKNOWN,
    "truncated": Code.GATEWAY_OUTCOME_UNKNOWN,
    "malformed": Code.BAD_GATEWAY_BODY,
    "html": Code.BAD_GATEWAY_BODY,
    "status": Code.GATEWAY_5XX,
}


@pytest.mark.parametrize("kind", LOST_AFTER_CHARGING)
def test_an_answer_that_is_lost_after_charging_is_charged_once(sso, kind):
    sso.faults.add(Fault(kind, charged=True))
    call = caller(sso)

    if sso.options.replays:
        assert call.complete(request()).report.cost == total(sso)
    else:
        fault = call.fault(request())
        assert (fault.code, fault.charge, fault.may_send_again) == (LOST_AFTER_CHARGING[kind], UNCERTAIN, False)
    assert len(sso.charges) == 1


@pytest.mark.parametrize("kind", ["drop", "reset"])
def test_an_answer_that_is_lost_every_time_is_charged_once(sso, kind):
    sso.faults.add(Fault(kind, times=100))

    fault = caller(sso).fault(request())

    assert (fault.code, fault.charge) == (Code.GATEWAY_OUTCOME_UNKNOWN, UNCERTAIN)
    assert (len(sso.charges), len(sso.arrivals)) == (1, 4 if sso.options.replays else 1)


def test_a_rate_limit_is_waited_out_with_and_without_replays(sso):
    sso.faults.add(Fault("status", charged=False, status=429, code="rate_limit_exceeded", headers={"Retry-After": "0"}))

    caller(sso).complete(request())

    assert (len(sso.arrivals), len(sso.charges)) == (2, 1)


def test_another_model_than_the_pinned_one_is_charged_and_not_asked_again(sso):
    sso.faults.add(Fault("wrong_model"))

    fault = caller(sso).fault(request())

    assert (fault.code, fault.charge, fault.report.cost) == (Code.GATEWAY_MODEL_MISMATCH, CHARGED, total(sso))
    assert len(sso.arrivals) == 1


def test_an_answer_that_is_too_large_is_charged_and_not_asked_again(sso):
    sso.faults.add(Fault("oversized"))

    fault = caller(sso, most_bytes=100_000).fault(request())

    assert (fault.code, fault.charge, len(sso.arrivals)) == (Code.GATEWAY_TOO_LARGE, CHARGED, 1)


def test_a_reply_that_was_cut_off_is_charged_and_not_asked_again(sso):
    sso.scripted.add(Completion('{"verdict": "pa', finish_reason="length"))

    reply = caller(sso).complete(request())

    assert (reply.message.finish_reason, len(sso.arrivals), len(sso.charges)) == ("length", 1, 1)


@pytest.mark.parametrize("kind", ["slow", "drip"])
def test_a_call_ends_at_its_deadline_however_the_gateway_dawdles(sso, kind):
    sso.faults.add(Fault(kind, seconds=30 if kind == "slow" else 0.05))
    call, wanted = caller(sso, seconds=0.5), request()
    started = time.monotonic()

    fault = call.fault(wanted)

    assert (fault.code, fault.charge, fault.may_send_again) == (Code.TIME_LIMIT, UNCERTAIN, False)
    assert time.monotonic() - started < 3


def test_a_token_of_nobody_is_refused(sso):
    fault = caller(sso, token="wrong").fault(request())

    assert (fault.code, fault.charge, fault.stops_run) == (Code.GATEWAY_AUTH, NONE, True)


def test_a_model_of_nobody_is_unavailable(sso):
    wanted = request()

    fault = caller(sso).fault(replace(wanted, body=wanted.body.replace(b'"judge-rules-1"', b'"judge-rules-9"')))

    assert (fault.code, fault.charge, fault.stops_run) == (Code.GATEWAY_MODEL_UNAVAILABLE, NONE, True)


def test_a_gateway_that_is_not_there_is_unreachable_and_costs_nothing(sso):
    wanted, call = request(), caller(sso, seconds=0.3)
    sso.__exit__()

    fault = call.fault(wanted)

    assert (fault.code, fault.charge, fault.may_send_again) == (Code.GATEWAY_UNREACHABLE, NONE, True)


def test_a_call_that_was_sent_before_is_asked_again_only_where_answers_are_replayed(sso):
    wanted = request()
    caller(sso).complete(wanted)

    if sso.options.replays:
        assert caller(sso).complete(wanted, sent_before=True).report.cost == total(sso)
    else:
        assert caller(sso).fault(wanted, sent_before=True).code is Code.GATEWAY_OUTCOME_UNKNOWN
    assert len(sso.charges) == 1


def test_a_replayed_answer_is_the_same_answer(replaying):
    wanted = request()

    first, second = (caller(replaying).complete(wanted) for _ in range(2))

    assert second == first
    assert len(replaying.charges) == 1


def test_a_key_with_another_body_is_a_conflict_and_not_charged(replaying):
    wanted = request()
    caller(replaying).complete(wanted)

    fault = caller(replaying).fault(with_other_body(wanted))

    assert (fault.code, len(replaying.charges)) == (Code.GATEWAY_IDEMPOTENCY_CONFLICT, 1)


def test_the_keys_of_two_organizations_are_two_keys(replaying):
    for organization_id in ("org-1", "org-2"):
        caller(replaying).complete(request(organization_id=organization_id))

    assert [charge.organization_id for charge in replaying.charges] == ["org-1", "org-2"]


def test_a_call_that_is_in_progress_elsewhere_is_waited_for_and_charged_once(replaying):
    replaying.faults.add(Fault("slow", seconds=0.4))
    wanted, replies = request(), []

    def ask():
        replies.append(caller(replaying).complete(wanted))

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert replies[0] == replies[1]
    assert len(replaying.charges) == 1


def test_a_token_acts_for_its_own_organizations_only():
    options = GatewayOptions(tokens={"a": frozenset({"org-1"}), "b": frozenset({"org-2"})})
    with GatewayStandIn(options) as sso:
        fault = caller(sso, token="b").fault(request())

    assert (fault.code, fault.charge) == (Code.GATEWAY_FORBIDDEN, NONE)


def test_a_catalog_that_allows_no_exact_choice_confirms_nothing():
    with GatewayStandIn(GatewayOptions(exact_choice=False)) as sso:
        problems = confirm(catalogs(sso).catalog("org-1"), judge())

    assert [problem.pointer for problem in problems] == ["/model"]


def test_a_catalog_is_not_shown_to_a_token_of_nobody(replaying):
    with pytest.raises(CatalogUnavailable, match="401"):
        catalogs(replaying, "wrong").catalog("org-1")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"score_type": "binary"}, {"verdict": "fail", "score": 0}),
        ({"score_type": "ordinal", "minimum": 1, "maximum": 5}, {"verdict": None, "score": 1}),
        ({"score_type": "continuous", "minimum": 0, "maximum": 1}, {"verdict": None, "score": 0}),
    ],
)
def test_a_rule_gives_a_usable_reply_of_every_score_type(replaying, changes, said):
    parameters = judge(**changes, output_fields=[{"name": "count", "type": "integer", "minimum": 3, "maximum": 5}])
    replaying.ruled.rules = (Rule("four", "fail"),)

    reply = caller(replaying).complete(request(parameters=parameters))

    parsed = parse_reply(reply.message, parameters)
    assert ({"verdict": parsed.verdict, "score": parsed.score}, parsed.fields) == (said, {"count": 3})


def test_a_rule_can_name_a_category_and_a_score(replaying):
    categories = judge(score_type="categorical", categories=["good", "bad"], pass_categories=["good"])
    scored = judge(score_type="ordinal", minimum=1, maximum=5)
    replaying.ruled.rules = (Rule("four", "bad", score=3),)

    first = caller(replaying).complete(request("call-1", categories))
    second = caller(replaying).complete(request("call-2", scored))

    assert parse_reply(first.message, categories).verdict == "bad"
    assert parse_reply(second.message, scored).score == 3


def test_a_rule_can_abstain(replaying):
    replaying.ruled.rules = (Rule("four", abstain=True),)

    reply = caller(replaying).complete(request())

    assert parse_reply(reply.message, judge()).abstain


def test_without_a_rule_an_output_without_the_expected_value_fails(replaying):
    wanted = request(case=Case("c", output="five", expected="four"))

    reply = caller(replaying).complete(wanted)

    assert parse_reply(reply.message, judge()).verdict == "fail"
