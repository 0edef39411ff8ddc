"""How the gateway's adapter sends: headers, waits, what it sends again and what the whole course costs."""

from uuid import NAMESPACE_URL, UUID, uuid5

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbook.domain.errors import StoreUnavailable
from evalbook.domain.outcome import Code
from evalbook.judges.estimate import Usage, UsageReport
from evalbook.services.judging.gateway import ChargeStatus, GatewayFailure, GatewayFault
from tests.unit.adapters.http.gateway_calls import LOGICAL_ID, REQUEST, Call, FakeTokens, answer, completion, error

LOST = httpx.ReadError("reset")


def test_the_request_goes_out_as_the_contract_says():
    call = Call([answer()], headers={"x-litellm-num-retries": "0"})

    call.reply()

    request = call.requests[0]
    assert (request.method, str(request.url)) == ("POST", "https://sso.example/v1/chat/completions")
    assert request.content == REQUEST.body
    sent = {name: request.headers.get(name) for name in EXPECTED_HEADERS}
    assert sent == EXPECTED_HEADERS


EXPECTED_HEADERS = {
    "authorization": "Bearer token-1",
    "content-type": "application/json",
    "accept-encoding": "identity",
    "x-bookbag-organization": "org-1",
    "x-bookbag-budget": "budget-1",
    "idempotency-key": LOGICAL_ID,
    "x-litellm-num-retries": "0",
}


def test_every_attempt_has_the_same_key_and_body_and_a_request_id_of_its_own():
    call = Call([error(429), error(429), answer()])

    call.reply()

    bodies = {(request.headers["idempotency-key"], request.content) for request in call.requests}
    ids = {request.headers["x-request-id"] for request in call.requests}
    assert (len(bodies), len(ids)) == (1, 3)


def test_a_request_id_is_the_same_uuid_whenever_the_attempt_is_made():
    first, second = Call([answer()]), Call([answer()])

    first.reply()
    second.reply()

    ids = [UUID(call.requests[0].headers["x-request-id"]) for call in (first, second)]
    assert ids == [uuid5(NAMESPACE_URL, f"{LOGICAL_ID}/1")] * 2


def test_a_reply_carries_what_the_gateway_states():
    body = completion(usage={"prompt_tokens": 100, "completion_tokens": 20, "cost": 0.0001234})

    reply = Call([answer(200, body)]).reply()

    assert reply.report == UsageReport(Usage(100, 20), 124)
    assert reply.served_model == "judge-1"


def test_a_reply_without_usage_says_that_there_is_none():
    reply = Call([answer(200, completion(usage=None))]).reply()

    assert reply.report == UsageReport()


def test_the_call_is_marked_as_sent_before_each_attempt_leaves():
    call = Call([error(429), answer()])
    order = []
    call.sent = type("Log", (), {"append": lambda _, number: order.append((number, len(call.requests)))})()

    call.reply()

    assert order == [(1, 0), (2, 1)]


def test_nothing_leaves_where_the_call_cannot_be_marked_as_sent():
    call = Call([answer()])

    def refuse(_):
        raise StoreUnavailable("the table did not answer")

    call.sent = type("Refusing", (), {"append": staticmethod(refuse)})()

    with pytest.raises(StoreUnavailable):
        call.reply()
    assert call.requests == []


def test_nothing_leaves_after_the_deadline():
    call = Call([answer()], seconds=0)

    assert call.fault() == GatewayFault(Code.TIME_LIMIT, ChargeStatus.NONE)
    assert (call.requests, call.sent) == ([], [])


def test_nothing_leaves_where_marking_the_call_used_up_the_time():
    call = Call([answer()], seconds=1)
    call.sent = type("Slow", (), {"append": lambda _, __: call.clock.sleep(2)})()

    assert call.fault() == GatewayFault(Code.TIME_LIMIT, ChargeStatus.NONE)
    assert call.requests == []


def test_retry_after_is_waited_for():
    call = Call([error(429, retry_after="7"), answer()], draw=0)

    call.reply()

    assert call.clock.slept == [7]


def test_a_wait_that_the_deadline_does_not_hold_is_not_begun():
    call = Call([error(429, retry_after="30")], seconds=20, replays=False)

    assert call.fault() == GatewayFault(Code.GATEWAY_RATE_LIMITED, ChargeStatus.NONE, may_send_again=True)
    assert (call.clock.slept, len(call.requests)) == ([], 1)


def test_without_retry_after_the_waits_grow_and_are_drawn():
    call = Call([error(429), error(429), error(429), answer()], draw=0.5)

    call.reply()

    assert call.clock.slept == [0.5, 1, 2]


def test_a_rate_limit_is_waited_out_until_the_deadline():
    call = Call([error(429, retry_after="1")], seconds=10.5, draw=0)

    assert call.fault().code is Code.GATEWAY_RATE_LIMITED
    assert len(call.requests) == 11


