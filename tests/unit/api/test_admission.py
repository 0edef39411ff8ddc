"""Who may do what: every route, every scope, every project."""

import pytest

from evalbook.api.declarations import every_route
from evalbook.api.route_table import Scope
from tests.fakes.http_api import EVERY_SCOPE, Token, event

GUARDED = [route for route in every_route() if route.scope]
IDS = [f"{route.method} {route.path}" for route in GUARDED]


def concrete(route):
    return (
        route.path.format(scorer="s", version=1, rubric="r", run="x", budget="b", action="a", calibration="c")
        if "{" in route.path
        else route.path
    )


@pytest.mark.parametrize("route", GUARDED, ids=IDS)
def test_a_token_without_the_scope_is_forbidden(api, route):
    others = " ".join(scope for scope in Scope if scope not in route.scopes)

    refused = api(route.method, concrete(route), {}, token=Token(scope=others))

    assert (refused.status, refused.code) == (403, "SCOPE_MISSING")


@pytest.mark.parametrize("route", GUARDED, ids=IDS)
def test_a_token_without_the_project_is_forbidden(api, route):
    if not route.needs_project:
        return

    refused = api(route.method, concrete(route), {}, headers={"X-Bookbag-Project": "other"})

    assert (refused.status, refused.code) == (403, "PROJECT_FORBIDDEN")


@pytest.mark.parametrize("scope", [Scope.SCORER_WRITE, Scope.SCORER_APPROVE])
def test_either_of_two_scopes_lets_a_caller_read_actions(api, scope):
    assert api("GET", "/actions", token=Token(scope=scope)).status == 200


def test_a_refusal_names_both_scopes_that_would_do(api):
    refused = api("GET", "/actions", token=Token(scope="scorer.read"))

    assert refused.json["detail"] == "The token lacks the scope scorer.write or scorer.approve."


@pytest.mark.parametrize("scope", ["scorer.reader", "SCORER.READ", "scorer", ""])
def test_a_scope_is_a_whole_word(api, scope):
    assert api("GET", "/scorers", token=Token(scope=scope)).code == "SCOPE_MISSING"


@pytest.mark.parametrize("route", every_route(), ids=[f"{route.method} {route.path}" for route in every_route()])
@pytest.mark.parametrize("claim", ["exp", "sub", "org"])
def test_a_token_that_lacks_a_claim_is_refused_everywhere(api, route, claim):
    claims = {name: value for name, value in Token().claims().items() if name != claim}

    answer = api.send(event(route.method, concrete(route), "{}", claims))

    assert (answer["statusCode"], answer["headers"]["WWW-Authenticate"]) == (401, "Bearer")


def test_a_request_without_verified_claims_is_refused(api):
    assert api.send(event("GET", "/scorers"))["statusCode"] == 401


def test_a_project_need_not_be_named_where_there_is_only_one(api):
    assert api("GET", "/scorers", token=Token(projects="support")).status == 200


def test_one_of_several_projects_must_be_named(api):
    several = Token(projects="support sales")

    assert api("GET", "/scorers", token=several).code == "PROJECT_REQUIRED"
    assert api("GET", "/scorers", token=several, headers={"X-Bookbag-Project": "sales"}).status == 200


def test_a_token_without_projects_reaches_none(api):
    assert api("GET", "/scorers", token=Token(projects="")).code == "PROJECT_FORBIDDEN"


@pytest.mark.parametrize("name", ["a#b", "#", "ä"])
def test_a_project_whose_name_could_reach_into_anothers_keys_is_none(api, name):
    assert api("GET", "/scorers", token=Token(projects=name)).code == "PROJECT_FORBIDDEN"


@pytest.mark.parametrize("org", ["acme#PROJECT#x", "", "a b"])
def test_an_organization_whose_name_could_reach_into_anothers_keys_is_none(api, org):
    assert api("GET", "/scorers", token=Token(org=org)).status == 401


@pytest.mark.parametrize("stranger", [Token(org="bolt"), Token(projects="sales")], ids=["organization", "project"])
@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/scorers/s", None),
        ("GET", "/scorers/s/versions", None),
        ("GET", "/scorers/s/versions/1", None),
        ("POST", "/scorers/s/versions", {"implementation": "exact_match"}),
        ("PUT", "/scorers/s/versions/1/fixtures", {"fixtures": []}),
        ("GET", "/scorers/s/versions/1/fixtures", None),
        ("POST", "/scorers/s/versions/1/fixtures/run", None),
        ("POST", "/scorers/s/versions/1/activation", None),
        ("GET", "/scorers/s/activations", None),
        ("GET", "/rubrics/r", None),
        ("GET", "/rubrics/r/versions/1", None),
        ("POST", "/rubrics/r/versions", {"instructions": "x", "criteria": [{"key": "k", "title": "t"}]}),
        ("POST", "/sandbox/runs", {"scorer": {"name": "s", "version": 1}, "cases": [{}]}),
        ("GET", "/sandbox/runs/run-1", None),
        ("GET", "/budgets/b", None),
    ],
)
def test_what_is_anothers_is_not_found(api, stranger, method, path, body):
    api("POST", "/scorers", {"name": "s"})
    api("POST", "/scorers/s/versions", {"implementation": "exact_match"})
    api("POST", "/rubrics", {"name": "r"})
    api("POST", "/rubrics/r/versions", {"instructions": "x", "criteria": [{"key": "k", "title": "t"}]})
    api("POST", "/sandbox/runs", {"draft": {"implementation": "exact_match"}, "cases": [{"case_id": "a"}]})
    api("POST", "/budgets", {"budget_id": "b", "limit": 1, "purpose": "sandbox", "expires_at": "2026-12-01T00:00:00Z"})

    assert api(method, path, body).status < 300 or path.endswith(("run", "activation"))
    assert api(method, path, body, token=stranger).status == 404


def test_the_scopes_are_those_of_the_design():
    assert (
        EVERY_SCOPE
        == "scorer.read scorer.write scorer.approve sandbox.run budget.write calibration.run dataset.read_body"
    )
