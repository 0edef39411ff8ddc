"""Activating a judge through the API: two people, one history."""

import json

import jsonschema
import pytest

from evalbook.api.declarations import api_document
from tests.fakes.governed import NAME
from tests.fakes.http_api import HttpApi, Token

DOCUMENT = json.loads(api_document())
REQUEST = {"kind": "activate_judge_configuration", "scorer": NAME, "version": 1, "reason": "better"}
ANN, BOB = Token(scope="scorer.read scorer.write"), Token(sub="bob", scope="scorer.approve")


@pytest.fixture
def api(governed):
    return HttpApi(governed.house)


@pytest.fixture
def requested(api):
    return api("POST", "/actions", REQUEST, token=ANN)


def approve(api, requested, token=BOB):
    return api("POST", requested.headers["Location"] + "/approval", {"reason": "looks good"}, token=token)


def test_a_request_shows_what_it_changes_and_what_happened(requested):
    shown = requested.json

    assert (requested.status, shown["state"], shown["requested"]["by"]) == (201, "requested", "ann")
    assert [(each["after"], each["by"], each["reason"]) for each in shown["events"]] == [("requested", "ann", "better")]
    changed = {each["field"]: each for each in shown["review"]["changes"]}
    assert changed["prompt_template"]["new"] == "Judge\n{{output}}"
    assert shown["review"]["calibration"] is None


def test_an_approval_by_somebody_else_activates_the_version(api, requested):
    approved = approve(api, requested)

    assert (approved.status, approved.json["state"], approved.json["activation"]) == (200, "carried_out", 1)
    assert [(each["after"], each["by"]) for each in approved.json["events"]] == [
        ("requested", "ann"),
        ("approved", "bob"),
        ("carried_out", None),
    ]
    assert api("GET", f"/scorers/{NAME}").json["active_version"] == 1


def test_an_activation_of_a_judge_says_who_requested_and_who_approved_it(api, requested):
    approve(api, requested)

    [activation] = api("GET", f"/scorers/{NAME}/activations").json["items"]

    assert activation["activated"]["by"] == "bob"
    assert activation["action"] == {
        "action_id": requested.json["action_id"],
        "requested_by": "ann",
        "approved_by": "bob",
    }


@pytest.mark.parametrize("decision", ["approval", "rejection"])
def test_nobody_decides_on_what_they_requested(api, requested, decision):
    refused = api("POST", f"{requested.headers['Location']}/{decision}", {})

    assert (refused.status, refused.code) == (403, "SELF_DECISION")
    assert api("GET", requested.headers["Location"]).json == requested.json


def test_a_rejection_is_final(api, requested):
    rejected = api("POST", f"{requested.headers['Location']}/rejection", {"reason": "too strict"}, token=BOB)
    late = approve(api, requested, Token(sub="cid"))

    assert (rejected.status, rejected.json["state"], rejected.json["rejected"]["by"]) == (200, "rejected", "bob")
    assert (late.status, late.code) == (409, "ACTION_NOT_OPEN")


def test_a_model_that_is_gone_fails_the_action_and_says_why(governed, api, requested):
    governed.catalogs.empty = True

    refused = approve(api, requested)

    shown = api("GET", requested.headers["Location"]).json
    assert (refused.status, refused.code) == (409, "ACTION_NOT_OPEN")
    assert refused.json["problems"] == [{"pointer": "/model", "message": "is not in the catalog"}] == shown["problems"]
    assert (shown["state"], shown["activation"]) == ("failed", None)


def test_without_a_catalog_the_approval_is_kept_for_later(governed, api, requested):
    governed.catalogs.down = True

    approved = approve(api, requested)

    assert (approved.status, approved.json["state"]) == (202, "waiting")
    assert (approved.json["waiting_for"], approved.json["approved"]["by"]) == ("model_catalog", "bob")


def test_an_approved_action_waits_for_nothing_once_it_is_carried_out(api, requested):
    approved = approve(api, requested)

    assert (approved.json["state"], approved.json["waiting_for"]) == ("carried_out", None)


def test_a_version_whose_model_is_gone_is_not_requested(governed, api):
    governed.catalogs.empty = True

    refused = api("POST", "/actions", REQUEST, token=ANN)

    assert (refused.status, refused.code) == (422, "PARAMETERS_REFUSED")


@pytest.mark.parametrize(
    ("change", "pointer"), [({"kind": "other"}, "/kind"), ({"version": "1"}, "/version"), ({"more": 1}, "/more")]
)
def test_a_request_of_another_form_is_refused(api, change, pointer):
    refused = api("POST", "/actions", REQUEST | change, token=ANN)

    assert (refused.status, [each["pointer"] for each in refused.json["problems"]]) == (422, [pointer])


def test_actions_are_listed_newest_first(governed, api, requested):
    governed.clock.text = "2026-11-30T12:00:01Z"
    newer = api("POST", "/actions", REQUEST | {"version": 2}, token=ANN).json

    first = api("GET", "/actions", token=BOB, query={"limit": "1"}).json
    second = api("GET", "/actions", token=BOB, query={"limit": "1", "cursor": first["next_cursor"]}).json

    names = [each["action_id"] for each in (*first["items"], *second["items"])]
    assert names == [newer["action_id"], requested.json["action_id"]]


@pytest.mark.parametrize("stranger", [Token(org="bolt", sub="bob"), Token(projects="sales", sub="bob")])
@pytest.mark.parametrize("method_and_end", ["GET ", "POST /approval", "POST /rejection"])
def test_an_action_of_others_is_not_found(api, requested, stranger, method_and_end):
    method, _, end = method_and_end.partition(" ")

    answer = api(method, requested.headers["Location"] + end, {}, token=stranger)

    assert (answer.status, answer.code) == (404, "ACTION_NOT_FOUND")


def test_the_deterministic_route_activates_no_judge(api):
    refused = api("POST", f"/scorers/{NAME}/versions/1/activation")

    assert (refused.status, refused.code) == (409, "NOT_FOR_JUDGES")


def test_every_answer_is_one_that_the_document_describes(api, requested):
    one = requested.headers["Location"]
    asked = [
        ("POST", "/actions", "/actions", REQUEST, ANN),
        ("GET", "/actions", "/actions", None, ANN),
        ("GET", "/actions/{action}", one, None, ANN),
        ("POST", "/actions/{action}/approval", f"{one}/approval", {}, BOB),
        ("POST", "/actions/{action}/rejection", f"{one}/rejection", {}, BOB),
    ]
    for method, described, path, body, token in asked:
        answer = api(method, path, body, token=token)

        content = DOCUMENT["paths"][described][method.lower()]["responses"][str(answer.status)]["content"]
        schema = content[answer.headers["Content-Type"]]["schema"]
        jsonschema.validate(answer.json, {**schema, "components": DOCUMENT["components"]})
