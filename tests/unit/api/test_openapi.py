"""The OpenAPI document: in step with the code, complete, and true of the answers."""

import json
from html.parser import HTMLParser
from pathlib import Path

import jsonschema
import pytest

from evalbook.api.declarations import api_document, every_route
from evalbook.api.export import export
from evalbook.reports.api_page import page

DOCS = Path(__file__).parents[3] / "docs"
DOCUMENT = json.loads(api_document())
BUDGET = {"budget_id": "b", "limit": 1, "purpose": "evaluation", "expires_at": "2026-12-01T00:00:00Z"}
GOOD = {"case": {"case_id": "a", "output": "x", "expected": "x"}, "outcome": "pass", "score": 1}


@pytest.mark.parametrize("name", ["openapi.json", "api.html"])
def test_what_is_committed_is_what_the_code_says(tmp_path, name):
    export(tmp_path)

    assert (tmp_path / name).read_text() == (DOCS / name).read_text(), "run `make schemas`"


def test_every_route_is_described_with_its_scope():
    described = {
        (method.upper(), path): operation["security"]
        for path, methods in DOCUMENT["paths"].items()
        for method, operation in methods.items()
    }

    assert described == {
        (route.method, route.path): [{"sso": [scope.value]} for scope in route.scopes] or [{"sso": []}]
        for route in every_route()
    }


def test_every_reference_leads_somewhere():
    named = {part.partition('"')[0] for part in json.dumps(DOCUMENT).split("#/components/schemas/")[1:]}

    assert named <= DOCUMENT["components"]["schemas"].keys()


def test_operations_have_names_of_their_own():
    names = [operation["operationId"] for methods in DOCUMENT["paths"].values() for operation in methods.values()]

    assert len(set(names)) == len(every_route())


def bodies():
    """Every request's body, as the document describes it, by its operation's name."""
    for methods in DOCUMENT["paths"].values():
        for operation in methods.values():
            if "requestBody" in operation:
                yield operation["operationId"], operation["requestBody"]["content"]["application/json"]


@pytest.mark.parametrize(("body"), [body for _, body in bodies()], ids=[name for name, _ in bodies()])
def test_every_body_has_an_example_that_its_schema_accepts(body):
    jsonschema.validate(body["example"], {**body["schema"], "components": DOCUMENT["components"]})


def test_every_operation_stands_under_a_subject_that_is_described():
    used = {
        tag for methods in DOCUMENT["paths"].values() for operation in methods.values() for tag in operation["tags"]
    }

    assert {tag["name"] for tag in DOCUMENT["tags"] if tag["description"]} == used


def test_problems_have_the_codes_that_their_route_declares():
    refusals = DOCUMENT["paths"]["/scorers/{scorer}/versions/{version}/activation"]["post"]["responses"]["409"]

    [_, narrower] = refusals["content"]["application/problem+json"]["schema"]["allOf"]
    assert narrower["properties"]["code"]["enum"] == [
        "FIXTURES_CHANGED",
        "FIXTURES_DISAGREE",
        "FIXTURES_MISSING",
        "FIXTURES_UNFINISHED",
        "IDEMPOTENCY_KEY_IN_USE",
        "NOT_FOR_JUDGES",
    ]


def test_the_page_needs_no_network_and_no_script():
    class Reader(HTMLParser):
        tags, addresses = set(), []

        def handle_starttag(self, tag, attributes):
            self.tags.add(tag)
            self.addresses += [value for name, value in attributes if name in {"href", "src"}]

    reader = Reader()
    reader.feed(page(api_document()))

    assert not reader.tags & {"script", "link", "img", "iframe"}
    assert all(address.startswith("#") for address in reader.addresses)


REQUESTS = [
    ("POST", "/scorers", {"name": "s"}),
    ("POST", "/scorers/{scorer}/versions", {"implementation": "edit_similarity", "parameters": {"threshold": 0.5}}),
    ("POST", "/scorers/{scorer}/versions", {"implementation": "none"}),
    ("PUT", "/scorers/{scorer}/versions/{version}/fixtures", {"fixtures": [GOOD]}),
    ("GET", "/scorers/{scorer}/versions/{version}/fixtures", None),
    ("POST", "/scorers/{scorer}/versions/{version}/fixtures/run", None),
    ("POST", "/scorers/{scorer}/versions/{version}/activation", None),
    ("PUT", "/scorers/{scorer}/versions/{version}/fixtures", {"fixtures": []}),
    ("GET", "/scorers/{scorer}/versions/{version}", None),
    ("GET", "/scorers/{scorer}/versions", None),
    ("GET", "/scorers/{scorer}/activations", None),
    ("GET", "/scorers/{scorer}", None),
    ("GET", "/scorers", None),
    ("POST", "/actions", {"kind": "activate_judge_configuration", "scorer": "s", "version": 1}),
    ("GET", "/actions", None),
    ("POST", "/actions/{action}/approval", {}),
    ("POST", "/actions/{action}/rejection", {}),
    ("GET", "/actions/{action}", None),
    ("POST", "/rubrics", {"name": "r"}),
    ("POST", "/rubrics/{rubric}/versions", {"instructions": "x", "criteria": [{"key": "k", "title": "t"}]}),
    ("GET", "/rubrics/{rubric}/versions/{version}", None),
    ("GET", "/rubrics/{rubric}/versions", None),
    ("GET", "/rubrics/{rubric}", None),
    ("GET", "/rubrics", None),
    (
        "POST",
        "/scorers/{scorer}/prompt-preview",
        {
            "parameters": {"model": "a::b", "prompt_template": "{{output}}", "score_type": "binary"},
            "case": {"case_id": "a", "output": "x"},
        },
    ),
    ("POST", "/sandbox/runs", {"draft": {"implementation": "exact_match"}, "cases": [GOOD["case"], {}]}),
    ("GET", "/sandbox/runs/{run}", None),
    ("POST", "/budgets", BUDGET),
    ("POST", "/budgets", {**BUDGET, "limit": 2}),
    ("GET", "/budgets/{budget}", None),
    (
        "POST",
        "/calibrations",
        {"scorer": {"name": "s", "version": 1}, "cases": [{}], "split": "test", "budget_limit": 1},
    ),
    ("GET", "/calibrations/{calibration}", None),
    ("GET", "/scorers/{scorer}/calibrations", None),
    ("GET", "/implementations", None),
    ("GET", "/models", None),
    ("GET", "/openapi.json", None),
]


def test_every_answer_is_one_that_the_document_describes(api):
    for method, path, body in REQUESTS:
        answer = api(
            method,
            path.format(scorer="s", version=1, rubric="r", run="run-1", budget="b", action="a", calibration="c"),
            body,
        )

        described = DOCUMENT["paths"][path][method.lower()]["responses"][str(answer.status)]["content"]
        schema = described[answer.headers["Content-Type"]].get("schema", {})
        jsonschema.validate(answer.json, {**schema, "components": DOCUMENT["components"]})


def test_every_route_is_among_those_whose_answers_are_checked():
    assert {(method, path) for method, path, _ in REQUESTS} == {(route.method, route.path) for route in every_route()}
