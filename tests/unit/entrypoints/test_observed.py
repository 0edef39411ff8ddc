"""What a handler's log lines carry, what is counted of it, and what a trace of it holds."""

import io
import json
from types import SimpleNamespace

import pytest
from aws_xray_sdk.core import xray_recorder
from aws_xray_sdk.core.lambda_launcher import LambdaContext

from evalbook.entrypoints.observed import http_request, judge_step, observed
from evalbook.observability import logger

CANARY = "canary-91be"
CONTEXT = SimpleNamespace(aws_request_id="request-7")
STEP = {"judge_run_id": "run-1", "repeat": 2, "attempt": 0, "deadline_at": 5, "job": {"key": CANARY}}
HTTP = {
    "routeKey": "GET /scorers/{scorer}",
    "rawPath": f"/scorers/{CANARY}",
    "requestContext": {"requestId": "http-3", "http": {"path": f"/scorers/{CANARY}"}},
    "body": CANARY,
}


class Lines:
    """What the logger writes."""

    def __init__(self):
        self.stream = io.StringIO()

    @property
    def text(self):
        return self.stream.getvalue()

    def all(self):
        return [json.loads(line) for line in self.text.splitlines()]


@pytest.fixture
def logged():
    lines = Lines()
    before = logger.registered_handler.setStream(lines.stream)
    yield lines
    logger.registered_handler.setStream(before)


@pytest.fixture
def counted(capsys, monkeypatch):
    monkeypatch.setenv("POWERTOOLS_METRICS_NAMESPACE", "EvalBook")
    return lambda: [json.loads(line) for line in capsys.readouterr().out.splitlines() if '"_aws"' in line]


def handler(event, _):
    logger.warning("working")
    return {"size": len(event)}


def broken(*_):
    raise ValueError(CANARY)


def test_a_line_carries_the_request_id(logged):
    observed()(handler)({}, CONTEXT)

    assert [line["request_id"] for line in logged.all()] == ["request-7"]


def test_a_line_of_a_judges_step_carries_its_judge_run_repeat_and_attempt(logged):
    observed(judge_step)(handler)(STEP, CONTEXT)

    [line] = logged.all()
    assert (line["judge_run_id"], line["repeat"], line["attempt"]) == ("run-1", 2, 0)


def test_a_line_of_the_api_carries_the_gateways_id_and_the_route(logged):
    observed(http_request)(handler)(HTTP, CONTEXT)

    [line] = logged.all()
    assert (line["api_request_id"], line["route"]) == ("http-3", "GET /scorers/{scorer}")


@pytest.mark.parametrize(("keys", "event"), [(judge_step, STEP), (http_request, HTTP)])
def test_a_line_carries_nothing_else_of_the_event(keys, event, logged):
    observed(keys)(handler)(event, CONTEXT)

    assert CANARY not in logged.text


@pytest.mark.parametrize("keys", [judge_step, http_request])
@pytest.mark.parametrize("event", [{}, {"routeKey": 1, "judge_run_id": [CANARY], "requestContext": {"requestId": {}}}])
def test_an_event_without_the_keys_is_handled_all_the_same(keys, event, logged):
    assert observed(keys)(handler)(event, CONTEXT) == {"size": len(event)}
    assert CANARY not in logged.text


def test_after_the_invocation_no_line_carries_its_keys(logged):
    observed(judge_step)(handler)(STEP, CONTEXT)
    logger.warning("idle")

    assert {"request_id", "judge_run_id"}.isdisjoint(logged.all()[-1])


def test_a_step_that_was_taken_is_counted_under_its_name(counted):
    observed(step="ask")(handler)({}, CONTEXT)

    [blob] = counted()
    assert (blob["step"], blob["Steps"]) == ("ask", [1.0])


def test_a_step_that_failed_is_not_counted(counted):
    with pytest.raises(ValueError, match=CANARY):
        observed(step="ask")(broken)({}, CONTEXT)

    assert counted() == []


def test_what_is_no_step_is_not_counted(counted):
    observed()(handler)({}, CONTEXT)

    assert counted() == []


class Emitter:
    """Where segments go, instead of to a daemon."""

    def __init__(self):
        self.sent = []

    def send_entity(self, entity):
        self.sent.append(entity.serialize())


@pytest.fixture
def traces(monkeypatch):
    monkeypatch.setenv("TRACING", "true")
    monkeypatch.setenv("LAMBDA_TASK_ROOT", "/var/task")
    monkeypatch.setenv("_X_AMZN_TRACE_ID", "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1")
    emitter = Emitter()
    monkeypatch.setattr(xray_recorder, "_emitter", emitter)
    monkeypatch.setattr(xray_recorder, "_context", LambdaContext())
    return emitter.sent


def test_a_traced_invocation_is_a_segment_of_its_own(traces):
    observed()(handler)({}, CONTEXT)

    assert [json.loads(segment)["name"] for segment in traces] == ["## handler"]


def test_a_trace_holds_nothing_of_the_event_and_the_answer(traces):
    observed(http_request)(lambda event, _: {"answer": event["body"]})(HTTP, CONTEXT)

    assert len(traces) == 1
    assert CANARY not in "".join(traces)


def test_a_trace_holds_nothing_of_an_errors_text(traces):
    with pytest.raises(ValueError, match=CANARY):
        observed()(broken)({}, CONTEXT)

    [segment] = map(json.loads, traces)
    assert segment["annotations"] == {"error": "ValueError"}
    assert CANARY not in "".join(traces)


def test_nothing_is_traced_where_tracing_is_off(traces, monkeypatch):
    monkeypatch.setenv("TRACING", "false")

    observed()(handler)({}, CONTEXT)

    assert traces == []
