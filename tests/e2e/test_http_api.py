"""The HTTP API on the local stack: the real gateway routes, authorizer, functions, roles and table."""

import json
import time
from contextlib import ExitStack
from uuid import uuid4

import pytest

from devstack.emulator.template import load
from devstack.stack import ROOT
from tests.e2e.http_client import EVERY_SCOPE, PATIENCE, Client

GOOD = {"case_id": "a", "output": "yes", "expected": "yes"}
BAD = {"case_id": "b", "output": "no", "expected": "yes"}
TEMPLATE = load(ROOT / "template.yaml")["Resources"]
ROUTES = [
    (event["Properties"]["Method"], event["Properties"]["Path"], event["Properties"]["Auth"]["AuthorizationScopes"])
    for function in TEMPLATE.values()
    if function["Type"] == "AWS::Serverless::Function"
    for event in function["Properties"].get("Events", {}).values()
    if event["Type"] == "HttpApi" and "AuthorizationScopes" in event["Properties"].get("Auth", {})
]


@pytest.fixture(scope="module")
def client(stack):
    """Makes clients that are closed at the end."""
    with ExitStack() as opened:
        yield lambda **claims: opened.enter_context(Client(stack, **claims))


@pytest.fixture(scope="module")
def ann(client):
    return client()


def new_scorer(author, implementation="exact_match", **more):
    name = f"s-{uuid4().hex[:8]}"
    author("POST", "/scorers", {"name": name})
    made = author("POST", f"/scorers/{name}/versions", {"implementation": implementation, **more})
    assert made.status_code == 201
    return name


def score(stack, client, name, run_id, *cases):
    """Send a batch that names the active version; its results by case."""
    batch = {
        "schema_version": 1,
        "organization_id": client.org,
        "project_id": client.project,
        "run_id": run_id,
        "batch_id": f"b-{uuid4().hex[:8]}",
        "purpose": "evaluation",
        "scorer": {"name": name, "version": "active"},
        "cases": list(cases),
    }
    sqs = stack.client("sqs")
    sqs.send_message(QueueUrl=stack.outputs["TextQueueUrl"], MessageBody=json.dumps(batch))
    return results(sqs, stack.outputs["ResultsQueueUrl"], batch["batch_id"])


def results(sqs, url, batch_id):
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        for message in sqs.receive_message(QueueUrl=url, WaitTimeSeconds=1).get("Messages", []):
            sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
            found = json.loads(message["Body"])
            if found["batch_id"] == batch_id:
                return {each["case_id"]: each for each in found["results"]}
    return {}


def activate(client, name, number, *fixtures):
    path = f"/scorers/{name}/versions/{number}"
    if fixtures:
        assert client("PUT", f"{path}/fixtures", {"fixtures": list(fixtures)}).status_code == 200
    return client("POST", f"{path}/activation")


def test_an_author_creates_checks_fixes_and_activates_and_results_name_what_scored_them(stack, ann):
    name = new_scorer(ann)
    wrong = activate(ann, name, 1, {"case": GOOD, "outcome": "pass"}, {"case": BAD, "outcome": "pass"})
    unscored = score(stack, ann, name, "too-early", GOOD)
    right = activate(ann, name, 1, {"case": GOOD, "outcome": "pass"}, {"case": BAD, "outcome": "fail"})

    scored = score(stack, ann, name, "run-1", GOOD, BAD)

    version = ann("GET", f"/scorers/{name}/versions/1").json()
    assert (wrong.status_code, wrong.json()["code"]) == (409, "FIXTURES_DISAGREE")
    assert unscored["a"]["code"] == "VERSION_NOT_ACTIVATED"
    assert (right.status_code, version["state"]) == (200, "active")
    assert {case: each["outcome"] for case, each in scored.items()} == {"a": "pass", "b": "fail"}
    assert scored["a"]["scorer"] == {
        "name": name, "version": 1, "digest": version["digest"], "implementation": "exact_match"
    }  # fmt: skip


