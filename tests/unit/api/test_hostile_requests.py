"""Requests of any shape, size and nesting: a problem, never a 500, never an echo."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evalbook.api.declarations import every_route
from tests.fakes.http_api import Token, event

SECRET = "s3cr3t-payload"
WITH_BODY = [route for route in every_route() if route.takes_body]
IDS = [f"{route.method} {route.path}" for route in WITH_BODY]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


def concrete(route):
    return route.path.format(scorer="s", version=1, rubric="r", run="x", budget="b", action="a", calibration="c")


BODIES = {
    "nothing": "",
    "no JSON": SECRET,
    "half of an object": '{"name": "' + SECRET,
    "an array": json.dumps([SECRET]),
    "a text": json.dumps(SECRET),
    "null": "null",
    "deep arrays": "[" * 100_000,
    "deep objects": '{"a":' * 100_000 + "1" + "}" * 100_000,
    "a deep value": '{"name":' + "[" * 103 + "]" * 103 + "}",
    "a repeated key": '{"name": "' + SECRET + '", "name": "x"}',
    "NaN": '{"name": NaN}',
    "a huge number": '{"name": 1e99999}',
    "a long number": '{"name": ' + "9" * 1_000 + "}",
    "half of a surrogate pair": '{"name": "\\ud800"}',
    "an unknown member": json.dumps({"surplus": SECRET}),
    "an unknown member with a name that is none": json.dumps({f"{SECRET} ": SECRET}),
    "wrong types": json.dumps({"name": {SECRET: 1}, "implementation": [SECRET], "fixtures": SECRET, "cases": SECRET}),
    "no text at all": b"\xff\xfe" + SECRET.encode(),
    "too large": '{"name": "' + "x" * 1_100_000 + '"}',
    "far too large": "x" * 6_000_000,
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
@pytest.mark.parametrize("route", WITH_BODY, ids=IDS)
def test_a_body_that_is_none_is_a_problem_that_quotes_nothing(api, route, body):
    refused = api(route.method, concrete(route), raw=body)

    assert 400 <= refused.status < 500
    assert refused.code
    assert SECRET not in refused.text


@pytest.mark.parametrize(
    ("given_type", "status"),
    [
        ("application/json; charset=utf-8", 201),
        ("APPLICATION/JSON", 201),
        ("text/plain", 415),
        ("application/x-www-form-urlencoded", 415),
        ("multipart/form-data; boundary=x", 415),
        ("", 415),
    ],
)
def test_a_body_is_json_and_says_so(api, given_type, status):
    sent = event("POST", "/scorers", '{"name": "s"}', Token().claims())
    sent["headers"]["Content-Type"] = given_type

    assert api.send(sent)["statusCode"] == status


def test_a_body_that_says_nothing_of_itself_is_taken_for_json(api):
    sent = event("POST", "/scorers", '{"name": "s"}', Token().claims())
    del sent["headers"]["Content-Type"]

    assert api.send(sent)["statusCode"] == 201


def test_a_body_can_come_in_base64(api):
    assert api("POST", "/scorers", raw=b'{"name": "s"}').status == 201


@pytest.mark.parametrize("path", ["/", "/nothing", "/scorers/", "/scorers/a/b", "//scorers", "/Scorers", "/sandbox"])
def test_a_path_that_is_none_is_not_found(api, path):
    assert api("GET", path).code == "ROUTE_NOT_FOUND"


@pytest.mark.parametrize("method", ["DELETE", "PATCH", "HEAD", "OPTIONS", "PUT", "NONSENSE"])
def test_a_method_that_a_path_does_not_have_is_named_with_those_that_it_has(api, method):
    refused = api(method, "/scorers")

    assert (refused.status, refused.headers["Allow"]) == (405, "GET, POST")


@pytest.mark.parametrize("name", ["a b", "a#b", "ä", "..", "%2e", "x" * 129, "-x", "a\n"])
def test_a_name_that_is_none_is_a_problem(api, name):
    assert 400 <= api("GET", f"/scorers/{name}").status < 500


@pytest.mark.parametrize("number", ["0", "-1", "x", "1.5", "9" * 30, "1e3", ""])
def test_a_number_that_is_none_is_a_problem(api, number):
    api("POST", "/scorers", {"name": "s"})

    assert 400 <= api("GET", f"/scorers/s/versions/{number}").status < 500


@pytest.mark.parametrize(
    "query", [{"limit": "0"}, {"limit": "101"}, {"limit": "x"}, {"limit": ""}, {"cursor": "!"}, {"cursor": "w6Q="}]
)
def test_a_query_that_is_none_is_a_problem(api, query):
    refused = api("GET", "/scorers", query=query)

    assert (refused.status, refused.code) == (422, "REQUEST_INVALID")


def test_a_cursor_of_another_list_shows_nothing_of_it(api):
    api("POST", "/scorers", {"name": "s"})

    assert api("GET", "/scorers", query={"cursor": "dg=="}).json["items"] == []


def test_problems_point_into_the_body(api):
    refused = api("PUT", "/scorers/s/versions/1/fixtures", {"fixtures": [{"case": {}, "outcome": "maybe"}]})

    [problem] = refused.json["problems"]
    assert problem["pointer"] == "/fixtures/0/outcome"
    assert problem["message"].startswith("must be 'pass', 'fail', ")


def test_a_fault_of_our_own_says_nothing(api, monkeypatch, caplog):
    def fail(*_):
        raise RuntimeError(SECRET)

    monkeypatch.setattr(type(api.house.scorers), "list", fail)

    failed = api("GET", "/scorers")

    assert (failed.status, failed.code) == (500, "INTERNAL_ERROR")
    assert SECRET not in failed.text + caplog.text


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(route=st.sampled_from(WITH_BODY), body=st.dictionaries(st.text(max_size=8), JSON, max_size=4))
def test_no_object_at_all_makes_the_service_fail(api, route, body):
    answer = api(route.method, concrete(route), body)

    assert 400 <= answer.status < 500


MEMBERS = [
    "name",
    "description",
    "implementation",
    "parameters",
    "time_limit_ms",
    "fixtures",
    "version",
    "case",
    "instructions",
    "criteria",
    "scorer",
    "draft",
    "cases",
]
FILLED = st.fixed_dictionaries({}, optional=dict.fromkeys(MEMBERS, JSON))


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(route=st.sampled_from(WITH_BODY), body=FILLED)
def test_no_values_of_known_members_make_the_service_fail(api, route, body):
    assert api(route.method, concrete(route), body).status < 500
