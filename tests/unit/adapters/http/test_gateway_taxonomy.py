"""What each answer of a gateway means: one row of the taxonomy a test."""

import gzip
from dataclasses import replace

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalbook.adapters.http.completion import read_completion
from evalbook.adapters.http.request import HttpAnswer, Loss
from evalbook.domain.outcome import Code
from evalbook.judges.estimate import Usage, UsageReport
from evalbook.judges.reply import RawReply
from evalbook.services.judging.gateway import ChargeStatus, CompletionReply, GatewayFault
from tests.unit.adapters.http.gateway_calls import REQUEST, Call, answer, completion, error

NONE, UNCERTAIN, CHARGED = ChargeStatus.NONE, ChargeStatus.UNCERTAIN, ChargeStatus.CHARGED


def meaning(said, *, replays=True):
    """Code, charge and whether it may be sent again, of a call whose every attempt is answered with *said*."""
    fault = Call([said], replays=replays).fault()
    return fault.code, fault.charge, fault.may_send_again


def test_a_connection_that_is_refused_certainly_costs_nothing():
    assert meaning(httpx.ConnectError("refused")) == (Code.GATEWAY_UNREACHABLE, NONE, True)


def test_a_connection_that_is_not_made_in_time_certainly_costs_nothing():
    assert meaning(httpx.ConnectTimeout("slow")) == (Code.GATEWAY_UNREACHABLE, NONE, True)


@pytest.mark.parametrize(
    "loss", [httpx.ReadError("reset"), httpx.ReadTimeout("slow"), httpx.RemoteProtocolError("closed"),
             httpx.WriteError("reset"), httpx.WriteTimeout("slow")]
)  # fmt: skip
def test_a_connection_that_breaks_after_sending_leaves_the_charge_uncertain(loss):
    assert meaning(loss) == (Code.GATEWAY_OUTCOME_UNKNOWN, UNCERTAIN, True)


def test_an_uncertain_call_may_not_be_sent_again_where_the_gateway_does_not_replay():
    assert meaning(httpx.ReadError("reset"), replays=False) == (Code.GATEWAY_OUTCOME_UNKNOWN, UNCERTAIN, False)


def test_a_time_limit_after_sending_leaves_the_charge_uncertain_and_ends_the_call():
    assert read_completion(Loss.OUT_OF_TIME, REQUEST) == GatewayFault(Code.TIME_LIMIT, UNCERTAIN)


def test_a_time_limit_before_there_is_a_connection_costs_nothing():
    assert read_completion(Loss.OUT_OF_TIME_UNSENT, REQUEST) == GatewayFault(Code.TIME_LIMIT, NONE)


def test_400_is_a_bad_request():
    assert meaning(error(400, "400", kind="invalid_request_error")) == (Code.GATEWAY_BAD_REQUEST, NONE, False)


@pytest.mark.parametrize(
    "said",
    [
        error(400, "context_length_exceeded"),
        error(400, "400", kind="invalid_request_error", message="litellm.ContextWindowExceededError: too long"),
        error(400, message="This model's maximum context length is 8192 tokens"),
    ],
)
def test_400_for_a_context_window_is_too_long(said):
    assert meaning(said) == (Code.GATEWAY_CONTEXT_TOO_LONG, NONE, False)


def test_401_is_the_services_token_and_stops_the_run():
    fault = Call([error(401)]).fault()

    assert fault == GatewayFault(Code.GATEWAY_AUTH, NONE, stops_run=True)


def test_403_is_forbidden_and_stops_the_run():
    fault = Call([error(403)]).fault()

    assert fault == GatewayFault(Code.GATEWAY_FORBIDDEN, NONE, stops_run=True)


@pytest.mark.parametrize(
    "said", [error(402), error(412), error(429, kind="budget_exceeded"), error(400, kind="budget_exceeded")]
)
def test_402_412_and_a_named_budget_are_a_spent_budget_and_not_retried(said):
    assert meaning(said) == (Code.BUDGET_EXHAUSTED, NONE, False)


@pytest.mark.parametrize(
    "said",
    [
        error(404),
        error(400, "model_not_found"),
        error(400, "400", kind="invalid_request_error", message="Invalid model name passed in model=x"),
        error(400, "400", message="/chat/completions: Invalid model name passed in model=x"),
    ],
)
def test_404_and_an_invalid_model_name_stop_the_run(said):
    fault = Call([said]).fault()

    assert fault == GatewayFault(Code.GATEWAY_MODEL_UNAVAILABLE, NONE, stops_run=True)