def test_a_run_keeps_the_version_that_was_active_when_it_began(stack, ann):
    name = new_scorer(ann)
    activate(ann, name, 1, {"case": GOOD, "outcome": "pass"})
    score(stack, ann, name, "run-2", GOOD)
    ann("POST", f"/scorers/{name}/versions", {"implementation": "not_contains"})
    activate(ann, name, 2, {"case": GOOD, "outcome": "fail"})

    old, new = (score(stack, ann, name, run, GOOD)["a"] for run in ("run-2", "run-3"))

    assert [(each["scorer"]["version"], each["outcome"]) for each in (old, new)] == [(1, "pass"), (2, "fail")]


def test_two_organizations_with_the_same_names_see_nothing_of_each_other(client, ann):
    name = new_scorer(ann)
    bob = client(org="bolt", sub="bob")
    before = bob("GET", f"/scorers/{name}").status_code
    listed = bob("GET", "/scorers").json()["items"]

    bob("POST", "/scorers", {"name": name, "description": "bolt's"})

    assert (before, listed) == (404, [])
    assert bob("GET", f"/scorers/{name}/versions/1").status_code == 404
    assert ann("GET", f"/scorers/{name}").json()["description"] == ""


@pytest.mark.parametrize(("method", "path", "scopes"), ROUTES, ids=[f"{method} {path}" for method, path, _ in ROUTES])
def test_a_token_with_every_scope_but_the_routes_own_is_forbidden(client, method, path, scopes):
    others = client(scope=" ".join(each for each in EVERY_SCOPE.split() if each not in scopes))
    concrete = path.format(scorer="s", version=1, rubric="r", run="x", budget="b", action="a", calibration="c")

    refused = others(method, concrete, {} if method in {"POST", "PUT"} else None)

    assert refused.status_code == 403


def test_a_path_and_a_method_that_are_none_are_problems(ann):
    nowhere, wrong = ann("GET", "/nowhere"), ann("DELETE", "/scorers")

    assert (nowhere.status_code, nowhere.json()["code"]) == (404, "ROUTE_NOT_FOUND")
    assert (wrong.status_code, wrong.json()["code"], wrong.headers["allow"]) == (405, "METHOD_NOT_ALLOWED", "GET, POST")


def test_the_document_is_the_committed_one(ann):
    assert ann("GET", "/openapi.json").text == (ROOT / "docs" / "openapi.json").read_text()


def test_a_request_sent_twice_with_one_key_is_done_once(ann):
    name, key = new_scorer(ann), {"Idempotency-Key": uuid4().hex}
    body = {"implementation": "exact_match"}

    first, again = (ann("POST", f"/scorers/{name}/versions", body, headers=key) for _ in range(2))

    assert first.json() == again.json()
    assert ann("GET", f"/scorers/{name}").json()["versions"] == 2


def test_a_sandbox_run_is_answered_at_once(ann):
    draft = {"implementation": "exact_match"}

    answer = ann("POST", "/sandbox/runs", {"draft": draft, "cases": [GOOD, BAD]})

    assert (answer.status_code, [each["outcome"] for each in answer.json()["results"]]) == (200, ["pass", "fail"])


def test_a_sandbox_run_that_could_take_twenty_minutes_is_split_and_finishes(ann):
    draft = {"implementation": "exact_match", "time_limit_ms": 60_000}
    cases = [{**(GOOD if number % 2 else BAD), "case_id": str(number)} for number in range(20)]

    started = ann("POST", "/sandbox/runs", {"draft": draft, "cases": cases})

    finished = ann.polled(started.headers["Location"])
    assert started.status_code == 202
    assert [each["case_id"] for each in finished["results"]] == [str(number) for number in range(20)]
    assert [each["outcome"] for each in finished["results"]] == ["fail", "pass"] * 10


def test_bodies_of_sandbox_results_are_for_those_who_may_see_them(client, ann):
    draft = {"implementation": "exact_match"}
    answer = ann("POST", "/sandbox/runs", {"draft": draft, "cases": [BAD]})
    unseeing = client(scope="sandbox.run")

    [result] = unseeing("GET", answer.headers["Location"]).json()["results"]

    assert "body" in answer.json()["results"][0]
    assert "body" not in result


def test_a_judges_prompt_is_shown(ann):
    name = new_scorer(ann)
    judge = {"model": "a::b", "prompt_template": "Judge {{output}}", "score_type": "binary"}

    shown = ann("POST", f"/scorers/{name}/prompt-preview", {"parameters": judge, "case": GOOD}).json()

    assert "yes" in shown["messages"][1]["content"]
