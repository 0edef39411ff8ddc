"""The gateway's adapter against LiteLLM's proxy, a real OpenAI-compatible gateway, with a catalog document of our own.

Needs `litellm[proxy]` in the same environment; the proxy answers with its own mock replies and calls nobody.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from evalbook.adapters.http.gateway import GatewayAddress, HttpxGateway
from evalbook.domain.case import Case
from evalbook.domain.outcome import Code
from evalbook.judges.catalog import confirm, read_catalog
from evalbook.judges.prompt import build_messages
from evalbook.judges.reply import parse_reply
from evalbook.judges.reply_json import ReplyUnusable
from evalbook.judges.request import RequestLabels, request_body
from evalbook.judges.version import read_judge_parameters
from evalbook.services.judging.gateway import ChargeStatus, CompletionRequest, GatewayFailure
from tests.fakes.catalogs import FixedCatalog

KEY = "sk-made-up-for-this-test"
START_SECONDS = 120
HEADERS = {"x-litellm-num-retries": "0"}

REPLY = json.dumps(
    {"reasoning_summary": "Right.", "cited_evidence": [], "score": 1, "verdict": "pass", "abstain": False}
)

SAID = {
    "judge": REPLY,
    "prose": "I would say that it passes.",
    "limited": "litellm.RateLimitError",
    "broken": "litellm.InternalServerError",
    "short": "litellm.ContextWindowExceededError",
    "falling": "litellm.InternalServerError",
}
PRICES = {"input_cost_per_token": 0.000001, "output_cost_per_token": 0.000002}
CONFIG = {
    "model_list": [
        {
            "model_name": name,
            "litellm_params": {"model": f"openai/{name}-upstream", "api_key": "none", "mock_response": said, **PRICES},
        }
        for name, said in SAID.items()
    ],
    "general_settings": {"master_key": KEY},
    "litellm_settings": {"num_retries": 0, "fallbacks": [{"falling": ["judge"]}]},
}
CATALOG = {
    "capabilities": {"provider_model_selection": True},
    "models": [
        {
            "id": f"litellm::{name}",
            "served_as": [f"openai/{name}-upstream"],
            "prices": {"input": 1_000_000, "output": 2_000_000},
            "temperature": {},
            "response_format": "json_schema",
            "metadata": True,
        }
        for name in (*SAID, "nobody")
    ],
}


class FixedToken:
    """The proxy's key."""

    def token(self, **_):
        return KEY


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until_alive(url, process, log):
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            if httpx.get(f"{url}/health/liveliness", trust_env=False, timeout=2).status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.5)
    raise AssertionError(f"the proxy did not start:\n{log.read_text()[-2000:]}")


@pytest.fixture(scope="module")
def proxy(tmp_path_factory):
    directory = tmp_path_factory.mktemp("litellm")
    config, log, port = directory / "config.json", directory / "log", free_port()
    config.write_text(json.dumps(CONFIG))
    command = [str(Path(sys.executable).with_name("litellm")), "--config", str(config), "--port", str(port)]
    environment = {**os.environ, "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
    with log.open("wb") as out:
        process = subprocess.Popen(
            [*command, "--host", "127.0.0.1"], env=environment, stdout=out, stderr=out, start_new_session=True
        )
    try:
        url = f"http://127.0.0.1:{port}"
        wait_until_alive(url, process, log)
        yield url
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def parameters(name):
    return read_judge_parameters(
        {"model": f"litellm::{name}", "prompt_template": "Right? {{output}}", "score_type": "binary"}
    )


def catalog():
    return FixedCatalog(read_catalog(json.dumps(CATALOG).encode())).catalog("org-1")


def request(name):
    entry, judge = catalog().models[f"litellm::{name}"], parameters(name)
    messages = build_messages(judge, Case("c", output="four"), boundary="0f" * 16)
    body = request_body(entry, judge, messages, RequestLabels("run-1", "5f" * 32, "ab" * 32))
    return CompletionRequest("org-1", "budget-1", "ab" * 32, body, entry.served_names)


def complete(url, wanted, *, seconds=60.0):
    gateway = HttpxGateway(GatewayAddress(url, replays=False, headers=HEADERS), FixedToken())
    return gateway.complete(wanted, deadline=time.time() + seconds, on_sent=lambda _, __: None)


def fault(url, wanted, **options):
    with pytest.raises(GatewayFailure) as raised:
        complete(url, wanted, **options)
    return raised.value.fault


def test_a_catalog_document_confirms_the_proxys_model():
    assert confirm(catalog(), parameters("judge")) == ()


def test_a_reply_is_usable_and_billed_at_the_price_that_the_proxy_states(proxy):
    reply = complete(proxy, request("judge"))

    usage = reply.report.usage
    assert parse_reply(reply.message, parameters("judge")).verdict == "pass"
    assert reply.report.cost == usage.input_tokens + 2 * usage.output_tokens
    assert reply.served_model == "judge"


def test_the_proxy_does_not_replay_so_it_must_be_configured_as_not_replaying(proxy):
    wanted = request("judge")
    headers = {**HEADERS, "Idempotency-Key": wanted.logical_id, "Authorization": f"Bearer {FixedToken().token()}"}

    first, second = (
        httpx.post(f"{proxy}/v1/chat/completions", content=wanted.body, headers=headers, trust_env=False, timeout=60)
        for _ in range(2)
    )

    assert first.json()["id"] != second.json()["id"]


def test_prose_is_a_charged_completion_whose_reply_is_unusable(proxy):
    reply = complete(proxy, request("prose"))

    with pytest.raises(ReplyUnusable) as raised:
        parse_reply(reply.message, parameters("prose"))
    assert raised.value.code is Code.REPLY_NOT_JSON


def test_a_rate_limit_costs_nothing_and_may_be_sent_again(proxy):
    found = fault(proxy, request("limited"), seconds=3)

    assert (found.code, found.charge, found.may_send_again) == (Code.GATEWAY_RATE_LIMITED, ChargeStatus.NONE, True)


def test_a_server_error_is_uncertain_and_not_sent_again(proxy):
    found = fault(proxy, request("broken"))

    assert (found.code, found.charge, found.may_send_again) == (Code.GATEWAY_5XX, ChargeStatus.UNCERTAIN, False)


def test_a_context_window_that_is_too_small_is_named(proxy):
    found = fault(proxy, request("short"))

    assert (found.code, found.charge) == (Code.GATEWAY_CONTEXT_TOO_LONG, ChargeStatus.NONE)


def test_a_model_that_the_proxy_does_not_know_is_unavailable(proxy):
    found = fault(proxy, request("nobody"))

    assert (found.code, found.stops_run) == (Code.GATEWAY_MODEL_UNAVAILABLE, True)


def test_a_fallback_to_another_model_is_a_mismatch_and_charged(proxy):
    found = fault(proxy, request("falling"))

    assert (found.code, found.charge) == (Code.GATEWAY_MODEL_MISMATCH, ChargeStatus.CHARGED)


def test_the_model_behind_an_alias_must_be_one_that_the_catalog_lists(proxy):
    wanted = replace(request("judge"), served_names=frozenset({"judge"}))

    assert fault(proxy, wanted).code is Code.GATEWAY_MODEL_MISMATCH