def test_a_case_that_an_error_quotes_cannot_stop_the_run():
    fault = Call([error(400, message="cannot read messages: 'Invalid model name passed in model=x'")]).fault()

    assert fault == GatewayFault(Code.GATEWAY_BAD_REQUEST, NONE)


def test_408_may_have_been_charged():
    assert meaning(error(408)) == (Code.GATEWAY_OUTCOME_UNKNOWN, UNCERTAIN, True)


def test_425_was_not_processed():
    assert meaning(error(425), replays=False) == (Code.GATEWAY_UNREACHABLE, NONE, True)


@pytest.mark.parametrize("said", [error(409), error(409, "idempotency_request_in_progress")])
def test_409_is_a_call_in_progress(said):
    assert meaning(said) == (Code.GATEWAY_IN_PROGRESS, UNCERTAIN, True)


@pytest.mark.parametrize(
    "said", [error(409, "idempotency_key_conflict"), error(422), error(422, "idempotency_key_reuse")]
)
def test_a_key_that_was_used_for_another_body_is_a_conflict(said):
    assert meaning(said) == (Code.GATEWAY_IDEMPOTENCY_CONFLICT, UNCERTAIN, False)


@pytest.mark.parametrize(
    "said", [error(422, kind="invalid_request_error"), answer(422, {"detail": [{"loc": ["body"], "msg": "m"}]})]
)
def test_422_that_lists_what_is_wrong_with_the_body_is_a_bad_request(said):
    assert meaning(said) == (Code.GATEWAY_BAD_REQUEST, NONE, False)


def test_413_is_too_large():
    assert meaning(error(413)) == (Code.GATEWAY_TOO_LARGE, NONE, False)


def test_429_is_a_rate_limit_that_may_be_sent_again_even_without_replays():
    assert meaning(error(429, "429", kind="throttling_error"), replays=False) == (
        Code.GATEWAY_RATE_LIMITED,
        NONE,
        True,
    )


def test_429_for_the_providers_quota_is_not_retried():
    assert meaning(error(429, "insufficient_quota")) == (Code.GATEWAY_PROVIDER_QUOTA, NONE, False)


@pytest.mark.parametrize("said", [error(446), error(400, "content_policy_violation"), error(400, "content_filter")])
def test_blocked_content_costs_nothing_where_no_usage_is_stated(said):
    assert meaning(said) == (Code.GATEWAY_CONTENT_BLOCKED, NONE, False)


def test_blocked_content_is_settled_by_the_usage_that_is_stated():
    said = answer(446, {"usage": {"prompt_tokens": 9, "completion_tokens": 0}})

    fault = Call([said]).fault()

    assert fault == GatewayFault(Code.GATEWAY_CONTENT_BLOCKED, CHARGED, report=UsageReport(Usage(9, 0)))


@pytest.mark.parametrize("status", [500, 502, 503, 504, 529, 520])
def test_a_server_error_leaves_the_charge_uncertain(status):
    assert meaning(error(status)) == (Code.GATEWAY_5XX, UNCERTAIN, True)


@pytest.mark.parametrize("status", [500, 502, 503, 504, 529])
def test_a_server_error_is_not_sent_again_where_the_gateway_does_not_replay(status):
    assert meaning(error(status), replays=False) == (Code.GATEWAY_5XX, UNCERTAIN, False)


@pytest.mark.parametrize("body", [b"<html></html>", b"", b"[]", b'"text"', b'{"model": "judge-1"', b"\xff\xfe"])
def test_a_page_instead_of_a_completion_leaves_the_charge_uncertain(body):
    assert meaning(answer(200, body)) == (Code.BAD_GATEWAY_BODY, UNCERTAIN, True)


@pytest.mark.parametrize("choices", [[], [1], [{}], [{"message": "text"}], None, completion()["choices"] * 2])
def test_a_completion_without_its_one_choice_is_charged_as_far_as_usage_is_stated(choices):
    fault = Call([answer(200, completion(choices=choices))]).fault()

    assert fault == GatewayFault(Code.BAD_GATEWAY_BODY, CHARGED, report=UsageReport(Usage(100, 20)))


def test_an_error_inside_a_200_leaves_the_charge_uncertain():
    assert meaning(answer(200, {"error": {"code": 502}})) == (Code.BAD_GATEWAY_BODY, UNCERTAIN, True)


