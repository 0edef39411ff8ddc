"""A route is declared beside its handler and nowhere else: the rest of the API, and its documents, follow."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from devstack.emulator.transformed import transformed

ROOT = Path(__file__).parents[2]
TOY = """
    @Route("GET", "/rubrics/{rubric}/twin", Scope.SCORER_READ, bodies.RubricView, "Get a rubric's twin")
    def get_rubric_twin(self, rubric: NamePart) -> Response[str]:
        \"\"\"Get a rubric that is called as this one, twice.\"\"\"
        return answer({"name": rubric * 2})
"""
ASK = """
import json, sys
from evalbook.api.application import Application
from evalbook.api.declarations import api_document, every_route
from evalbook.api.routes.rubrics import RubricRoutes
from evalbook.reports.api_page import page

def sent(scope):
    claims = {"sub": "ann", "org": "o", "projects": "p", "scope": scope, "exp": "9"}
    return {"rawPath": "/rubrics/r/twin", "requestContext": {"stage": "$default", "http": {"method": "GET",
        "path": "/rubrics/r/twin"}, "authorizer": {"jwt": {"claims": claims}}}, "headers": {}}

app = Application([RubricRoutes(None)], None, print)
json.dump({
    "document": json.loads(api_document()),
    "page": page(api_document()),
    "routes": [f"{route.method} {route.path}" for route in every_route()],
    "answer": app(sent("scorer.read"), None),
    "refusal": app(sent("scorer.write"), None),
}, sys.stdout)
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """What a copy of the package tells whose one file of routes about rubrics has one more route."""
    copied = tmp_path_factory.mktemp("package")
    for path in sorted((ROOT / "shared" / "evalbook").rglob("*.py")):
        copy = copied / path.relative_to(ROOT / "shared")
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    with (copied / "evalbook" / "api" / "routes" / "rubrics.py").open("a", encoding="utf-8") as module:
        module.write(TOY)
    environment = {**os.environ, "PYTHONPATH": str(copied)}
    asked = subprocess.run([sys.executable, "-c", ASK], env=environment, capture_output=True, text=True, check=True)
    return json.loads(asked.stdout)


def test_the_new_route_is_served(told):
    assert (told["answer"]["statusCode"], json.loads(told["answer"]["body"])) == (200, {"name": "rr"})


def test_the_new_route_asks_for_its_scope(told):
    assert json.loads(told["refusal"]["body"])["code"] == "SCOPE_MISSING"


def test_the_new_route_is_described(told):
    operation = told["document"]["paths"]["/rubrics/{rubric}/twin"]["get"]

    assert (operation["operationId"], operation["tags"]) == ("get_rubric_twin", ["Rubrics"])
    assert operation["security"] == [{"sso": ["scorer.read"]}]


def test_the_new_route_is_on_the_page(told):
    assert "Get a rubric&#x27;s twin" in told["page"]


def test_the_template_lacks_one_route_then_and_no_other(told):
    paths = transformed()["Resources"]["Api"]["Properties"]["Body"]["paths"]
    there = {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}

    assert set(told["routes"]) - there == {"GET /rubrics/{rubric}/twin"}
