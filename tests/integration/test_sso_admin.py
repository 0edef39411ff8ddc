"""The stand-in as other processes set it and read it."""

import httpx
import pytest

from devstack.standins.gateway import GatewayStandIn
from evalbook.domain.outcome import Code
from tests.integration.gateway_contract import caller, request


@pytest.fixture
def sso():
    with GatewayStandIn() as running:
        yield running


def order(sso, name, *members):
    return httpx.post(f"{sso.url}/admin/{name}", json=list(members), trust_env=False)


def test_a_fault_can_be_set(sso):
    order(sso, "faults", {"kind": "status", "status": 402, "times": 1})

    assert caller(sso).fault(request()).code is Code.BUDGET_EXHAUSTED


def test_a_fault_for_one_logical_request_waits_for_it(sso):
    first, second = request("call-1"), request("call-2")
    order(sso, "faults", {"kind": "status", "status": 402, "key": second.logical_id})

    caller(sso).complete(first)

    assert caller(sso).fault(second).code is Code.BUDGET_EXHAUSTED


def test_replies_can_be_laid_ready(sso):
    order(sso, "replies", {"content": None, "finish_reason": "content_filter", "refusal": "no"})

    reply = caller(sso).complete(request())

    assert (reply.message.content, reply.message.finish_reason, reply.message.refusal) == (None, "content_filter", "no")


def test_rules_can_be_set(sso):
    order(sso, "rules", {"contains": "four", "verdict": "fail"})

    assert '"fail"' in caller(sso).complete(request()).message.content


def test_charges_and_arrivals_can_be_read(sso):
    wanted = request()
    caller(sso).complete(wanted)

    charges, arrivals = (
        httpx.get(f"{sso.url}/admin/{name}", trust_env=False).json() for name in ("charges", "arrivals")
    )

    assert [charge["logical_id"] for charge in charges] == [wanted.logical_id]
    assert [arrival["logical_id"] for arrival in arrivals] == [wanted.logical_id]


def test_everything_can_be_forgotten(sso):
    caller(sso).complete(request())
    order(sso, "faults", {"kind": "drop"})

    order(sso, "clear")

    assert (sso.charges, sso.arrivals, sso.faults.take("any")) == ((), (), None)


@pytest.mark.parametrize("members", [{"kind": "earthquake"}, {"kind": "drop", "depth": 7}, 7])
def test_a_fault_that_does_not_exist_is_refused(sso, members):
    assert order(sso, "faults", members).status_code == 400


def test_a_path_of_nobody_is_not_found(sso):
    headers = {"Authorization": "Bearer sso-stand-in-token", "X-Bookbag-Organization": "org-1"}

    assert httpx.get(f"{sso.url}/v1/models", headers=headers, trust_env=False).status_code == 404


def test_an_order_that_does_not_exist_is_refused(sso):
    assert order(sso, "earthquake").status_code == 404


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b'{"model": 1}', b'{"model": "judge-rules-1", "messages": [7]}'])
def test_what_is_no_request_is_a_bad_request(sso, body):
    headers = {
        "Authorization": "Bearer sso-stand-in-token",
        "X-Bookbag-Organization": "org-1",
        "X-Bookbag-Budget": "budget-1",
        "Idempotency-Key": "k",
    }
    answer = httpx.post(f"{sso.url}/v1/chat/completions", content=body, headers=headers, trust_env=False)

    assert answer.status_code == 400


@pytest.mark.parametrize("missing", ["X-Bookbag-Budget", "Idempotency-Key"])
def test_a_call_without_a_budget_or_a_key_is_a_bad_request(sso, missing):
    headers = {
        "Authorization": "Bearer sso-stand-in-token",
        "X-Bookbag-Organization": "org-1",
        "X-Bookbag-Budget": "budget-1",
        "Idempotency-Key": "k",
    }
    del headers[missing]

    answer = httpx.post(f"{sso.url}/v1/chat/completions", json={}, headers=headers, trust_env=False)

    assert (answer.status_code, sso.arrivals) == (400, ())
