"""Cases resolved through the small traces component of the local stack."""

import httpx
import pytest

from devstack.standins.traces import TOKEN, CapturePolicy, TracesService
from evalbook.adapters.http.backoff import Backoff
from evalbook.adapters.http.traces import HttpxTraces
from evalbook.domain.outcome import Code
from evalbook.traces.port import Purpose, TracesUnavailable
from evalbook.traces.resolution import Needs, resolve_case
from tests.integration.gateway_contract import FixedToken

SPANS = [
    {"span_id": "s1", "kind": "tool", "name": "search", "arguments": {"q": "paris"}, "result": "3 hits"},
    {"span_id": "s2", "kind": "llm", "name": "answer", "output": "Paris."},
]
TOOLS = Needs(Purpose.SCORING, frozenset(), spans=True, arguments=True)
JUDGE = Needs(Purpose.JUDGE, frozenset({"output"}))
CASE = {
    "case_id": "c1",
    "trace": {"trace_id": "trace-1"},
    "refs": {"output": {"span_id": "s2", "field": "output"}},
}


@pytest.fixture
def service():
    with TracesService() as running:
        running.store("org-1", "project-1", "trace-1", SPANS)
        yield running


def resolve(service, needs, *, project_id="project-1", token=TOKEN):
    traces = HttpxTraces(service.url, FixedToken(token), pace=Backoff(draw=lambda: 0.0))
    return resolve_case(CASE, needs, traces, organization_id="org-1", project_id=project_id)


def test_spans_come_without_content_and_arguments_in_one_further_request(service):
    resolution = resolve(service, TOOLS)

    assert resolution.value["trace"]["spans"] == [
        {"span_id": "s1", "kind": "tool", "name": "search", "arguments": {"q": "paris"}},
        {"span_id": "s2", "kind": "llm", "name": "answer"},
    ]
    assert service.requests == [
        ("GET", "v1", "traces", "trace-1", "spans"),
        ("POST", "v1", "traces", "trace-1", "content"),
    ]


def test_arguments_that_the_policy_does_not_keep_stay_absent(service):
    service.set_policy("org-1", "project-1", CapturePolicy(not_kept=frozenset({"arguments"})))

    resolution = resolve(service, TOOLS)

    assert "arguments" not in resolution.value["trace"]["spans"][0]


def test_a_judge_reads_what_the_policy_allows(service):
    assert resolve(service, JUDGE).value["output"] == "Paris."


def test_a_kind_of_span_that_the_policy_forbids_reaches_no_judge(service):
    service.set_policy("org-1", "project-1", CapturePolicy(forbidden={"judge": frozenset({"llm"})}))

    assert resolve(service, JUDGE).ending.code is Code.CAPTURE_POLICY_FORBIDS


def test_what_is_forbidden_for_judges_may_be_scored(service):
    service.set_policy("org-1", "project-1", CapturePolicy(forbidden={"judge": frozenset({"tool"})}))

    assert resolve(service, TOOLS).value["trace"]["spans"][0]["arguments"] == {"q": "paris"}


def test_another_projects_trace_is_unavailable(service):
    assert resolve(service, TOOLS, project_id="project-2").ending.code is Code.TRACE_UNAVAILABLE


def test_a_truncated_trace_says_so(service):
    service.store("org-1", "project-1", "trace-1", SPANS, truncated=True)

    assert resolve(service, TOOLS).value["trace"]["truncated"] is True


def test_a_component_that_fails_once_is_asked_again(service):
    service.fail_next(503)

    assert resolve(service, JUDGE).value["output"] == "Paris."


def test_a_component_that_goes_on_failing_is_unavailable(service):
    service.fail_next(*[500] * 4)

    with pytest.raises(TracesUnavailable):
        resolve(service, JUDGE)


def test_a_token_of_nobody_is_refused(service):
    with pytest.raises(TracesUnavailable, match="401"):
        resolve(service, JUDGE, token="wrong")


def test_other_processes_store_traces_and_set_policies(service):
    place = {"organization_id": "org-1", "project_id": "project-9"}
    orders = {
        "traces": {**place, "trace_id": "trace-1", "spans": SPANS},
        "policies": {**place, "not_kept": ["output"], "forbidden": {"judge": ["tool"]}},
    }

    statuses = [httpx.put(f"{service.url}/admin/{name}", json=body, trust_env=False).status_code
                for name, body in orders.items()]  # fmt: skip

    assert statuses == [204, 204]
    assert resolve(service, JUDGE, project_id="project-9").ending.code is Code.CONTENT_UNAVAILABLE


def test_a_path_of_nobody_is_not_found(service):
    url, headers = f"{service.url}/v1/traces/trace-1", {"Authorization": f"Bearer {TOKEN}"}

    assert httpx.get(url, headers=headers, trust_env=False).status_code == 404


def test_content_for_a_purpose_of_nobody_is_a_bad_request(service):
    url, headers = f"{service.url}/v1/traces/trace-1/content", {"Authorization": f"Bearer {TOKEN}"}
    asked = {"organization_id": "org-1", "project_id": "project-1", "purpose": "training", "fields": []}

    assert httpx.post(url, json=asked, headers=headers, trust_env=False).status_code == 400


@pytest.mark.parametrize("body", [{}, [], {"organization_id": "o", "project_id": "p", "spans": [], "forbidden": 7}])
def test_an_order_that_makes_no_sense_is_refused(service, body):
    assert httpx.put(f"{service.url}/admin/policies", json=body, trust_env=False).status_code == 400