def test_a_gateway_that_never_makes_one_wait_is_not_asked_for_ever():
    call = Call([error(429, retry_after="0")], seconds=600, draw=0)

    call.fault()

    assert len(call.requests) == 30


def test_a_refused_connection_is_tried_again_also_without_replays():
    call = Call([httpx.ConnectError("refused"), answer()], replays=False)

    assert call.reply().served_model == "judge-1"


@pytest.mark.parametrize("uncertain", [LOST, error(500), error(408), error(409), answer(200, b"<html>")])
def test_an_uncertain_call_is_never_sent_again_without_replays(uncertain):
    call = Call([uncertain, answer()], replays=False)

    assert call.fault().charge is ChargeStatus.UNCERTAIN
    assert len(call.requests) == 1


@pytest.mark.parametrize("uncertain", [LOST, error(500), error(408), error(409), answer(200, b"<html>")])
def test_an_uncertain_call_is_sent_again_to_a_gateway_that_replays(uncertain):
    call = Call([uncertain, answer()])

    assert call.reply().served_model == "judge-1"
    assert len(call.requests) == 2


def test_an_uncertain_call_is_sent_again_three_times_at_most():
    call = Call([error(503)], seconds=600)

    assert call.fault().code is Code.GATEWAY_5XX
    assert len(call.requests) == 4


def test_a_call_in_progress_is_waited_for_longer_than_that():
    call = Call([*[error(409, retry_after="1")] * 6, answer()], draw=0)

    assert call.reply().served_model == "judge-1"


def test_a_later_answer_that_cost_nothing_leaves_an_earlier_doubt():
    call = Call([LOST, error(400)])

    assert call.fault() == GatewayFault(Code.GATEWAY_BAD_REQUEST, ChargeStatus.UNCERTAIN)


def test_a_call_that_was_sent_before_stays_in_doubt_where_an_answer_cost_nothing():
    call = Call([error(402)], sent_before=True)

    assert call.fault() == GatewayFault(Code.BUDGET_EXHAUSTED, ChargeStatus.UNCERTAIN)


def test_a_call_that_was_sent_before_is_not_sent_at_all_without_replays():
    call = Call([answer()], sent_before=True, replays=False)

    assert call.fault() == GatewayFault(Code.GATEWAY_OUTCOME_UNKNOWN, ChargeStatus.UNCERTAIN)
    assert (call.requests, call.sent) == ([], [])


def test_a_refused_token_is_fetched_again_once_and_at_once():
    call = Call([error(401), answer()], replays=False)

    call.reply()

    tokens = [request.headers["authorization"] for request in call.requests]
    assert (tokens, call.clock.slept) == (["Bearer token-1", "Bearer token-2"], [])


def test_a_token_that_is_refused_twice_ends_the_call():
    call = Call([error(401)])

    assert call.fault().code is Code.GATEWAY_AUTH
    assert len(call.requests) == 2


def test_without_a_token_nothing_leaves():
    call = Call([answer()], tokens=FakeTokens(StoreUnavailable("Secrets Manager gave no token")))

    assert call.fault() == GatewayFault(Code.GATEWAY_UNREACHABLE, ChargeStatus.NONE, may_send_again=True)
    assert call.requests == []


def test_a_charged_fault_is_never_sent_again():
    call = Call([answer(200, completion(model="judge-2"))])

    call.fault()

    assert len(call.requests) == 1


CERTAIN = [error(429), error(425), error(401), error(400), error(402), httpx.ConnectError("refused")]
DOUBTFUL = [LOST, error(500), error(408), error(409), error(422), answer(200, b"<html>"), answer(302, b"")]


@given(st.lists(st.sampled_from([*CERTAIN, *DOUBTFUL]), min_size=1, max_size=6), st.booleans(), st.booleans())
def test_no_course_of_attempts_sends_twice_what_may_have_been_charged_or_forgets_that_it_may(script, replays, before):
    call = Call([*script, error(400)], replays=replays, sent_before=before, seconds=600)

    fault = call.fault()

    said = [*script, error(400)][: len(call.requests)]
    doubts = [said.index(one) for one in DOUBTFUL if one in said]
    assert (fault.charge is ChargeStatus.NONE) == (not doubts and not before)
    assert replays or not doubts or min(doubts) == len(said) - 1
    assert replays or not before or call.requests == []
    assert len(call.sent) == len(call.requests)


def test_a_failure_says_nothing_of_what_was_sent_or_answered():
    call = Call([error(400, message="canary-in-an-answer"), answer()])

    with pytest.raises(GatewayFailure) as raised:
        call.reply()

    assert str(raised.value) == "GATEWAY_BAD_REQUEST: The gateway refused the request."
    assert raised.value.__context__ is None