@pytest.mark.parametrize("status", [201, 202, 204, 301, 302, 307, 308])
def test_a_redirect_or_another_success_is_not_followed_and_not_sent_again(status):
    call = Call([answer(status, b"", location="https://elsewhere.example/")])

    fault = call.fault()

    assert (fault.code, fault.charge, fault.may_send_again) == (Code.BAD_GATEWAY_BODY, UNCERTAIN, False)
    assert len(call.requests) == 1


@pytest.mark.parametrize("finish", ["length", "content_filter", "tool_calls", None, 7])
def test_however_a_reply_ended_it_is_a_completion_and_never_asked_again(finish):
    choices = [{"message": {"content": None, "refusal": "no", "tool_calls": [{}]}, "finish_reason": finish}]
    call = Call([answer(200, completion(choices=choices))])

    reply = call.reply()

    assert reply.message == RawReply(None, finish, "no", [{}])
    assert len(call.requests) == 1


def test_a_reply_that_breaks_the_contract_is_a_completion():
    choices = [{"message": {"content": "prose"}, "finish_reason": "stop"}]

    reply = Call([answer(200, completion(choices=choices))]).reply()

    assert reply.message == RawReply("prose", "stop")


def test_246_a_reply_that_a_guardrail_only_objected_to_is_a_completion():
    assert Call([answer(246)]).reply() == Call([answer(200)]).reply()


@pytest.mark.parametrize("served", ["judge-2", "", None, 7])
def test_another_model_than_the_pinned_one_is_charged_and_an_error(served):
    fault = Call([answer(200, completion(model=served))]).fault()

    report = UsageReport(Usage(100, 20))
    assert fault == GatewayFault(Code.GATEWAY_MODEL_MISMATCH, CHARGED, stops_run=True, report=report)


@pytest.mark.parametrize("headers", [{"x_litellm_model_name": "acme/judge-2"}, {"x_litellm_attempted_fallbacks": "1"}])
def test_another_model_behind_the_name_that_was_asked_for_is_an_error(headers):
    assert meaning(answer(200, **headers)) == (Code.GATEWAY_MODEL_MISMATCH, CHARGED, False)


def test_a_snapshot_that_the_catalog_lists_is_the_pinned_model():
    body = completion(model="judge-1-2026-10-01")
    request = replace(REQUEST, served_names=frozenset({"judge-1", "judge-1-2026-10-01"}))

    reply = read_completion(HttpAnswer(200, {}, httpx.Response(200, json=body).content), request)

    assert reply.served_model == "judge-1-2026-10-01"


def test_an_answer_over_the_size_limit_is_charged_and_too_large():
    fault = Call([answer()], most_bytes=50).fault()

    assert fault == GatewayFault(Code.GATEWAY_TOO_LARGE, CHARGED)


def test_an_error_over_the_size_limit_still_means_what_its_status_says():
    call = Call([error(402, message="x" * 1_000)], most_bytes=50)

    assert call.fault().code is Code.BUDGET_EXHAUSTED


def test_a_compressed_answer_is_no_completion():
    said = answer(200, gzip.compress(b"{}"), content_encoding="gzip")

    assert meaning(said) == (Code.BAD_GATEWAY_BODY, UNCERTAIN, True)


def test_words_alone_never_make_a_server_error_certain():
    said = error(500, "insufficient_quota", message="Budget has been exceeded. Invalid model name.")

    assert meaning(said) == (Code.GATEWAY_5XX, UNCERTAIN, True)


@pytest.mark.parametrize("status", [400, 402, 403, 404, 413, 429, 446])
def test_an_error_of_any_other_form_is_read_by_its_status(status):
    plain = Call([answer(status, b"nope")]).fault()
    problem = Call([answer(status, {"type": "https://errors.example/other", "detail": "d"})]).fault()

    assert plain == problem


def test_a_problems_type_names_the_error():
    said = answer(429, {"type": "https://errors.example/budget-exceeded", "detail": "d"})

    assert meaning(said) == (Code.BUDGET_EXHAUSTED, NONE, False)


@settings(max_examples=200)
@given(
    st.integers(200, 599),
    st.binary() | st.sampled_from([b'{"error": []}', b'{"error": {"code": [1]}}', b'{"choices": [{"message": {}}]}']),
    st.dictionaries(st.sampled_from(["retry-after", "x-litellm-response-cost", "idempotent-replayed"]), st.text()),
)
def test_whatever_a_gateway_answers_is_a_completion_or_a_fault(status, body, headers):
    outcome = read_completion(HttpAnswer(status, headers, body), REQUEST)

    assert isinstance(outcome, CompletionReply | GatewayFault)
