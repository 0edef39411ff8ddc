"""A judge becomes active on the local stack: two people with tokens of their own, real routes, functions and table."""

import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from functools import partial
from threading import Barrier

import pytest

from devstack.standins.gateway_catalog import catalog_document
from evalbook.domain.records import Project
from evalbook.domain.refusals import Declined
from evalbook.domain.rfc3339 import rfc3339
from evalbook.entrypoints.governance import action_course
from evalbook.judges.catalog import read_catalog
from evalbook.services.governance.judge_activation import JudgeActivations
from tests.e2e.governed import JUDGE, STRICT, approve_and_crash, new_judge, requested, resume, table
from tests.e2e.http_client import Client
from tests.fakes.catalogs import FixedCatalog

ORG = "governed"
CATALOG = FixedCatalog(read_catalog(json.dumps(catalog_document()).encode()))
THREADS = 8


@pytest.fixture(scope="module")
def people(stack):
    """Ann writes, Bob and Cid approve."""
    with ExitStack() as opened:
        scopes = {"ann": "scorer.read scorer.write scorer.approve", "bob": "scorer.approve", "cid": "scorer.approve"}
        yield [opened.enter_context(Client(stack, org=ORG, sub=name, scope=scope)) for name, scope in scopes.items()]


@pytest.fixture(scope="module")
def ann(people):
    return people[0]


@pytest.fixture(scope="module")
def bob(people):
    return people[1]


def all_at_once(calls):
    """Make all calls at the same moment, each in a thread of its own; their answers."""
    start = Barrier(len(calls))

    def started(call):
        start.wait()
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return [answer.result() for answer in [pool.submit(started, call) for call in calls]]


def now():
    return rfc3339(datetime.now(UTC))


def activations(ann, name):
    return ann("GET", f"/scorers/{name}/activations").json()["items"]


def test_one_person_requests_and_another_one_activates(ann, bob):
    name = new_judge(ann, JUDGE)
    path = requested(ann, name)
    own = ann("POST", f"{path}/approval", {})
    between = ann("GET", f"/scorers/{name}").json()["active_version"]

    approved = bob("POST", f"{path}/approval", {"reason": "looks good"})

    [activation] = activations(ann, name)
    assert (own.status_code, own.json()["code"], between) == (403, "SELF_DECISION", None)
    assert (approved.status_code, approved.json()["state"]) == (200, "carried_out")
    assert activation["action"] == {"action_id": path.rpartition("/")[2], "requested_by": "ann", "approved_by": "bob"}
    assert ann("GET", f"/scorers/{name}").json()["active_version"] == 1


def test_approvals_of_two_people_at_once_carry_out_one_activation(ann, people):
    name = new_judge(ann, JUDGE)
    path = requested(ann, name)

    answers = all_at_once([lambda each=each: each("POST", f"{path}/approval", {}) for each in people[1:]])

    trail = [each["after"] for each in ann("GET", path).json()["events"]]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert (len(activations(ann, name)), trail) == (1, ["requested", "approved", "carried_out"])


def test_approvals_of_many_people_at_once_carry_out_one_activation(stack, ann):
    name = new_judge(ann, JUDGE)
    action_id = requested(ann, name).rpartition("/")[2]
    project = Project(ann.org, ann.project)

    courses = [action_course(table(stack), CATALOG, now) for _ in range(THREADS)]

    actions = all_at_once(
        [
            lambda course=course, number=number: JudgeActivations(course, None, None).approve(
                project, action_id, f"approver-{number}"
            )
            for number, course in enumerate(courses)
        ]
    )

    assert len({each.approved.by for each in actions}) == 1
    assert len(activations(ann, name)) == 1


def test_of_many_actions_approved_at_once_one_is_carried_out_and_the_others_are_superseded(stack, ann):
    name = new_judge(ann, *[JUDGE | {"repeat_count": number + 1} for number in range(THREADS)])
    names = [requested(ann, name, number + 1).rpartition("/")[2] for number in range(THREADS)]
    project = Project(ann.org, ann.project)

    def approve(course, action_id):
        with suppress(Declined):
            JudgeActivations(course, None, None).approve(project, action_id, "bob")

    all_at_once([partial(approve, action_course(table(stack), CATALOG, now), action_id) for action_id in names])

    states = Counter(ann("GET", f"/actions/{each}").json()["state"] for each in names)
    assert states == {"carried_out": 1, "superseded": THREADS - 1}
    assert len(activations(ann, name)) == 1


def test_an_approval_that_broke_off_before_the_activation_is_resumed_by_the_schedule(stack, ann):
    name = new_judge(ann, JUDGE)
    path = requested(ann, name)
    approve_and_crash(stack, ann, path)

    resume(stack)

    shown = ann("GET", path).json()
    assert [(each["after"], each["by"]) for each in shown["events"]] == [
        ("requested", "ann"),
        ("approved", "bob"),
        ("carried_out", None),
    ]
    assert [each["version"] for each in activations(ann, name)] == [1]


def test_without_the_gateways_catalog_an_approval_waits_and_is_resumed(stack, ann, bob, monkeypatch):
    name = new_judge(ann, JUDGE)
    path = requested(ann, name)
    with monkeypatch.context() as down:
        down.setattr(stack.sso.options, "tokens", {})
        waiting = bob("POST", f"{path}/approval", {})
        between = ann("GET", f"/scorers/{name}").json()["active_version"]

    done = bob("POST", f"{path}/approval", {})

    assert (waiting.status_code, waiting.json()["state"], between) == (202, "waiting", None)
    assert (done.status_code, done.json()["state"], len(activations(ann, name))) == (200, "carried_out", 1)


def test_a_change_of_the_template_is_shown_to_the_approver_and_an_earlier_version_comes_back_the_same_way(ann, bob):
    name = new_judge(ann, JUDGE, STRICT)
    bob("POST", f"{requested(ann, name, 1)}/approval", {})
    second = requested(ann, name, 2)
    [change] = bob("GET", second).json()["review"]["changes"]
    bob("POST", f"{second}/approval", {})
    refused = ann("POST", f"/scorers/{name}/versions/1/activation")

    bob("POST", f"{requested(ann, name, 1)}/approval", {})

    assert (change["field"], change["diff"]) == (
        "prompt_template",
        "--- old\n+++ new\n@@ -1,2 +1,2 @@\n-Judge\n+Judge strictly\n {{output}}",
    )
    assert refused.json()["code"] == "NOT_FOR_JUDGES"
    assert [each["version"] for each in activations(ann, name)] == [1, 2, 1]
